# windows.mk: TARGET=mingw64 cross-compiles for 64-bit Windows with MinGW-w64:
#
#     make LUA=luajit TARGET=mingw64      # for LÖVE: build/mingw64-luajit/broadside/*.dll
#
# Included by the Makefile, which sees by the compiler that it builds for Windows.

.PHONY: check-windows test-windows

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

check-windows: ## cross-compile for LÖVE on 64-bit Windows, and inspect the libraries
	@tools/install.sh luajit mingw64
	@$(MAKE) -s $(PARALLEL) build LUA=luajit TARGET=mingw64
	@tools/check_dlls.sh build/mingw64-luajit/broadside

test-windows: ## the back ends in C, as programs for Windows, in Wine
	@tools/install.sh luajit mingw64 wine64
	@$(MAKE) -s $(PARALLEL) build/mingw64-core/backend_test2 build/mingw64-core/backend_test3 \
	    LUA=luajit TARGET=mingw64
	@for dim in 2 3; do \
	    WINEPREFIX='$(CURDIR)/build/wine' WINEDEBUG=-all \
	        /usr/lib/wine/wine64 build/mingw64-core/backend_test$$dim.exe $(ROUNDS) || exit 1; \
	done
