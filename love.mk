# love.mk: Broadside in LÖVE: the examples, a game to start from, their tests. Included by the Makefile.

.PHONY: love love-package test-love pictures

LOVE := build/love
PACKAGE := build/love-package
examples := menu platformer cannon bounce barrage swarm marbles sandbox

# LÖVE runs LuaJIT.
build_luajit = $(MAKE) -s $(PARALLEL) build LUA=luajit WERROR=
in_lua = eval "$$(tools/env.sh build/$(1) $(1))"

love: ## install what is missing, build for LuaJIT and open the menu of examples in LÖVE
	@tools/install.sh cc luajit love
	@$(build_luajit)
	@$(call in_lua,luajit); love examples

love-package: ## lay out a LÖVE game with Broadside in build/love-package (TARGET=mingw64: for Windows)
	@tools/install.sh cc luajit $(TARGET)
	@mkdir -p $(PACKAGE)
	@cp examples/starter/*.lua $(PACKAGE)
	@$(MAKE) -s $(PARALLEL) lay-out LUA=luajit WERROR= INTO=$(PACKAGE)/broadside
	@echo "$(PACKAGE) runs in LÖVE: see doc/love.md"

# Each example in LÖVE, then without it: the state at the end must be the same.
test-love: ## play every example and recipe in LÖVE without a display, compare with Lua
	@tools/install.sh cc luajit lua5.4 love offscreen zip
	@$(build_luajit)
	@$(MAKE) -s $(PARALLEL) build LUA=lua5.4 WERROR=
	@mkdir -p $(LOVE)
	@$(MAKE) -s love-package TARGET= >/dev/null
	@status=0; spec/love/package.sh $(PACKAGE) || status=1; \
	for name in $(examples); do spec/love/compare.sh $$name $(LOVE) || status=1; done; \
	    exit $$status

pictures: test-love ## renew the pictures in doc/pictures from a run of the tests
	@tools/install.sh pngquant
	@mkdir -p doc/pictures
	@for name in $(examples); do \
	    pngquant --force --strip --speed 1 --output doc/pictures/$$name.png $(LOVE)/$$name.png; \
	done
