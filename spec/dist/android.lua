-- Makes Lua on Linux look to the loader like LÖVE on Android, which loads modules from the APK
-- first: here from the folder APK. lua5.1 -e "dofile('android.lua')" program.lua

-- luacheck: globals love

love = { _os = "Android" }
table.insert(package.loaders or package.searchers, 2, function(name)
  local path = ("%s/%s.so"):format(os.getenv("APK"), name)
  return package.loadlib(path, "luaopen_" .. name:gsub("%.", "_")) or "\n\tno file " .. path
end)
