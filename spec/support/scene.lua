-- A world seen through a symmetry. A case is written once, in 2D, for boxes {x, y, w, h}, and
-- points and vectors {x, y}. A scene swaps and mirrors the axes of arguments, and those of results
-- back again. So the same case runs for all 8 symmetries of the plane, and in 3D (where every box
-- is a long column along the third axis) for all 48 symmetries of space, on every back end.

local broadside = require("broadside")
local compat = require("spec.support.compat")

local unpack, values = compat.unpack, compat.values

local Scene = {}
Scene.__index = Scene

local scene = { backends = { "brute", "sweep", "grid", "tree", "auto" } }

-- Symmetries -----------------------------------------------------------------------------------

local ORDERS = {
  [2] = { { 1, 2 }, { 2, 1 } },
  [3] = { { 1, 2, 3 }, { 1, 3, 2 }, { 2, 1, 3 }, { 2, 3, 1 }, { 3, 1, 2 }, { 3, 2, 1 } },
}

-- All symmetries for that many axes: { order, sign }, where axis i of the world is axis order[i] of
-- the case, times sign[i].
function scene.symmetries(dim)
  local list = {}
  for _, order in ipairs(ORDERS[dim]) do
    for mirror = 0, 2 ^ dim - 1 do
      local sign = {}
      for i = 1, dim do
        sign[i] = math.floor(mirror / 2 ^ (i - 1)) % 2 == 0 and 1 or -1
      end
      list[#list + 1] = { order = order, sign = sign }
    end
  end
  return list
end

-- The column that a flat box becomes in 3D.
local DEPTH = 1024

-- A vector or a point of the case in the world.
function Scene:vector(v)
  local out = {}
  for i = 1, self.dim do
    out[i] = (v[self.order[i]] or 0) * self.sign[i]
  end
  return out
end

-- A rectangle of the case as flat numbers of the world.
function Scene:rect(r)
  local half = #r / 2
  local lo, size = {}, {}
  for i = 1, self.dim do
    local axis = self.order[i]
    local near = axis <= half and r[axis] or -DEPTH
    local extent = axis <= half and r[half + axis] or 2 * DEPTH
    lo[i] = self.sign[i] > 0 and near or -(near + extent)
    size[i] = extent
  end
  return compat.concat(lo, size)
end

-- The two coordinates, in the case's terms, of a vector of the world.
function Scene:vectorBack(v)
  local out = {}
  for i = 1, self.dim do
    local axis = self.order[i]
    if axis <= 2 then
      out[axis] = v[i] * self.sign[i] + 0 -- this avoids -0
    else
      assert(v[i] == 0, "nothing happens along the third axis")
    end
  end
  return out
end

function Scene:rectBack(flat)
  local out = {}
  for i = 1, self.dim do
    local axis = self.order[i]
    if axis <= 2 then
      local lo, size = flat[i], flat[self.dim + i]
      out[axis] = self.sign[i] > 0 and lo or -(lo + size)
      out[2 + axis] = size
    end
  end
  return out
end

-- The normal at a tie between both axes of the case: the lower axis of the world decides.
function Scene:tie(xNormal, yNormal)
  for i = 1, self.dim do
    if self.order[i] == 1 then
      return xNormal
    elseif self.order[i] == 2 then
      return yNormal
    end
  end
end

-- The world's calls in the case's terms --------------------------------------------------------

-- opts: as for the world, but v = {vx, vy} and oneWay = {nx, ny} are in the case's terms
local function options(self, opts)
  if not opts or not (opts.v or opts.oneWay) then
    return opts
  end
  local given = opts
  opts = {}
  for key, value in pairs(given) do
    opts[key] = value
  end
  opts.oneWay = given.oneWay and self:vector(given.oneWay)
  local v = self:vector(given.v or { 0, 0 })
  opts.v, opts.vx, opts.vy, opts.vz = nil, v[1], v[2], v[3]
  return opts
end

function Scene:insert(r, opts)
  return self.world:insert(values(self:rect(r), options(self, opts)))
end

-- In 3D this is a sphere, which meets columns and spheres as the circle meets boxes and circles.
function Scene:insertCircle(centre, r, opts)
  return self.world:insertCircle(values(self:vector(centre), r, options(self, opts)))
end

-- Converts the corners {x1, y1, ...} of the case to the world, or back. In 2D only.
function Scene:corners(flat, back)
  local out = {}
  for i = 1, #flat, 2 do
    local v = { flat[i], flat[i + 1] }
    v = back and self:vectorBack(v) or self:vector(v)
    out[i], out[i + 1] = v[1], v[2]
  end
  return out
end

function Scene:insertPolygon(flat, opts)
  return self.world:insertPolygon(self:corners(flat), options(self, opts))
end

-- "box"; "circle", centre, r; "polygon", corners
function Scene:getShape(box)
  local got = { box:getShape() }
  if got[1] == "circle" then
    return got[1], self:vectorBack({ unpack(got, 2, 1 + self.dim) }), got[2 + self.dim]
  end
  return got[1], got[2] and self:corners(got[2], true)
end

-- r: a place {x, y}, or a place and a size
function Scene:update(box, r)
  if #r == 4 then
    self.world:update(box, unpack(self:rect(r)))
  else
    self.world:update(box, unpack(self:goal(box, r)))
  end
end

function Scene:getRect(box)
  return self:rectBack({ box:getRect() })
end

function Scene:setVelocity(box, v)
  box:setVelocity(unpack(self:vector(v)))
end

function Scene:getVelocity(box)
  return self:vectorBack({ box:getVelocity() })
end

function Scene:setGravity(v)
  self.world:setGravity(unpack(self:vector(v)))
end

-- other, t, normal
local function sweepBack(self, other, t, ...)
  if other == nil then
    return nil
  end
  return other, t, self:vectorBack({ ... })
end

function Scene:sweep(box, v, filter)
  return sweepBack(self, self.world:sweep(box, values(self:vector(v), filter)))
end

function Scene:sweepRect(r, v, filter)
  local args = compat.concat(self:rect(r), self:vector(v))
  return sweepBack(self, self.world:sweepRect(values(args, filter)))
end

-- box, t, normal, point
function Scene:segmentCast(from, to, filter)
  local args = compat.concat(self:vector(from), self:vector(to))
  local got = { self.world:segmentCast(values(args, filter)) }
  if got[1] == nil then
    return nil
  end
  local dim = self.dim
  return got[1], got[2 + 2 * dim], self:vectorBack({ unpack(got, 2 + dim, 1 + 2 * dim) }),
    self:vectorBack({ unpack(got, 2, 1 + dim) })
end

function Scene:querySegment(from, to, filter)
  local args = compat.concat(self:vector(from), self:vector(to))
  return (self.world:querySegment(values(args, filter)))
end

function Scene:querySweep(box, v, filter)
  return (self.world:querySweep(box, values(self:vector(v), filter)))
end

function Scene:queryRect(r, filter)
  return (self.world:queryRect(values(self:rect(r), filter)))
end

function Scene:queryPoint(p, filter)
  return (self.world:queryPoint(values(self:vector(p), filter)))
end

function Scene:queryCircle(p, r, filter)
  return (self.world:queryCircle(values(self:vector(p), r, filter)))
end

-- In 2D only.
function Scene:queryPolygon(flat, filter)
  return (self.world:queryPolygon(self:corners(flat), filter))
end

function Scene:queryBox(box, filter)
  return (self.world:queryBox(box, filter))
end

function Scene:nearest(p, k, filter, maxDistance)
  return (self.world:nearest(values(self:vector(p), k, filter, maxDistance)))
end

-- {dx, dy}, n
function Scene:resolve(box, filter)
  local got = { self.world:resolve(box, filter) }
  return self:vectorBack({ unpack(got, 1, self.dim) }), got[self.dim + 1]
end

-- The place in the world for a box whose place in the case is {x, y}. Along the third axis the box
-- stays where it is.
function Scene:goal(box, p)
  local old, present = self:getRect(box), { box:getRect() }
  local place = { unpack(self:rect({ p[1], p[2], old[3], old[4] }), 1, self.dim) }
  for i = 1, self.dim do
    place[i] = self.order[i] <= 2 and place[i] or present[i]
  end
  return place
end

-- The place {x, y} in the case for a box at that place of the world.
function Scene:placeBack(box, lo)
  local flat = { box:getRect() }
  for axis = 1, self.dim do
    flat[axis] = lo[axis]
  end
  return { unpack(self:rectBack(flat), 1, 2) }
end

-- Converts rows of the world to the case's terms, with `place` and `normal` instead of numbers. The
-- places are those of `box`, or, without it, of the row's box.
function Scene:rowsBack(rows, box)
  local list = {}
  for i, row in ipairs(rows) do
    list[i] = {
      other = row.other, response = row.response, t = row.t, overlap = row.overlap,
      crushed = row.crushed, carried = row.carried,
      place = self:placeBack(box or row.other, { row.x, row.y, row.z }),
      normal = row.nx and self:vectorBack({ row.nx, row.ny, row.nz }),
    }
  end
  return list
end

-- place, rows; method: "move" or "check"
function Scene:move(box, goal, filter, method)
  method = method or "move"
  local got = { self.world[method](self.world, box, values(self:goal(box, goal), filter)) }
  local rows, n = got[self.dim + 1], got[self.dim + 2]
  assert(#rows == n, "as many rows as are counted")
  return self:placeBack(box, got), self:rowsBack(rows, box)
end

function Scene:check(box, goal, filter)
  return self:move(box, goal, filter, "check")
end

-- rows; the box is at its goal
function Scene:push(box, goal, filter)
  local got = { self.world:push(box, values(self:goal(box, goal), filter)) }
  local rows, n = got[self.dim + 1], got[self.dim + 2]
  assert(#rows == n, "as many rows as are counted")
  for axis, value in ipairs({ unpack(self:goal(box, goal), 1, self.dim) }) do
    assert(got[axis] == value and select(axis, box:getRect()) == value, "it is at its goal")
  end
  return self:rowsBack(rows)
end

function Scene:touching(box, d, filter)
  return self.world:touching(box, values(self:vector(d), filter))
end

-- bool, other; r: a place {x, y}, or a place and a size
function Scene:canFit(box, r, filter)
  local place = r[3] and self:rect(r) or self:goal(box, r)
  if not r[3] then
    place = compat.concat(place, { unpack({ box:getRect() }, 1 + self.dim) })
  end
  return self.world:canFit(box, values(place, filter))
end

-- The hits of the last step, as a list of { box, other, response, t, normal }.
function Scene:hits()
  local list = {}
  for box, other, response, t, nx, ny, nz in self.world:hits() do
    list[#list + 1] = { box, other, response, t, self:vectorBack({ nx, ny, nz }) }
  end
  return list
end

-- The pairs as a list of { a, b }.
function Scene:pairs()
  local list = {}
  for a, b in self.world:pairs() do
    list[#list + 1] = { a, b }
  end
  return list
end

-- Running a case -------------------------------------------------------------------------------

function scene.new(dim, backend, symmetry, opts)
  local worldOpts = { dim = dim, backend = backend }
  for key, value in pairs(opts or {}) do
    worldOpts[key] = value
  end
  return setmetatable({
    dim = dim,
    backend = backend,
    order = symmetry.order,
    sign = symmetry.sign,
    world = broadside.newWorld(worldOpts),
  }, Scene)
end

-- Runs `case(scene)` for every symmetry of that many axes and every back end; the message of a
-- failure says which. If BROADSIDE_ROUNDS is below 1, only that share of the symmetries runs,
-- evenly spread.
function scene.eachOf(dim, case, opts)
  local symmetries = scene.symmetries(dim)
  local count = compat.share(#symmetries)
  for i = 1, count do
    local symmetry = symmetries[1 + math.floor((i - 1) * #symmetries / count)]
    for _, backend in ipairs(scene.backends) do
      local ok, message = pcall(case, scene.new(dim, backend, symmetry, opts))
      if not ok then
        error(("%dD, %s, axes %s, signs %s: %s"):format(dim, backend,
          table.concat(symmetry.order, " "), table.concat(symmetry.sign, " "),
          tostring(message)), 0)
      end
    end
  end
end

-- The same for every number of axes.
function scene.each(case, opts)
  scene.eachOf(2, case, opts)
  scene.eachOf(3, case, opts)
end

-- Runs `case(scene)` on every back end in 2D and 3D, without swapping or mirroring axes.
function scene.eachBackend(case, opts)
  for dim = 2, 3 do
    for _, backend in ipairs(scene.backends) do
      local ok, message = pcall(case, scene.new(dim, backend, scene.symmetries(dim)[1], opts))
      if not ok then
        error(("%dD, %s: %s"):format(dim, backend, tostring(message)), 0)
      end
    end
  end
end

return scene
