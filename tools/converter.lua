-- What programs that convert a text of Lua have in common: converter(convert, path) prints the file
-- converted. As a module such a program gets its own name in place of a path; then nothing is done.

return function(convert, path)
  if path and path:find("%.lua$") then
    local file = assert(io.open(path))
    io.write(convert(file:read("*a")))
    file:close()
  end
end
