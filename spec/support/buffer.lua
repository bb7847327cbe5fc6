-- A stand-in for LÖVE's Data: an object with getPointer and getSize, whose memory a spec can read.
-- Without a C compiler it is nil.

local buffer = {}

local library

local function build()
  if library == nil then
    library = os.tmpname()
    os.remove(library)
    library = library .. ".so"
    -- Without the libraries that sanitizers preload, because compilers leak.
    local command = "LD_PRELOAD= ${CC:-cc} -shared -fPIC -o '%s' spec/support/buffer.c 2>/dev/null"
    local status = os.execute(command:format(library))
    if status ~= true and status ~= 0 then
      library = false
    end
  end
  return library
end

-- Whether there is one; otherwise the test that calls this is pending.
function buffer.isThere()
  if not build() then
    pending("no C compiler here")
  end
  return build() and true
end

-- size: the result of getSize. kind: the function of buffer.c that is getPointer: "pointer" (the
-- default) or another one.
function buffer.new(size, kind)
  if not build() then
    return nil
  end
  local pointer = package.loadlib(library, "buffer_" .. (kind or "pointer"))
  local sizeOf = package.loadlib(library, "buffer_size")
  local next_float = package.loadlib(library, "buffer_next")
  if not (pointer and sizeOf and next_float) then
    return nil
  end
  local data = assert(io.tmpfile()) -- a userdata that is not empty
  data:close()
  debug.setmetatable(data, { __index = { getPointer = pointer, getSize = sizeOf }, size = size })
  return data, next_float
end

function buffer.close()
  if library then
    os.remove(library)
  end
  library = nil
end

return buffer
