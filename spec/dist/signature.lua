-- Usage: lua5.4 signature.lua LIBRARY
-- Checks the signature of the ARM64 part of a library for macOS. It must exist, must be "ad hoc"
-- (without a signer), and must have the right hash for each page. Otherwise no Mac would run the
-- library.

local ARM64, CODE_SIGNATURE = 0x0100000c, 0x1d
local EMBEDDED, DIRECTORY, AD_HOC, SHA256 = 0xfade0cc0, 0xfade0c02, 2, 2

local function read(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read("a")
  file:close()
  return bytes
end

-- The part for ARM64, and the alignment of its start in bytes.
local function part(bytes)
  local magic, count = string.unpack(">I4I4", bytes)
  assert(magic == 0xcafebabe, "no file for several processors")
  for i = 0, count - 1 do
    local processor, _, offset, size, align = string.unpack(">I4I4I4I4I4", bytes, 9 + 20 * i)
    if processor == ARM64 then
      assert(align >= 14 and offset % (1 << 14) == 0, "it does not begin on a page of 16 KiB")
      return bytes:sub(offset + 1, offset + size)
    end
  end
  error("nothing for ARM64")
end

local function signature(library)
  local count, at = string.unpack("<I4", library, 17), 33
  for _ = 1, count do
    local command, size, offset, length = string.unpack("<I4I4I4I4", library, at)
    if command == CODE_SIGNATURE then
      assert(offset + length == #library, "it does not end with its signature")
      return library:sub(offset + 1, offset + length), offset
    end
    at = at + size
  end
  error("not signed")
end

local function directory(blob)
  local magic, _, count = string.unpack(">I4I4I4", blob)
  assert(magic == EMBEDDED, "another kind of signature")
  for i = 0, count - 1 do
    local _, offset = string.unpack(">I4I4", blob, 13 + 8 * i)
    if string.unpack(">I4", blob, offset + 1) == DIRECTORY then
      return blob:sub(offset + 1)
    end
  end
  error("no hashes in the signature")
end

-- The SHA-256 hashes of all blocks of `size` bytes, by sha256sum.
local function hashes(bytes, size)
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
  local pipe = io.popen(("split -b %d --filter=sha256sum %s"):format(size, path))
  local found = {}
  for line in pipe:lines() do
    found[#found + 1] = line:match("^%x+")
  end
  pipe:close()
  os.remove(path)
  return found
end

local library = part(read(arg[1]))
local blob, signed = signature(library)
local code = directory(blob)
local flags, first, _, _, slots, limit = string.unpack(">I4I4I4I4I4I4", code, 13)
local length, kind, _, page = string.unpack("BBBB", code, 37)
assert(flags & AD_HOC ~= 0 and kind == SHA256 and length == 32, "not signed ad hoc, by SHA-256")
assert(limit == signed, "not all of it is signed")
local expected = hashes(library:sub(1, limit), 1 << page)
assert(#expected == slots, "so many pages are not signed")
for i, hash in ipairs(expected) do
  local written = code:sub(first + 32 * (i - 1) + 1, first + 32 * i)
  assert(written:gsub(".", function(c) return ("%02x"):format(c:byte()) end) == hash, "page " .. i)
end
