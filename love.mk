# love.mk: Broadside in LÖVE: the examples, a package for games, their tests; and on Windows. Included
# by the Makefile, which sees by the compiler that it builds for Windows.
#
#     make LUA=luajit TARGET=mingw64      # cross-compiles with MinGW-w64, into build/mingw64-luajit

.PHONY: love love-package lay-out test-love pictures check-windows

TARGET :=
# Lua's own library there. LÖVE has the name of Lua 5.1.
lua_dll := $(subst .,,$(LUA:luajit=lua5.1))

ifeq ($(TARGET),mingw64)
CC := x86_64-w64-mingw32-gcc
STRIP := x86_64-w64-mingw32-strip
BUILD := build/mingw64-$(LUA)
CORE := build/mingw64-core
LDFLAGS += -L$(BUILD) -static-libgcc

# What the linker needs to know of that library are the names that are used: the objects tell them.
lua_users := $(patsubst src/lua/%.c,$(BUILD)/obj-d2/%.o,$(wildcard src/lua/*.c))
$(BUILD)/lib$(lua_dll).def: $(lua_users)
	@echo 'LIBRARY $(lua_dll).dll' > $@
	@echo EXPORTS >> $@
	@x86_64-w64-mingw32-nm -u $^ | awk '$$1 == "U" && $$2 ~ /^luaL?_/ { print $$2 }' | sort -u >> $@

$(BUILD)/lib$(lua_dll).dll.a: $(BUILD)/lib$(lua_dll).def
	x86_64-w64-mingw32-dlltool --def $< --output-lib $@

$(BUILD)/broadside/d2.dll $(BUILD)/broadside/d3.dll: $(BUILD)/lib$(lua_dll).dll.a
endif

LOVE := build/love
PACKAGE := build/love-package
STRIP ?= strip
examples := menu platformer cannon bounce barrage swarm marbles sandbox

# LÖVE runs LuaJIT.
build_luajit = $(MAKE) -s $(PARALLEL) build LUA=luajit WERROR=
in_lua = eval "$$(tools/env.sh build/$(1) $(1))"

love: ## install what is missing, build for LuaJIT and open the menu of examples in LÖVE
	@tools/install.sh cc luajit love
	@$(build_luajit)
	@$(call in_lua,luajit); love examples

# What a game needs: with TARGET=mingw64 the libraries for Windows come beside those for Linux.
love-package: ## lay out a LÖVE game with Broadside in build/love-package (TARGET=mingw64: for Windows)
	@tools/install.sh cc luajit $(TARGET)
	@$(build_luajit)
	@$(MAKE) -s lay-out LUA=luajit

lay-out:
	@mkdir -p $(PACKAGE)/broadside
	@cp examples/starter/*.lua $(PACKAGE)
	@cp lua/broadside/*.lua $(PACKAGE)/broadside
	@for file in $(modules); do \
	    $(STRIP) -o $(PACKAGE)/broadside/$${file##*/} --strip-unneeded $$file || exit 1; \
	done
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

check-windows: ## cross-compile for LÖVE on 64-bit Windows; inspect the libraries, test the core in Wine
	@tools/install.sh luajit mingw64 wine64
	@$(MAKE) -s $(PARALLEL) build LUA=luajit TARGET=mingw64
	@tools/check_dlls.sh build/mingw64-luajit/broadside
	@$(MAKE) -s $(PARALLEL) build/mingw64-core/backend_test2 build/mingw64-core/backend_test3 \
	    LUA=luajit TARGET=mingw64
	@for dim in 2 3; do \
	    WINEPREFIX='$(CURDIR)/build/wine' WINEDEBUG=-all \
	        /usr/lib/wine/wine64 build/mingw64-core/backend_test$$dim.exe $(ROUNDS) || exit 1; \
	done
