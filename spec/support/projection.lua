-- What is pressed together is solved as one (Moreau): of all velocities with which no contact
-- closes, bodies take those nearest to their own, measured by mass. That is a projection onto a
-- convex cone, which Hildreth's method finds by plain loops: again and again each contact that
-- closes gets the impulse that opens it, and one that has more than it needs gives that back.

local projection = {}

local MOST = 1000000 -- rounds

local function inverse(body)
  return body.m == math.huge and 0 or 1 / body.m
end

local function closing(contact, bodies)
  local a, b, u = bodies[contact.a], bodies[contact.b], 0
  for axis, n in ipairs(contact.n) do
    u = u - n * (a.v[axis] - b.v[axis])
  end
  return u
end

local function push(body, n, impulse)
  for axis = 1, #n do
    body.v[axis] = body.v[axis] + inverse(body) * impulse * n[axis]
  end
end

-- bodies: a list of { m = mass, v = velocity }, where a mass of math.huge gives way to nothing.
-- contacts: a list of { a, b = indices of bodies, n = the unit normal, from b to a }.
-- Returns the velocities and the impulses of the contacts. They are exact to `tolerance` times the
-- largest of the given velocities.
function projection.solve(bodies, contacts, tolerance)
  local out, impulses, largest = {}, {}, 0
  for i, body in ipairs(bodies) do
    out[i] = { m = body.m, v = {} }
    for axis, v in ipairs(body.v) do
      out[i].v[axis], largest = v, math.max(largest, math.abs(v))
    end
  end
  local rounds, change = 0, math.huge
  while change > (tolerance or 1e-12) * largest do
    rounds, change = rounds + 1, 0
    assert(rounds <= MOST, "the projection does not converge")
    for i, c in ipairs(contacts) do
      local w = inverse(out[c.a]) + inverse(out[c.b])
      local before = impulses[i] or 0
      impulses[i] = w > 0 and math.max(0, before + closing(c, out) / w) or 0
      push(out[c.a], c.n, impulses[i] - before)
      push(out[c.b], c.n, before - impulses[i])
      change = math.max(change, math.abs(impulses[i] - before) * w)
    end
  end
  local velocities = {}
  for i, body in ipairs(out) do
    velocities[i] = body.v
  end
  return velocities, impulses
end

return projection
