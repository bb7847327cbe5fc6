-- The debug library brings scripts to what worlds and pools keep in Lua. What they do there is not
-- supported, but it may not crash: a call works, or raises an error.

local broadside = require("broadside")

local getStore = debug.getuservalue or debug.getfenv
local setStore = debug.setuservalue or debug.setfenv

local function world()
  local w = broadside.newWorld({ backend = "tree" })
  for i = 1, 12 do
    w:insert(i, 0, 2, 2, { data = "box " .. i })
  end
  local nextPair, pairsCursor = w:pairs()
  nextPair(pairsCursor)
  local nextContact, contactsCursor = w:contacts()
  select(2, nextContact(contactsCursor)):remove()
  return w, getStore(w)
end

local function carrier()
  return broadside.newModel({ emitters = { { model = broadside.newModel({ speed = 1 }) } } })
end

local function pool()
  local p = broadside.newPool({ capacity = 100 })
  for i = 1, 5 do
    p:spawn(i, 0, 1, 0, { model = carrier() })
  end
  p:step(1)
  local nextMover, movers = p:each()
  nextMover(movers)
  return p, getStore(p)
end

local worldCalls = {
  function(w)
    for _, box in ipairs(w:queryRect(0, 0, 100, 100)) do
      box:getData()
    end
  end,
  function(w)
    for a, b in w:pairs() do
      w:has(a)
      b:getId()
    end
  end,
  function(w)
    for box in w:boxes() do
      box:setRect(box:getRect())
    end
  end,
  function(w)
    for _, a, b in w:contacts() do
      w:has(a)
      b:isRemoved()
    end
  end,
  function(w)
    w:eachPair(function() end)
  end,
  function(w)
    w:queryRect(0, 0, 100, 100, function(box)
      return box:getId() > 0
    end)
  end,
  function(w)
    w:segmentCast(-5, 1, 30, 1)
  end,
  function(w)
    w:insert(50, 50, 1, 1, { data = 1 }):remove()
  end,
  function(w)
    w:insertMany({ 60, 60, 1, 1, 61, 61, 1, 1 })
  end,
  function(w)
    w:collectPairs({})
  end,
  function(w)
    w:getBackend():stats()
  end,
  function(w)
    w:setBackend("grid")
  end,
  function(w)
    w:debugRects()
  end,
  function(w)
    local box = w:queryRect(0, 0, 100, 100)[1]
    if box then
      box:setData("new")
      box:remove()
    end
  end,
  function(w)
    w:clear()
  end,
}

local function noop() end

local poolCalls = {
  function(p, w)
    p:hits(w, noop)
  end,
  function(p, w)
    for id in p:hits(w) do
      p:isAlive(id)
    end
  end,
  function(p)
    for id in p:each() do
      p:isAlive(id)
    end
  end,
  function(p)
    p:spawn(0, 0, 1, 1, { model = carrier() })
  end,
  function(p)
    p:newEmitter({ x = 1, y = 2, model = carrier() })
  end,
  function(p)
    p:step(1)
  end,
  function(p)
    p:collect()
  end,
  function(p)
    p:clear()
  end,
}

-- What stands in the place of what was there. No userdata of ours: that would be taken for it.
local replacements = { "nil", 42, "text", {}, io.stdout, type }

-- An empty table in the place of a metatable would keep finalisers from being called, for good.
local function isMetatable(value)
  return type(value) == "table" and value.__gc ~= nil
end

-- Makes all calls on a new thing for each key of its store and each replacement.
local function damageAll(make, calls, extra)
  for _, call in ipairs(calls) do
    call(make(), extra) -- works where nothing is damaged
  end
  local _, store = make()
  local keys = {}
  for key in pairs(store) do
    keys[#keys + 1] = key
  end
  assert.is_true(#keys > 0)
  local errors = {}
  for _, key in ipairs(keys) do
    for _, value in ipairs(replacements) do
      for _, call in ipairs(calls) do
        local thing, damaged = make()
        if type(value) ~= "table" or not isMetatable(damaged[key]) then
          damaged[key] = value ~= "nil" and value or nil
        end
        for _ = 1, 2 do
          local ok, message = pcall(call, thing, extra)
          if not ok then
            assert.is_string(message)
            errors[message:gsub("^.-: ", "")] = true
          end
        end
      end
    end
  end
  collectgarbage()
  return errors
end

describe("what a script has damaged through the debug library", function()
  it("is an error at worst, in worlds", function()
    local errors = damageAll(world, worldCalls)
    assert.is_true(errors["the store is damaged"])
  end)

  it("is an error at worst, in pools", function()
    local w = broadside.newWorld()
    w:insert(-10, -10, 50, 50)
    local errors = damageAll(pool, poolCalls, w)
    assert.is_true(errors["the store is damaged"])
  end)

  -- Things that know a store, made anew for each call.
  local function loops(w, p)
    local list = { { w:pairs() }, { w:boxes() }, { w:contacts() }, { p:each() }, { p:hits(w) } }
    list[#list + 1] = { p:hitsRect(-10, -10, 50, 50) }
    return list
  end

  local function useAll(w, p, box, emitter)
    for _, calls in ipairs({ worldCalls, poolCalls }) do
      for _, call in ipairs(calls) do
        pcall(call, calls == worldCalls and w or p, w)
      end
    end
    for _, method in ipairs({ "getData", "setData", "getWorld", "isRemoved", "remove" }) do
      assert.is_function(box[method])
      pcall(box[method], box, 1)
    end
    for _, method in ipairs({ "getCount", "isActive", "stop" }) do
      assert.is_function(emitter[method])
      pcall(emitter[method], emitter)
    end
  end

  it("is an error at worst, where things have lost their stores", function()
    local failed = 0
    for _, value in ipairs(replacements) do
      value = value ~= "nil" and value or nil
      for i = 1, 6 do
        local w, p = world(), pool()
        local loop = loops(w, p)[i]
        if pcall(setStore, loop[2], value) then
          failed = failed + (pcall(loop[1], loop[2]) and 0 or 1)
        end
      end
      for i = 1, 5 do
        local w, p = world(), pool()
        local box, emitter = w:queryRect(0, 0, 9, 9)[1], p:newEmitter({ x = 0, y = 0 })
        if pcall(setStore, ({ w, p, box, emitter, w:getBackend() })[i], value) then
          useAll(w, p, box, emitter)
        end
      end
    end
    collectgarbage()
    assert.is_true(failed > 0)
  end)

  it("is an error at worst, where a loop over hits has lost the world's", function()
    for _, value in ipairs(replacements) do
      local w, p = world(), pool()
      local nextHit, hits = p:hits(w)
      local stores = getStore(hits)
      assert.equal(getStore(w), stores[2])
      stores[2] = value ~= "nil" and value or nil
      local ok, message = pcall(nextHit, hits)
      if type(value) ~= "table" then
        assert.is_false(ok)
        assert.equal("the store is damaged", message)
      end
    end
  end)

  it("is an error at worst, where metatables are gone from the registry", function()
    local registry = debug.getregistry()
    local names, seen = {}, 0
    for key, value in pairs(registry) do
      if type(key) == "string" and key:find("^broadside") and isMetatable(value) then
        names[#names + 1] = key
      end
    end
    for _, key in ipairs(names) do
      local value = registry[key]
      registry[key] = 42
      local ok, message = pcall(function()
        return broadside.newWorld(), broadside.newPool({ capacity = 10 })
      end)
      registry[key] = value
      seen = seen + (not ok and message:find("the registry is damaged", 1, true) and 1 or 0)
    end
    collectgarbage()
    assert.is_true(seen > 0)
  end)
end)
