# love.mk: Broadside in LÖVE: the examples and their tests. Included by the Makefile.

.PHONY: love test-love pictures

LOVE := build/love
examples := menu cannon bounce barrage swarm sandbox

# LÖVE runs LuaJIT.
build_luajit = $(MAKE) -s $(PARALLEL) build LUA=luajit WERROR=
in_lua = eval "$$(tools/env.sh build/$(1) $(1))"

love: ## install what is missing, build for LuaJIT and open the menu of examples in LÖVE
	@tools/install.sh cc luajit love
	@$(build_luajit)
	@$(call in_lua,luajit); love examples

# Each example in LÖVE, then without it: the state at the end must be the same.
test-love: ## play every example in LÖVE without a display, compare with LuaJIT and Lua 5.4
	@tools/install.sh cc luajit lua5.4 love offscreen
	@$(build_luajit)
	@$(MAKE) -s $(PARALLEL) build LUA=lua5.4 WERROR=
	@mkdir -p $(LOVE)
	@status=0; for name in $(examples); do spec/love/compare.sh $$name $(LOVE) || status=1; done; \
	    exit $$status

pictures: test-love ## renew the pictures in doc/pictures from a run of the tests
	@tools/install.sh pngquant
	@mkdir -p doc/pictures
	@for name in $(examples); do \
	    pngquant --force --strip --speed 1 --output doc/pictures/$$name.png $(LOVE)/$$name.png; \
	done
