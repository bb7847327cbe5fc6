-- Runs Lua code in a new process, with the same interpreter and the same paths.

local child = {}

-- The command that runs this interpreter: the first word of the command line that started it.
function child.interpreter()
  local args, first = rawget(_G, "arg") or {}, 0
  while args[first - 1] do
    first = first - 1
  end
  return first < 0 and args[first] or "lua"
end

-- Sanitizers need more memory than limits allow, and keep freed blocks.
child.sanitized = (os.getenv("LD_PRELOAD") or ""):find("asan", 1, true) ~= nil

-- Whether there is a shell with the few commands that this needs.
child.available = io.popen ~= nil and package.config:sub(1, 1) == "/"

-- Runs the source. `limit` is the most memory that it may map, in kilobytes; `under` is the command
-- of a tool that runs the interpreter. Returns the exit code and everything that it wrote.
function child.run(source, limit, under)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(("package.path = %q\npackage.cpath = %q\n"):format(package.path, package.cpath))
  file:write(source)
  file:close()
  local command = ("%s '%s' '%s' 2>&1; echo \"exit=$?\""):format(under or "",
    child.interpreter(), name)
  if limit then
    command = ("ulimit -v %d; %s"):format(limit, command)
  end
  local pipe = assert(io.popen(command))
  local output = pipe:read("*a")
  pipe:close()
  os.remove(name)
  return tonumber(output:match("exit=(%d+)%s*$")), (output:gsub("exit=%d+%s*$", ""))
end

return child
