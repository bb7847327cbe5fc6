-- Whether a box or a point is flush with a face: by what has to be true, as the place itself
-- depends on how its sides are rounded.

local compat = require("spec.support.compat")

local flush = {}

local function faceOf(box, axis, sign)
  return sign < 0 and box.lo[axis] or box.hi[axis]
end

-- Whether a box with that centre and size is on the outer side of a face of box. sign is that of
-- the face's normal.
function flush.isOutside(centre, size, box, axis, sign)
  local low, face = centre - size / 2, faceOf(box, axis, sign)
  if sign > 0 then
    return low >= face
  end
  return low + size <= face
end

-- Whether it is flush: outside, and half its size off the face; if that is not outside, a few units
-- in the last place farther. box is a shape of the oracle. A point is on the face.
function flush.isFlush(centre, size, box, axis, sign)
  local face = faceOf(box, axis, sign)
  local plain = face + sign * (size / 2)
  if flush.isOutside(plain, size, box, axis, sign) then
    return centre == plain
  end
  local ulp = 2 ^ -52 * (math.abs(face) + size) + compat.minDouble
  return flush.isOutside(centre, size, box, axis, sign) and math.abs(centre - plain) <= 2 * ulp
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
