-- The menu of all examples: `make love`, or `love examples`.

require("support.stage").alone("menu.view")
