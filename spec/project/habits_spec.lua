-- The English of the pages, as numbers. Clauses that begin with "what" or "who" stand in for a noun
-- that the reader needs: name the thing. Talk to the reader, and keep sentences short.

local page = require("spec.support.page")

-- Over all pages, for each 1,000 words. These are reached; they may get stricter, and not looser.
local MOST_CLAUSES, LEAST_YOU = 1.5, 10
-- Words of a sentence: the mean over all pages, and of one page.
local MOST_WORDS, MOST_WORDS_OF_PAGE = 15, 18
-- Words of all pages together, besides code: a new page has to make others shorter.
local MOST_WORDS_OF_ALL = 32000

local function pages()
  return page.list({ ".", "doc", "bench" })
end

-- The text of a page without code, and with X for code within a line.
local function proseOf(path)
  local lines, isCode = {}, false
  for line in io.lines(path) do
    if line:find("^%s*```") then
      isCode = not isCode
    elseif not isCode and not line:find("^    ") and not line:find("^<!%-%-") then
      lines[#lines + 1] = line
    end
  end
  return (table.concat(lines, "\n"):gsub("`[^`]*`", "X"):gsub("%]%([^)]*%)", "]"))
end

-- How often the words are there; not in a sentence that ends with a question mark.
local function count(text, words)
  local n = 0
  for rest in text:lower():gmatch("[^.?!|]+[.?!|]?") do
    if not rest:find("%?$") then
      for word in rest:gmatch("%a+") do
        n = n + (words[word] and 1 or 0)
      end
    end
  end
  return n
end

local function wordsOf(text)
  return select(2, text:gsub("%a[%a']*", ""))
end

-- The sentences of a page, and their words: those of paragraphs and lists, not of tables and
-- headings. An item of a list, and a paragraph, end a sentence.
local function sentencesOf(text)
  local sentences, words = 0, 0
  text = ("\n" .. text .. "\n"):gsub("\n[|#][^\n]*", "\n"):gsub("\n%s*[-%d]%.? ", "\n\n")
  for paragraph in (text .. "\n\n"):gmatch("(.-)\n\n") do
    for sentence in (paragraph .. " "):gsub("%s+", " "):gmatch(".-[.?!][)*\"]*%s") do
      local n = wordsOf(sentence)
      sentences, words = sentences + (n > 2 and 1 or 0), words + (n > 2 and n or 0)
    end
  end
  return sentences, words
end

local CLAUSE = { what = true, whatever = true, who = true, whom = true, whoever = true,
  whose = false }
local YOU = { you = true, your = true, yours = true, yourself = true }

describe("the pages", function()
  local words, clauses, you, sentences, said, worst = 0, 0, 0, 0, 0, {}
  for _, path in ipairs(pages()) do
    local text = proseOf(path)
    local n, c = wordsOf(text), count(text, CLAUSE)
    words, clauses, you = words + n, clauses + c, you + count(text, YOU)
    local s, w = sentencesOf(text)
    sentences, said = sentences + s, said + w
    worst[#worst + 1] = ("%s: %d clauses, %.1f words a sentence"):format(path, c,
      w / math.max(s, 1))
    it("has no long sentences: " .. path, function()
      assert.is_true(w / math.max(s, 1) <= MOST_WORDS_OF_PAGE, worst[#worst])
    end)
  end

  local function list()
    return table.concat(worst, "\n")
  end

  it("name things, in place of clauses with what and who", function()
    assert.is_true(1000 * clauses / words <= MOST_CLAUSES,
      ("%.2f\n%s"):format(1000 * clauses / words, list()))
  end)

  it("talk to the reader", function()
    assert.is_true(1000 * you / words >= LEAST_YOU, ("%.2f"):format(1000 * you / words))
  end)

  it("are short together", function()
    assert.is_true(words <= MOST_WORDS_OF_ALL, ("%d words"):format(words))
  end)

  it("have short sentences", function()
    assert.is_true(said / sentences <= MOST_WORDS, ("%.2f\n%s"):format(said / sentences, list()))
  end)
end)
