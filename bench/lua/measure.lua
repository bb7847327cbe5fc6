--- measure.lua: times subjects side by side, and counts the garbage that they make.
--
-- Subjects take turns in short chunks, in an order that changes, and all get the same work. The
-- result is the median of processor time. The collector is stopped while time is measured, which
-- favours subjects that make garbage. Garbage is measured separately.

local measure = {}

local LEAST, MOST = 3, 11 -- chunks of each subject

--- A function that returns a number from low to high, the same ones in each run.
function measure.newRandom()
  local state = 7
  return function(low, high)
    state = state * 48271 % 2147483647
    return low + (high - low) * (state / 2147483647)
  end
end

function measure.median(list)
  if #list == 0 then
    return nil
  end
  local sorted = {}
  for i, x in ipairs(list) do
    sorted[i] = x
  end
  table.sort(sorted)
  local half = math.floor((#sorted + 1) / 2)
  return (sorted[half] + sorted[#sorted + 1 - half]) / 2
end

--- The median of the ratios of a's times to b's, chunk by chunk.
function measure.ratio(a, b)
  local ratios = {}
  for i = 1, math.min(#a, #b) do
    ratios[i] = a[i] / b[i]
  end
  return measure.median(ratios)
end

--- A number with at least three significant digits, or a dash for nil.
function measure.number(x)
  return not x and "-" or ("%." .. (x >= 100 and 0 or x >= 10 and 1 or 2) .. "f"):format(x)
end

--- Prints a row of a table in Markdown.
function measure.row(cells)
  print("| " .. table.concat(cells, " | ") .. " |")
end

-- Seconds per turn, and bytes allocated per turn, of f(1) ... f(n).
local function time(f, n)
  collectgarbage("collect")
  collectgarbage("stop")
  local before = collectgarbage("count")
  local start = os.clock()
  for i = 1, n do
    f(i)
  end
  local spent = os.clock() - start
  local bytes = (collectgarbage("count") - before) * 1024
  collectgarbage("restart")
  return spent / n, bytes / n, spent
end

--- Runs the contestants in chunks of `turns`, until each has had `seconds` or enough chunks. A
-- contestant has play(i), and gets `times` (seconds per turn, chunk by chunk) and `garbage`: bytes
-- per turn in the chunk with the least, when the compiler has finished. `prepare(number)` is
-- called before each chunk, `check(contestant)` after each chunk of a contestant.
function measure.run(contestants, turns, seconds, prepare, check)
  for _, c in ipairs(contestants) do
    c.times, c.garbage, c.spent = {}, math.huge, 0
  end
  local number, running = 0, #contestants
  while running > 0 do
    running = 0
    prepare(number)
    for k = 0, #contestants - 1 do
      local c = contestants[(k + number) % #contestants + 1]
      if #c.times < LEAST or c.spent < seconds and #c.times < MOST then
        running = running + 1
        c.play(0)
        local each, bytes, spent = time(c.play, turns)
        c.spent = c.spent + spent
        if number > 0 then
          c.times[#c.times + 1] = each
          c.garbage = math.min(c.garbage, bytes)
        end
        check(c)
      end
    end
    number = number + 1
  end
end

-- Reads lines of: what, tab, figure. Of several figures the least counts.
local function readRun(path, order, rows)
  for line in io.lines(path) do
    local what, figure = line:match("^(.-)\t(.*)$")
    if what then
      if not rows[what] then
        rows[what] = {}
        table.insert(order, what)
      end
      local before = rows[what][path]
      rows[what][path] = before and tonumber(before) < tonumber(figure) and before or figure
    end
  end
end

--- Prints one table of the output of several runs. The name of each file is that of its column.
function measure.join(title, paths)
  local order, rows, head = {}, {}, { title }
  for i = #paths, 1, -1 do -- the last one, LÖVE's, may have rows that the others lack
    readRun(paths[i], order, rows)
    table.insert(head, 2, paths[i]:match("[^/]*$"))
  end
  measure.row(head)
  print("|---|" .. ("--:|"):rep(#paths))
  for _, what in ipairs(order) do
    local cells = { what }
    for _, path in ipairs(paths) do
      table.insert(cells, rows[what][path] or "")
    end
    measure.row(cells)
  end
end

return measure
