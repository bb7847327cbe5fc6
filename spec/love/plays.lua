-- How the tests play each example: the number of frames, and the player's input before each frame.
--
-- hands: move(x, y), press(button), release(button), click(x, y), hold(key), letGo(key), type(key).
-- Pictures are taken after the last frame. A film shows the frames from one number to another.
--
-- Then random input, with `keys` and the mouse, goes on until a minute is over. If a function
-- isOver(game) says when a game has ended, the script's input goes on until then.

local plays = {}

-- Keys for auto, sweep, tree, grid, auto; brute is too slow.
local BACKENDS = { "1", "3", "5", "4", "1" }

plays.menu = { -- It also opens all other examples.
  frames = 40,
  keys = { "up", "down", "left", "right", "return", "escape", "1", "2", "3", "4", "5", "6", "7",
    "8", "9" },
  input = function(hands, frame)
    if frame == 1 then
      hands.type("down")
    elseif frame == 20 then
      hands.move(300, 430)
    end
  end,
}

plays.cannon = {
  frames = 250,
  keys = { "b", "d", "f1" },
  isOver = function(game) return game:isWon() end,
  input = function(hands, frame)
    local angle, reach = 0.35 + 0.6 * (frame * 7 % 29) / 29, 520
    if frame > 250 then -- until nothing is left
      angle, reach = 1.4 * (frame * 7 % 131) / 131, 200 + 700 * (frame * 13 % 97) / 97
    end
    hands.move(math.floor(reach * math.cos(angle)), math.floor(480 - reach * math.sin(angle)))
    if frame % 24 == 1 or frame > 200 and frame % 6 == 1 then
      hands.click()
    end
    if frame == 60 or frame == 120 then
      hands.type("b")
    end
  end,
}

plays.bounce = {
  frames = 280,
  keys = { "left", "right", "up", "down", "a", "d", "w", "s", "r", "f1" },
  input = function(hands, frame)
    if frame == 1 then
      hands.hold("right")
    elseif frame == 40 then
      hands.hold("up")
    elseif frame == 75 then
      hands.letGo("right")
      hands.letGo("up")
    end
    hands.move(500 + 3 * (frame * 13 % 101), 60 + frame * 17 % 97)
    if frame % 40 == 30 or frame == 262 then
      hands.click()
    end
  end,
}

plays.platformer = { -- The robot plays.
  frames = 335,
  film = { 96, 335 },
  keys = { "left", "right", "space", "a", "d", "w", "up", "r", "p", "tab", "f1" },
  isOver = function(game) return game.isWon end,
  input = function() end,
}

plays.topdown = { -- The robot plays.
  frames = 1230,
  keys = { "left", "right", "up", "down", "a", "d", "w", "s", "r", "p", "k", "l", "tab", "f1" },
  isOver = function(game) return game.isWon end,
  input = function() end,
}

plays.barrage = {
  frames = 352,
  film = { 192, 352 },
  keys = { "left", "right", "up", "down", "a", "d", "w", "s", "r", "f1" },
  input = function(hands, frame)
    if frame % 100 == 1 then
      hands.letGo("right")
      hands.hold("left")
    elseif frame % 100 == 51 then
      hands.letGo("left")
      hands.hold("right")
    end
  end,
}

plays.rollback = { -- Robots play, then the network gets worse.
  frames = 560,
  keys = { "a", "d", "w", "s", "f", "left", "right", "up", "down", "space", "return", "r", "n", "x",
    "1", "2", "3", "4", "+", "-", "=", "kp+", "kp-" },
  input = function(hands, frame)
    if frame == 160 then
      for _, key in ipairs({ "3", "=", "=", "1", "=", "=", "=", "=", "=" }) do
        hands.type(key)
      end
    end
  end,
}

plays.swarm = {
  frames = 150,
  keys = { "1", "3", "4", "5", "d", "space", "r" },
  input = function(hands, frame)
    if frame % 20 == 10 and frame <= 110 then
      hands.type(BACKENDS[(frame - 10) / 20 % 5 + 1])
    end
    if frame == 136 then
      hands.move(560, 300)
      hands.press(1)
    end
    -- D shows each view, then the first one again.
    if frame >= 120 and frame <= 132 and frame % 4 == 0 then
      hands.type("d")
    end
  end,
}

plays.marbles = {
  frames = 700,
  keys = { "1", "3", "4", "5", "d", "space", "r" },
  input = function(hands, frame)
    if frame == 150 or frame == 250 then
      hands.type(frame == 150 and "4" or "1")
    end
  end,
}

plays.billiards = { -- A hand breaks, the robot plays, then the hand pulls again.
  frames = 1200,
  film = { 1, 400 },
  keys = { "r", "p", "f1" },
  input = function(hands, frame)
    local steps = {
      [10] = function() hands.move(200, 282) hands.press(1) end,
      [50] = function() hands.move(10, 283) hands.release(1) end,
      [60] = function() hands.type("p") end,
      [1160] = function() hands.move(300, 460) hands.press(1) end,
    }
    if steps[frame] then
      steps[frame]()
    end
  end,
}

plays.pinball = { -- The robot plays, then hands pull and flip.
  frames = 1500,
  film = { 120, 520 },
  keys = { "left", "right", "space", "a", "d", "down", "r", "p", "f1" },
  input = function(hands, frame)
    if frame == 1300 or frame == 1400 then
      hands.hold("left")
      hands.hold("space")
    elseif frame == 1320 or frame == 1450 then
      hands.letGo("left")
      hands.letGo("space")
    elseif frame == 1460 then
      hands.move(400, 400)
      hands.press(1)
    elseif frame == 1470 then
      hands.release(1)
      hands.type("p")
    end
  end,
}

plays.jar = { -- The robot plays, then a hand drops some balls.
  frames = 1500,
  keys = { "r", "p", "f1" },
  input = function(hands, frame)
    if frame >= 1200 and frame <= 1440 and frame % 40 == 0 then
      hands.move(80 + frame * 7 % 320, 300)
      hands.click()
    end
  end,
}

plays.dig = { -- The miner digs down into the hill, and builds a wall above.
  frames = 420,
  keys = { "left", "right", "up", "a", "d", "w", "e", "z", "tab", "r", "f1" },
  input = function(hands, frame)
    if frame % 100 == 5 then
      hands.hold(frame % 200 < 100 and "d" or "a")
    elseif frame % 100 == 40 then
      hands.letGo(frame % 200 < 100 and "d" or "a")
    end
    hands.move(380 + frame * 37 % 200, 250 + frame * 11 % 200)
    if frame > 50 and frame % 5 == 0 then
      hands.click()
    elseif frame % 60 == 33 then
      hands.type("e")
    elseif frame == 300 or frame == 302 then
      hands.type(frame == 300 and "tab" or "z")
    elseif frame == 320 then
      hands.type("tab")
    end
  end,
}

plays.hero = {
  frames = 240,
  keys = { "left", "right", "up", "down", "space", "lshift", "k", "l", "r", "p", "f1" },
  input = function(hands, frame)
    if frame == 120 then
      hands.type("k")
    elseif frame == 160 then
      hands.type("l")
    elseif frame == 170 then
      hands.hold("right")
    end
  end,
}

plays.rooms = { -- The robot takes the boots, and somebody saves and loads.
  frames = 300,
  keys = plays.hero.keys,
  input = function(hands, frame)
    if frame == 250 then
      hands.type("k")
    elseif frame == 280 then
      hands.type("l")
    elseif frame == 285 then
      hands.hold("right")
    end
  end,
}

plays.party = { -- Robots, then somebody plays on the host.
  frames = 600,
  keys = { "left", "right", "up", "r", "p", "f1" },
  input = function(hands, frame)
    if frame == 300 then
      hands.hold("right")
    elseif frame == 400 then
      hands.letGo("right")
    end
  end,
}

plays.area = { -- Both areas die and come back.
  frames = 420,
  keys = { "1", "2", "n", "r", "f1" },
  input = function(hands, frame)
    if frame == 100 or frame == 160 then
      hands.type("1")
    elseif frame == 200 or frame == 260 then
      hands.type("2")
    end
  end,
}

plays.sandbox = {
  frames = 90,
  keys = { "1", "2", "3", "4", "5", "s", "t", "b", "d", "g", "r" },
  input = function(hands, frame)
    local steps = {
      [1] = function() hands.move(720, 190) hands.press(1) end,
      [3] = function() hands.move(800, 240) hands.release(1) end,
      [5] = function() hands.type("t") hands.type("s") hands.move(30, 60) hands.press(1) end,
      [8] = function() hands.move(150, 110) hands.release(1) end,
      [10] = function() hands.move(420, 410) hands.press(1) end,
      [14] = function() hands.move(390, 420) hands.release(1) end,
      [16] = function() hands.type("g") end,
      [40] = function() hands.type("g") end,
      [42] = function() hands.type("3") hands.type("s") hands.move(60, 200) hands.press(1) end,
      [50] = function() hands.move(420, 210) hands.release(1) end,
      [52] = function() hands.type("2") hands.move(240, 190) hands.press(1) end,
      [60] = function() hands.move(790, 560) hands.release(1) end,
    }
    if steps[frame] then
      steps[frame]()
    end
  end,
}

return plays
