-- The reference for bodies that press on each other, against answers by hand and its definition.

local projection = require("spec.support.projection")
local random = require("spec.support.random")

local function near(expected, got, tolerance)
  assert.is_true(math.abs(expected - got) <= (tolerance or 1e-9),
    expected .. " expected, got " .. got)
end

-- A row along x: each contact is between neighbours.
local function solveRow(masses, speeds)
  local bodies, contacts = {}, {}
  for i, m in ipairs(masses) do
    bodies[i] = { m = m, v = { speeds[i] } }
    contacts[i] = i < #masses and { a = i, b = i + 1, n = { -1 } } or nil
  end
  return projection.solve(bodies, contacts)
end

describe("the projection", function()
  it("gives a row that is pushed the velocity of its mean momentum", function()
    for k = 1, 5 do
      local masses, speeds = { 100 }, { 3 }
      for i = 2, k + 1 do
        masses[i], speeds[i] = 1, 0
      end
      local v, impulses = solveRow(masses, speeds)
      for i = 1, k + 1 do
        near(300 / (100 + k), v[i][1])
      end
      near(300 / (100 + k), impulses[k])
      near(k * 300 / (100 + k), impulses[1])
    end
  end)

  it("pools neighbours as isotonic regression does, and leaves alone what parts", function()
    local v = solveRow({ 1, 3, 1, 1, 2 }, { 5, 1, 1, 7, 4 })
    for i, expected in ipairs({ 9 / 5, 9 / 5, 9 / 5, 5, 5 }) do
      near(expected, v[i][1])
    end
  end)

  it("stops at what does not give way, and takes the velocity of a lift", function()
    near(0, solveRow({ 1, 1, math.huge }, { 2, 0, 0 })[1][1])
    near(-4, solveRow({ 1, 5, math.huge }, { 2, 0, -4 })[2][1])
  end)

  it("lets a ball between two others fall through as their masses say", function()
    -- One ball rests in the notch of two that are free to part, all of mass 1; it is pushed down.
    local s = math.sqrt(0.5)
    local v = projection.solve(
      { { m = 1, v = { 0, 1 } }, { m = 1, v = { 0, 0 } }, { m = 1, v = { 0, 0 } } },
      { { a = 1, b = 2, n = { s, -s } }, { a = 1, b = 3, n = { -s, -s } } })
    -- By symmetry each contact gives j: 1 - 2 s j = vy, and s j s on both axes to the others. The
    -- closing speed s vy - j (s s + s s) = 0, so j = s vy, and vy = 1 - vy.
    near(0.5, v[1][2])
    near(0, v[1][1])
    near(0.25, v[2][2])
    near(-0.25, v[2][1])
  end)

  it("is the nearest: nothing closes, impulses push, and only where contacts stay", function()
    for seed = 1, 40 do
      local rng, bodies, contacts = random.new(seed), {}, {}
      for i = 1, 6 do
        bodies[i] = { m = rng:pick({ 0.5, 1, 1, 4, math.huge }),
          v = { rng:real(-9, 9), rng:real(-9, 9) } }
      end
      bodies[1].m = 1
      for _ = 1, 9 do
        local a, b, angle = rng:int(1, 6), rng:int(1, 6), rng:real(0, 7)
        if a ~= b and (bodies[a].m < math.huge or bodies[b].m < math.huge) then
          contacts[#contacts + 1] = { a = a, b = b, n = { math.cos(angle), math.sin(angle) } }
        end
      end
      local fixed = 0
      -- What does not give way stands still, so that there is a solution.
      for _, body in ipairs(bodies) do
        if body.m == math.huge then
          body.v, fixed = { 0, 0 }, fixed + 1
        end
      end
      local v, impulses = projection.solve(bodies, contacts)
      local before, after, px, qx = 0, 0, 0, 0
      for i, body in ipairs(bodies) do
        if body.m < math.huge then
          before = before + body.m * (body.v[1] ^ 2 + body.v[2] ^ 2)
          after = after + body.m * (v[i][1] ^ 2 + v[i][2] ^ 2)
          px, qx = px + body.m * body.v[1], qx + body.m * v[i][1]
        end
      end
      for i, c in ipairs(contacts) do
        local opening = c.n[1] * (v[c.a][1] - v[c.b][1]) + c.n[2] * (v[c.a][2] - v[c.b][2])
        assert.is_true(opening >= -1e-8 and impulses[i] >= 0)
        near(0, impulses[i] * opening, 1e-6)
      end
      assert.is_true(after <= before + 1e-9)
      near(fixed == 0 and px or qx, qx, 1e-8)
    end
  end)
end)
