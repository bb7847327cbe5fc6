-- Shots that fly through a world. They have the calls of a pool of broadside's, but are rows of a
-- list, so that a snapshot of them is a copy of the rows.

local shots = {}

-- Of a row: from is where it was before the last step, life and timer are steps until it ends and
-- until its model's emitter fires. What has ended stays until the next step, as it may have hit.
local FIELDS = { "model", "id", "x", "y", "vx", "vy", "fromX", "fromY", "life", "timer",
  "hasEnded" }

local Pool = {}
Pool.__index = Pool

local Snapshot = {}
Snapshot.__index = Snapshot

-- options: capacity, bounds = {x, y, w, h}. Shots wholly outside of the bounds end.
function shots.newPool(options)
  return setmetatable({
    capacity = options.capacity, bounds = options.bounds,
    rows = {}, n = 0, -- the oldest first; rows beyond n are used again
    emitters = {},
    spawned = 0,
  }, Pool)
end

-- options.model: tag, mask, w, h, ax, ay, life, emitter = {delay =, cycle =, model =}. Returns the
-- id.
function Pool:spawn(x, y, vx, vy, options)
  if self.n == self.capacity then
    return nil
  end
  self.n, self.spawned = self.n + 1, self.spawned + 1
  local row, model = self.rows[self.n] or {}, options.model
  row.model, row.id, row.hasEnded = model, self.spawned, false
  row.x, row.y, row.vx, row.vy, row.fromX, row.fromY = x, y, vx, vy, x, y
  row.life, row.timer = model.life or 0, model.emitter and model.emitter.delay or 0
  self.rows[self.n] = row
  return row.id
end

function Pool:find(id)
  for i = 1, self.n do
    if self.rows[i].id == id then
      return self.rows[i]
    end
  end
end

function Pool:get(id)
  local row = self:find(id)
  return row.x, row.y, row.vx, row.vy
end

function Pool:getTag(id)
  return self:find(id).model.tag
end

function Pool:free(id)
  self:find(id).hasEnded = true
end

function Pool:stats()
  return { spawned = self.spawned }
end

-- Goes through id, x, y of those that are there, the oldest first.
function Pool:each()
  local i = 0
  return function()
    repeat
      i = i + 1
    until i > self.n or not self.rows[i].hasEnded
    if i <= self.n then
      return self.rows[i].id, self.rows[i].x, self.rows[i].y
    end
  end
end

-- options: x, y, speed (to the right), delay, cycle (steps), model.
function Pool:newEmitter(options)
  table.insert(self.emitters, { timer = options.delay, options = options })
end

function Pool:sweepOut()
  local kept = 0
  for i = 1, self.n do
    local row = self.rows[i]
    if not row.hasEnded then
      kept = kept + 1
      self.rows[i], self.rows[kept] = self.rows[kept], row
    end
  end
  self.n = kept
end

function Pool:fire()
  for _, emitter in ipairs(self.emitters) do
    emitter.timer = emitter.timer - 1
    if emitter.timer == 0 then
      local options = emitter.options
      emitter.timer = options.cycle
      self:spawn(options.x, options.y, options.speed, 0, options)
    end
  end
  for i = 1, self.n do
    local row = self.rows[i]
    row.timer = row.timer - 1
    if row.timer == 0 then
      row.timer = row.model.emitter.cycle
      self:spawn(row.x, row.y, 0, 0, row.model.emitter)
    end
  end
end

function Pool:step()
  self:sweepOut()
  self:fire()
  local left, top, w, h = self.bounds[1], self.bounds[2], self.bounds[3], self.bounds[4]
  for i = 1, self.n do
    local row = self.rows[i]
    local model = row.model
    row.vx, row.vy = row.vx + (model.ax or 0), row.vy + (model.ay or 0)
    row.fromX, row.fromY = row.x, row.y
    row.x, row.y = row.x + row.vx, row.y + row.vy
    row.life = row.life - 1
    local halfW, halfH = (model.w or 0) / 2, (model.h or 0) / 2
    row.hasEnded = row.life == 0 or row.x + halfW <= left or row.x - halfW >= left + w
      or row.y + halfH <= top or row.y - halfH >= top + h
  end
end

-- Goes through id, data of the box, t, x, y: the first hit of each in its last step.
function Pool:hits(world)
  local i, n = 0, self.n
  return function()
    while i < n do
      i = i + 1
      local row = self.rows[i]
      local model, dx, dy = row.model, row.x - row.fromX, row.y - row.fromY
      local other, t
      if model.mask ~= 0 then
        other, t = world:sweepRect(row.fromX - model.w / 2, row.fromY - model.h / 2, model.w,
          model.h, dx, dy, model.mask)
      end
      if other then
        return row.id, other, t, row.fromX + dx * t, row.fromY + dy * t
      end
    end
  end
end

-- snapshots ---------------------------------------------------------------------------------------

local function copyRows(from, to, n)
  for i = 1, n do
    local row, copy = from[i], to[i] or {}
    for k = 1, #FIELDS do
      copy[FIELDS[k]] = row[FIELDS[k]]
    end
    to[i] = copy
  end
end

-- reuse: a snapshot that is written over; then no garbage is made.
function Pool:snapshot(reuse)
  local snapshot = reuse or setmetatable({ rows = {}, timers = {} }, Snapshot)
  copyRows(self.rows, snapshot.rows, self.n)
  snapshot.n, snapshot.spawned = self.n, self.spawned
  for i = 1, #self.emitters do
    snapshot.timers[i] = self.emitters[i].timer
  end
  return snapshot
end

function Pool:restore(snapshot)
  copyRows(snapshot.rows, self.rows, snapshot.n)
  self.n, self.spawned = snapshot.n, snapshot.spawned
  for i = 1, #self.emitters do
    self.emitters[i].timer = snapshot.timers[i]
  end
end

-- All that the snapshot holds, as one word.
function Snapshot:getHash()
  local texts = { self.n, self.spawned, table.concat(self.timers, "/") }
  for i = 1, self.n do
    local row = self.rows[i]
    table.insert(texts, ("%d/%d/%.17g/%.17g/%.17g/%.17g/%d/%d/%s"):format(row.id, row.model.tag,
      row.x, row.y, row.vx, row.vy, row.life, row.timer, tostring(row.hasEnded)))
  end
  return table.concat(texts, "/")
end

return shots
