-- Hand-made cases of move, check and moveMany, in every symmetry and on every back end.

local compat = require("spec.support.compat")
local scene = require("spec.support.scene")

-- Rows as expected: what a row is not given is not compared.
local function expectRows(expected, rows)
  assert.equal(#expected, #rows)
  for i, row in ipairs(expected) do
    for key, value in pairs(row) do
      assert.same(value, rows[i][key], key)
    end
  end
end

describe("a one-way box", function()
  -- The box rises through it, is stopped or turned on the way, and is within it then.
  it("that is entered from below is not met, whatever else is met within it", function()
    scene.each(function(s)
      s:insert({ 0, 10, 20, 4 }, { static = true, oneWay = { 0, -1 } })
      local wall = s:insert({ 20, -50, 5, 100 }, { static = true })
      local mover = s:insert({ 10, 15, 4, 4 })
      local place, rows = s:move(mover, { 18, 5 })
      assert.same({ 16, 5 }, place)
      expectRows({ { other = wall, t = 0.75, normal = { -1, 0 } } }, rows)
    end)
  end)

  it("that is entered from below lets what a ceiling turns round out again", function()
    scene.each(function(s)
      s:insert({ 0, 10, 20, 4 }, { static = true, oneWay = { 0, -1 } })
      local ceiling = s:insert({ 0, 0, 20, 7 }, { static = true })
      local mover = s:insert({ 5, 20, 4, 4 })
      local place, rows = s:move(mover, { 5, 0 }, { bounce = 1 })
      assert.same({ 5, 14 }, place)
      expectRows({ { other = ceiling, t = 0.65, place = { 5, 7 } } }, rows)
    end)
  end)
end)

describe("huge and tiny numbers", function()
  it("beyond which no double is are no place to bounce to", function()
    scene.each(function(s)
      local mover = s:insert({ -1.7e308, 0, 1, 1 })
      local wall = s:insert({ -1e308, 0, 1e307, 1 }, { static = true })
      local place, rows = s:move(mover, { -5e306, 0 }, { bounce = 1 })
      assert.same({ -1e308, 0 }, place)
      expectRows({ { other = wall, response = "bounce", normal = { -1, 0 } } }, rows)
    end)
  end)

  -- The contact is so late that its time is rounded to 1, where there is none any more.
  it("that leave no time for a contact send the box back on its way, nowhere else", function()
    scene.each(function(s)
      s:insert({ -6, -5, 16, 4.75 }, { static = true }) -- not level with it
      local met = s:insert({ 0, 0.75, 10, 10 }, { static = true })
      local mover = s:insert({ 2 ^ 80, 0, 1, 1 })
      local place, rows = s:move(mover, { 3, 0 })
      assert.same({ 10, 0 }, place)
      expectRows({ { other = met, t = 1, normal = { 1, 0 }, place = { 10, 0 } } }, rows)
      s:update(mover, { -2 ^ 80, 0 })
      assert.same({ -1, 0 }, (s:move(mover, { 3, 0 })))
    end)
  end)
end)

describe("moveMany", function()
  -- The second way begins where the first one ended.
  it("refuses a way that is too long only from where the box has come to", function()
    scene.eachBackend(function(s)
      local mover = s:insert({ 0, 0, 1, 1 })
      local other = s:insert({ 9, 9, 1, 1 })
      local goals = {}
      for i, goal in ipairs({ { 5, 5 }, { 1.7e308, 0 }, { -1.7e308, 0 } }) do
        goals = compat.concat(goals, s:goal(i == 1 and other or mover, goal))
      end
      local ok, message = pcall(s.world.moveMany, s.world, { other, mover, mover }, goals)
      assert.is_false(ok)
      assert.matches("bad argument #2 to 'moveMany' %(item " .. 2 * s.dim + 1
        .. ": finite way expected, got one from 1.7e%+308 to %-1.7e%+308%)", message)
      assert.same({ 0, 0, 1, 1 }, s:getRect(mover))
      assert.same({ 9, 9, 1, 1 }, s:getRect(other))
    end)
  end)
end)
