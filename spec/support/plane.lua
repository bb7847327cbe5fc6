-- Places in a plane as arguments of calls, in 2D and in 3D.

local plane = {}

-- A vector, whose third number is z or 0.
function plane.vector(dim, x, y, z)
  return dim == 2 and { x, y } or { x, y, z or 0 }
end

-- A rectangle, with a third axis on which it always overlaps.
function plane.rect(dim, x, y, w, h)
  return dim == 2 and { x, y, w, h } or { x, y, -50, w, h, 100 }
end

return plane
