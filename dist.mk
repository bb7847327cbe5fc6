# dist.mk: Broadside for other machines: builds for other systems, the layout of the packages, the
# packages, and their tests. Included by the Makefile, which sees by the compiler what it builds for.
#
#     make LUA=luajit TARGET=mingw64      # cross-compiles with MinGW-w64, into build/mingw64-luajit
#     make LUA=lua5.4 TARGET=gcc-arm64    # for ARM64 Linux, into build/gcc-arm64-lua5.4

.PHONY: lay-out dist dist-zip dist-rock test-dist test-dist-here test-dist-arm64 test-dist-windows \
  test-dist-rock test-dist-same check-windows

# The system to build for: a compiler that tools/install.sh knows; empty: this machine.
TARGET :=
# Lua's own library on Windows. LÖVE has the name of Lua 5.1.
lua_dll := $(subst .,,$(LUA:luajit=lua5.1))
STRIP ?= strip

ifneq (,$(TARGET))
BUILD := build/$(TARGET)-$(LUA)
CORE := build/$(TARGET)-core
# Debian's headers of Lua include one that says where this machine keeps libraries, for no use here.
LUA_CFLAGS += -I$(BUILD)/headers
$(shell mkdir -p $(BUILD)/headers && : > $(BUILD)/headers/$(LUA)-deb-multiarch.h)
endif

ifeq ($(TARGET),gcc-arm64)
CC := aarch64-linux-gnu-gcc
STRIP := aarch64-linux-gnu-strip
endif

ifeq ($(TARGET),mingw64)
CC := x86_64-w64-mingw32-gcc
STRIP := x86_64-w64-mingw32-strip
LDFLAGS += -L$(BUILD) -static-libgcc -Wl,--no-insert-timestamp

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

# The name that loader.lua has for what the compiler builds for: linux-x64, say.
processor = $(firstword $(subst -, ,$(target)))
system = $(if $(findstring darwin,$(target)),macos,$(if $(findstring mingw,$(target)),windows,linux)-$(patsubst \
  aarch64,arm64,$(patsubst x86_64,x64,$(processor))))

INTO :=
lay-out: build ## put Broadside, built for LUA, into the folder INTO, where require() finds it (DIMS=2: no 3D)
	@[ -n '$(INTO)' ] || { echo "say where: INTO=path/to/game/broadside" >&2; exit 1; }
	@mkdir -p '$(INTO)/lua$(subst .,,$(abi))-$(system)'
	@cp lua/broadside/*.lua '$(INTO)'
	@cp -R types '$(INTO)'
	@{ echo '-- LuaJIT and Lua 5.1 and 5.2 do not look for broadside/init.lua in the folder of a game.'; \
	    echo 'return require((...) .. ".init")'; } > '$(INTO:%/=%).lua'
	@for file in $(modules); do SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) $(STRIP) --strip-unneeded \
	    -o '$(INTO)/lua$(subst .,,$(abi))-$(system)/'$${file##*/} $$file || exit 1; done
	@$(if $(MAKELEVEL:0=),:,echo 'Broadside for $(LUA) is in $(INTO:%/=%) and $(INTO:%/=%).lua; types for editors' \
	    'are in $(INTO:%/=%)/types. Write in the program beside it:'; \
	    echo '    local broadside = require("$(notdir $(INTO:%/=%))")')

# --- packages -------------------------------------------------------------------------------------

DIST := build/dist
VERSION := $(shell sed -n 's/.*"Broadside \([0-9.]*\)".*/\1/p' lua/broadside/init.lua)
dist_name = broadside-$(VERSION)-$(system)
ROCK := broadside-$(VERSION)-1
# Files in packages are as old as the commit, so that the same commit gives the same bytes.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 315619200)
pack = SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) tools/pack.sh

dist: ## packages for Linux (x64, ARM64) and Windows, and the source rock, in build/dist
	@tools/install.sh cc lua5.4 luajit zip gcc-arm64 mingw64
	@[ $(system) = linux-x64 ] || { echo 'on x64 Linux only' >&2; exit 1; }
	@for system in '' gcc-arm64 mingw64; do $(MAKE) -s dist-zip TARGET=$$system || exit 1; done
	@$(MAKE) -s dist-rock
	@cd $(DIST) && sha256sum *.zip *.rock

dist-zip:
	@rm -rf $(DIST)/$(dist_name)
	@for lua in luajit lua5.4; do $(MAKE) -s $(PARALLEL) lay-out LUA=$$lua WERROR= \
	    INTO=$(DIST)/$(dist_name)/broadside || exit 1; done
	@cp LICENSE $(DIST)/$(dist_name)/broadside
	@{ echo 'Broadside $(VERSION) for $(system), for games in Lua 5.4, LuaJIT and LÖVE 11: a hero that' \
	    'runs, jumps and rides lifts, walls that stop, bullets that hit, and who touches whom.'; \
	    echo 'Folder and broadside.lua go into your game, where you like: require("broadside").'; \
	    echo 'For editors: types/library. All else: README.md and doc/ in the repository of Broadside.'; \
	    } > $(DIST)/$(dist_name)/broadside/README.txt
	@$(pack) $(DIST)/$(dist_name) $(DIST)/$(dist_name).zip

# What LuaRocks builds from needs no network: a src.rock has the sources beside their rockspec.
dist-rock:
	@rm -rf $(DIST)/rock && mkdir -p $(DIST)/rock/broadside
	@cp -R include lua src LICENSE README.md $(DIST)/rock/broadside
	@sed -e 's/^version = .*/version = "$(VERSION)-1"/' \
	    -e 's/^\(  url = .*\)/\1\n  tag = "v$(VERSION)",/' broadside-scm-1.rockspec \
	    > $(DIST)/rock/$(ROCK).rockspec
	@cp $(DIST)/rock/$(ROCK).rockspec $(DIST)/rock/broadside
	@$(pack) $(DIST)/rock $(DIST)/$(ROCK).src.rock

# --- tests of the packages ------------------------------------------------------------------------

# Each is unpacked in an empty folder and played: on this machine, by qemu, and by Wine.
test-dist: test-dist-here test-dist-arm64 test-dist-windows test-dist-rock test-dist-same ## unpack and play all packages

test-dist-here: ## the one for x64 Linux, under Lua 5.4, 5.1, LuaJIT and LÖVE
	@tools/install.sh cc lua5.4 lua5.1 luajit love offscreen zip unzip
	@$(MAKE) -s dist-zip
	@spec/dist/play.sh $(system) $(DIST)/$(dist_name).zip lua5.4 luajit lua5.1
	@rm -rf $(DIST)/game && mkdir -p $(DIST)/game && cp examples/starter/*.lua $(DIST)/game
	@cd $(DIST)/game && unzip -q ../$(dist_name).zip
	@spec/love/package.sh $(DIST)/game

# LuaJIT's compiler fuses multiplications and additions of Lua code there, in work.lua, too: it is off.
test-dist-arm64: ## the one for ARM64 Linux, under Lua 5.4 and LuaJIT for that, built from Debian's source
	@tools/install.sh cc gcc lua5.4 luajit zip unzip gcc-arm64 qemu-aarch64 dpkg-source
	@spec/dist/luas.sh arm64 build/luas-arm64
	@$(MAKE) -s dist-zip TARGET=gcc-arm64
	@for lua in lua54 'luajit51 -joff'; do \
	    echo "qemu-aarch64 -L /usr/aarch64-linux-gnu $(CURDIR)/build/luas-arm64/$$lua"; done | \
	    tr '\n' '\0' | xargs -0 spec/dist/play.sh linux-arm64 $(DIST)/broadside-$(VERSION)-linux-arm64.zip

test-dist-windows: ## the one for Windows, in Wine, under Lua 5.4 and LuaJIT for that, built from source
	@tools/install.sh cc gcc lua5.4 luajit zip unzip mingw64 wine64 dpkg-source
	@spec/dist/luas.sh windows build/luas-windows
	@$(MAKE) -s dist-zip TARGET=mingw64
	@for lua in lua54 luajit51; do \
	    echo "/usr/lib/wine/wine64 $(CURDIR)/build/luas-windows/$$lua.exe"; done | \
	    tr '\n' '\0' | xargs -0 spec/dist/play.sh windows-x64 $(DIST)/broadside-$(VERSION)-windows-x64.zip

test-dist-rock: ## the source rock, installed by LuaRocks without a network for Lua 5.1 to 5.4
	@tools/install.sh gcc luarocks lua5.1 lua5.2 lua5.3 lua5.4 luajit zip
	@tools/check_rock.sh gcc 5.1 lua5.1 luajit
	@for version in 5.2 5.3 5.4; do tools/check_rock.sh gcc $$version lua$$version || exit 1; done

test-dist-same: dist ## the packages of the last commit, made once more in another folder: the same bytes
	@rm -rf $(DIST)/same && git clone -q . $(DIST)/same
	@$(MAKE) -s -C $(DIST)/same dist >/dev/null
	@for file in $(DIST)/*.zip $(DIST)/*.rock; do cmp $$file $(DIST)/same/$$file || exit 1; done
	@echo 'the same bytes in another folder'

check-windows: ## the tests of the core as Windows programs, in Wine
	@tools/install.sh luajit mingw64 wine64
	@$(MAKE) -s $(PARALLEL) build/mingw64-core/backend_test2 build/mingw64-core/backend_test3 \
	    LUA=luajit TARGET=mingw64
	@for dim in 2 3; do \
	    WINEPREFIX='$(CURDIR)/build/wine' WINEDEBUG=-all \
	        /usr/lib/wine/wine64 build/mingw64-core/backend_test$$dim.exe $(ROUNDS) || exit 1; \
	done
