-- A stand-in for LÖVE with the functions that the examples call. It draws nothing, but counts the
-- calls. Numbers that are not finite, or far outside the window, are errors.

local standin = {}

local function checkNumbers(name, ...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if type(value) == "number" and not (value == value and math.abs(value) < 1e6) then
      error(("love.graphics.%s gets %s"):format(name, tostring(value)), 3)
    end
  end
end

-- An object with every method. A method returns the number in `answers`, so that the example can go
-- on.
local function newObject(answers)
  return setmetatable({}, { __index = function(_, name)
    return function() return answers and answers[name] end
  end })
end

local RESULTS = {
  getShader = {},
  getColor = { 1, 1, 1, 1 },
  getLineWidth = { 1 },
  getLineStyle = { "smooth" },
}

-- drawn[name] is the number of calls of love.graphics.name.
local function newGraphics(drawn)
  local font = { getWidth = 10, getHeight = 10 }
  local graphics = {
    transformPoint = function(x, y) return x, y end,
    newFont = function()
      local object = newObject(font)
      object.getWrap = function() return 100, { "one line" } end
      return object
    end,
    newMesh = newObject,
    newShader = newObject,
    newImage = function() return newObject() end,
  }
  return setmetatable(graphics, { __index = function(_, name)
    return function(...)
      checkNumbers(name, ...)
      drawn[name] = (drawn[name] or 0) + 1
      local result = RESULTS[name]
      if result then
        return result[1], result[2], result[3], result[4]
      end
    end
  end })
end

-- newData(size) takes the place of love.data.newByteData. Without it, pools and worlds write
-- nothing, because their methods only take a Data that has memory.
function standin.new(newData)
  local drawn = {}
  return {
    drawn = drawn,
    graphics = newGraphics(drawn),
    image = { newImageData = function()
      return newObject()
    end },
    data = { newByteData = newData or newObject },
    window = newObject(),
    filesystem = {
      write = function(_, text)
        drawn.written = text
        return true
      end,
      read = function() return drawn.written end,
      getSaveDirectory = function() return "saved" end,
    },
    mouse = {},
    keyboard = {},
    timer = { getTime = os.clock },
    event = { quit = function()
      drawn.quit = true
    end },
  }
end

return standin
