-- Makes Lua on Linux look like LÖVE on Android to the loader. LÖVE on Android first loads modules
-- from the APK; here the folder APK takes its place. lua5.1 -e "dofile('android.lua')" program.lua

-- luacheck: globals love

love = { _os = "Android" }
table.insert(package.loaders or package.searchers, 2, function(name)
  local path = ("%s/%s.so"):format(os.getenv("APK"), name)
  return package.loadlib(path, "luaopen_" .. name:gsub("%.", "_")) or "\n\tno file " .. path
end)
