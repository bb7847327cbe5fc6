-- The bounce game without a window: prints what happens. From the project's folder:
--
--   lua5.4 examples/bounce/run.lua

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/?.lua;" .. package.path

local bounce = require("simulation")

local function printf(format, ...)
  print(format:format(...))
end

local SIDES = { ["-1,0"] = "left", ["1,0"] = "right", ["0,-1"] = "upper", ["0,1"] = "lower" }

-- Throws a ball and plays until it is gone.
local function playThrow(game, toX, toY)
  printf("A throw from the player towards %d,%d:", toX, toY)
  game.onBounce = function(ball, nx, ny)
    printf("  %.2f s  bounces at %.1f,%.1f off a wall's %s side", ball.age, ball.x, ball.y,
      SIDES[("%d,%d"):format(nx, ny)])
  end
  game.onScore = function(ball)
    printf("  %.2f s  hits the opponent at %.1f,%.1f", ball.age, ball.x, ball.y)
  end
  local ball = game:throw(game.player, toX, toY)
  while game.balls[1] do
    game:step()
  end
  if not ball.scored then
    printf("  %.2f s  is gone after %d bounces", ball.age, ball.bounces)
  end
end

-- A line of sight starts inside the box of the player who looks. The filter excludes that box.
local function compareFilters(game)
  local x, y = game.player:getCenter()
  local box = game.world:segmentCast(x, y, x + 200, y)
  local first = box == game.player and "the player" or "something else"
  local _, hitX, hitY = game.world:segmentCast(x, y, x + 1000, y, game.player)
  printf("A cast to the right meets %s first; with the player as the filter, it meets a wall at "
    .. "%.1f,%.1f.", first, hitX, hitY)
end

-- Walks for a while against a wall.
local function playWalk(game, directionX, directionY, steps)
  local fromX, fromY = game.player:getRect()
  game:walk(directionX, directionY)
  for _ = 1, steps do
    game:step()
  end
  game:walk(0, 0)
  local x, y, w, h = game.player:getRect()
  local _, touching = game.world:queryBox(game.player)
  printf("  from %g,%g the player wants to go to %g,%g and comes to %g,%g", fromX, fromY,
    fromX + directionX * bounce.PLAYER_SPEED * steps * bounce.STEP,
    fromY + directionY * bounce.PLAYER_SPEED * steps * bounce.STEP, x, y)
  printf("  its box is now %g,%g to %g,%g and overlaps %d others", x, y, x + w, y + h, touching)
end

local game = bounce.newGame()
compareFilters(game)
print("")
playThrow(game, 400, 500)
playThrow(game, 50, 424)
playThrow(game, 500, 120)
print("")
print("Walls stop the player:")
playWalk(game, -1, 0, 60)
playWalk(game, 0.6, 0.8, 60)
printf("\nThe score is %d after %d throws.", game.score, game.throws)
