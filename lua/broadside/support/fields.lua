-- for name, value in fields(t): the fields of a table, in any order, without metamethods.
--
-- LuaJIT's compiler makes loops over `next` and `pairs` that skip or repeat fields, never end, or
-- crash (its issues 744, 827 and 1510; it is so in all versions since 2021). This function is not
-- compiled, and so no loop that calls it is. No other file uses `next` or `pairs`.

local function following(t, name)
  return next(t, name)
end

local jit = rawget(_G, "jit")
if jit then jit.off(following) end

return function(t)
  return following, t
end
