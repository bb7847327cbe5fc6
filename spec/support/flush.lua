-- Whether a box or a point is flush with a face: by what has to be true, as the place itself
-- depends on how its sides are rounded.

local compat = require("spec.support.compat")

local flush = {}

-- Whether a box with that centre and size is on the outer side of a face. sign is that of the
-- face's normal.
local function isOutside(centre, size, face, sign)
  local low = centre - size / 2
  if sign > 0 then
    return low >= face
  end
  return low + size <= face
end

-- Whether it is flush: outside, and half its size off the face; if that is not outside, a few units
-- in the last place farther. box is a shape of the oracle. A point is on the face.
function flush.isFlush(centre, size, box, axis, sign)
  local face = sign < 0 and box.lo[axis] or box.hi[axis]
  local plain = face + sign * (size / 2)
  if isOutside(plain, size, face, sign) then
    return centre == plain
  end
  local ulp = 2 ^ -52 * (math.abs(face) + size) + compat.minDouble
  return isOutside(centre, size, face, sign) and math.abs(centre - plain) <= 2 * ulp
end

-- The axis of a normal and its sign; nil if it is 0.
function flush.axisOf(normal)
  local axis, sign
  for i, n in ipairs(normal) do
    if n ~= 0 then
      assert(axis == nil and math.abs(n) == 1, "the normal lies along an axis")
      axis, sign = i, n
    end
  end
  return axis, sign
end

-- A coordinate of the centre on another axis: beside the face, and no farther.
function flush.beside(centre, size, box, axis)
  return math.max(box.lo[axis] - size / 2, math.min(centre, box.hi[axis] + size / 2))
end

return flush
