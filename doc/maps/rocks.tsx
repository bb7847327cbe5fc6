<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.8" tiledversion="1.8.2" name="rocks" tilewidth="32" tileheight="32" tilecount="8" columns="4">
 <image source="rocks.png" width="128" height="64"/>
 <tile id="2">
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="32">
    <polygon points="0,0 32,-32 32,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="3">
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0">
    <polygon points="0,0 32,32 0,32"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="4">
  <properties>
   <property name="oneWay" value="up"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="32" height="8"/>
  </objectgroup>
 </tile>
</tileset>
