/*
 * macho.c: a module for Lua that loads macOS libraries on other systems, for tests. It is a
 * function like package.loadlib. It takes the part of the file for this processor, and does what
 * macOS's dyld does: it maps the segments into memory, relocates pointers, and binds names to those
 * of this process. It returns the entry point. C_LIBRARY has the names of macOS's C library that
 * this system lacks.
 *
 * The two calling conventions agree, except that on ARM64, macOS passes variadic arguments on the
 * stack. The end of this file deals with that.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <lauxlib.h>
#include <lua.h>

#if defined(__aarch64__)
enum { PROCESSOR = 0x0100000c };
#else
enum { PROCESSOR = 0x01000007 };
#endif
enum { SEGMENTS = 8, SEGMENT = 0x19, SYMBOLS = 2, DYLD_INFO = (int)0x80000022 };

typedef struct {
    uint8_t *file, *memory;
    struct {
        uint64_t address, size, offset, stored;
        int protection;
    } segments[SEGMENTS];
    int segment_count;
    uint32_t symbols, symbol_count, strings, info;
} Image;

static uint32_t u32(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static uint64_t u64(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static int64_t leb(const uint8_t **at, int is_signed) {
    uint64_t value = 0;
    int shift = 0;
    do {
        value |= (uint64_t)(**at & 0x7f) << shift;
        shift += 7;
    } while (*(*at)++ & 0x80);
    return (int64_t)(is_signed && (*at)[-1] & 0x40 ? value | ~(uint64_t)0 << shift : value);
}

/* --- names ----------------------------------------------------------------------------------- */

static void fill_by_pattern(void *to, const void *pattern, size_t size) {
    for (size_t i = 0; i < size; i++) {
        ((uint8_t *)to)[i] = ((const uint8_t *)pattern)[i % 16];
    }
}

static void zero(void *to, size_t size) {
    memset(to, 0, size);
}

static uintptr_t guard = 0x12345600;

static const struct {
    const char *name;
    void *address;
} C_LIBRARY[] = {
    {"memset_pattern16", (void *)fill_by_pattern},
    {"__bzero", (void *)zero},
    {"bzero", (void *)zero},
    {"dyld_stub_binder", (void *)abort},
    {"__stack_chk_guard", &guard},
    {"__stack_chk_fail", (void *)abort},
};

static void *variadic(const char *name);

static uint64_t address_of(lua_State *L, const char *name) {
    name += *name == '_'; /* C names have one more underscore there */
    void *address = variadic(name);
    for (size_t i = 0; i < sizeof C_LIBRARY / sizeof *C_LIBRARY && !address; i++) {
        address = strcmp(C_LIBRARY[i].name, name) == 0 ? C_LIBRARY[i].address : NULL;
    }
    address = address ? address : dlsym(RTLD_DEFAULT, name);
    if (!address) {
        luaL_error(L, "no %s here", name);
    }
    return (uint64_t)(uintptr_t)address;
}

/* --- segments -------------------------------------------------------------------------------- */

static void read_commands(Image *image) {
    const uint8_t *command = image->file + 32;
    for (uint32_t n = u32(image->file + 16); n > 0; n--, command += u32(command + 4)) {
        if (u32(command) == SEGMENT && image->segment_count < SEGMENTS) {
            int i = image->segment_count++;
            image->segments[i].address = u64(command + 24);
            image->segments[i].size = u64(command + 32);
            image->segments[i].offset = u64(command + 40);
            image->segments[i].stored = u64(command + 48);
            /* The same bits as in mprotect: 1, 2, 4. */
            image->segments[i].protection = (int)u32(command + 60);
        } else if (u32(command) == SYMBOLS) {
            image->symbols = u32(command + 8);
            image->symbol_count = u32(command + 12);
            image->strings = u32(command + 16);
        } else if (u32(command) == (uint32_t)DYLD_INFO) {
            image->info = (uint32_t)(command - image->file);
        }
    }
}

static void lay_segments(Image *image) {
    int last = image->segment_count - 1;
    uint64_t size = image->segments[last].address + image->segments[last].size;
    image->memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i <= last; i++) {
        memcpy(image->memory + image->segments[i].address, image->file + image->segments[i].offset,
               image->segments[i].stored);
    }
}

static void protect_segments(const Image *image) {
    for (int i = 0; i < image->segment_count; i++) {
        uint8_t *start = image->memory + image->segments[i].address;
        __builtin___clear_cache((char *)start, (char *)start + image->segments[i].size);
        mprotect(start, image->segments[i].size, image->segments[i].protection);
    }
}

/* --- what dyld is told to do ----------------------------------------------------------------- */

/* Adds the image's address to `times` pointers, from `at` on. */
static uint8_t *move(const Image *image, uint8_t *at, uint64_t times, uint64_t skip) {
    for (; times > 0; times--, at += 8 + skip) {
        uint64_t value = u64(at) + (uint64_t)(uintptr_t)image->memory;
        memcpy(at, &value, sizeof value);
    }
    return at;
}

static void rebase(const Image *image, const uint8_t *code, uint32_t size) {
    uint8_t *at = image->memory;
    uint64_t times;
    for (const uint8_t *end = code + size; code < end;) {
        int low = *code & 15, operation = *code++ >> 4;
        switch (operation) {
        case 2:
            at = image->memory + image->segments[low].address + leb(&code, 0);
            break;
        case 3:
            at += leb(&code, 0);
            break;
        case 4:
            at += 8 * low;
            break;
        case 5:
            at = move(image, at, (uint64_t)low, 0);
            break;
        case 6:
            at = move(image, at, (uint64_t)leb(&code, 0), 0);
            break;
        case 7:
            at = move(image, at, 1, (uint64_t)leb(&code, 0));
            break;
        case 8:
            times = (uint64_t)leb(&code, 0);
            at = move(image, at, times, (uint64_t)leb(&code, 0));
            break;
        default:
            break; /* 0: the end; 1: the kind of pointers, of which there is only one */
        }
    }
}

static void bind(lua_State *L, const Image *image, const uint8_t *code, uint32_t size) {
    uint8_t *at = image->memory;
    const char *name = NULL;
    uint64_t addend = 0;
    for (const uint8_t *end = code + size; code < end;) {
        int low = *code & 15, operation = *code++ >> 4;
        uint64_t times = 1, skip = 0;
        switch (operation) {
        case 2:
            leb(&code, 0);
            continue; /* the library of a name, which is not needed */
        case 4:
            name = (const char *)code;
            code += strlen(name) + 1;
            continue;
        case 6:
            addend = (uint64_t)leb(&code, 1);
            continue;
        case 7:
            at = image->memory + image->segments[low].address + leb(&code, 0);
            continue;
        case 8:
            at += leb(&code, 0);
            continue;
        case 9:
            break;
        case 10:
            skip = (uint64_t)leb(&code, 0);
            break;
        case 11:
            skip = 8 * (uint64_t)low;
            break;
        case 12:
            times = (uint64_t)leb(&code, 0);
            skip = (uint64_t)leb(&code, 0);
            break;
        default:
            /* 0: the end of an entry; 1, 3, 5: the library and the kind, which are not needed. */
            continue;
        }
        for (uint64_t value = address_of(L, name) + addend; times > 0; times--, at += 8 + skip) {
            memcpy(at, &value, sizeof value);
        }
    }
}

/* --- loadlib --------------------------------------------------------------------------------- */

static uint8_t *read_file(lua_State *L, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        luaL_error(L, "no file %s", path);
    }
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(size + 1);
    size_t got = fread(bytes, 1, size, file);
    fclose(file);
    if (got != size || size < 32) {
        luaL_error(L, "%s is cut short", path);
    }
    return bytes;
}

/*
 * In a file with parts for several processors (which has big-endian numbers), the part for this
 * one.
 */
static uint8_t *part_of(lua_State *L, uint8_t *file) {
    if (u32(file) != 0xbebafeca) {
        return file;
    }
    uint32_t count = __builtin_bswap32(u32(file + 4));
    for (const uint8_t *part = file + 8; count > 0; count--, part += 20) {
        if (__builtin_bswap32(u32(part)) == PROCESSOR) {
            return file + __builtin_bswap32(u32(part + 8));
        }
    }
    luaL_error(L, "nothing for this processor");
    return NULL;
}

static void *entry_of(const Image *image, const char *name) {
    for (uint32_t i = 0; i < image->symbol_count; i++) {
        const uint8_t *symbol = image->file + image->symbols + 16 * i;
        const char *found = (const char *)image->file + image->strings + u32(symbol);
        /* Defined, and exported. */
        if ((symbol[4] & 0x0f) == 0x0f && strcmp(found + 1, name) == 0) {
            return image->memory + u64(symbol + 8);
        }
    }
    return NULL;
}

/* The image stays in memory until the process ends, because tests load few libraries. */
static int load(lua_State *L) {
    Image image = {0};
    image.file = part_of(L, read_file(L, luaL_checkstring(L, 1)));
    if (u32(image.file) != 0xfeedfacf) {
        return luaL_error(L, "%s is not for macOS", lua_tostring(L, 1));
    }
    read_commands(&image);
    if (image.info == 0) {
        return luaL_error(L, "%s does not say how to bind it", lua_tostring(L, 1));
    }
    lay_segments(&image);
    const uint8_t *info = image.file + image.info;
    rebase(&image, image.file + u32(info + 8), u32(info + 12));
    bind(L, &image, image.file + u32(info + 16), u32(info + 20));
    bind(L, &image, image.file + u32(info + 32),
         u32(info + 36)); /* binds now what dyld binds at the first call */
    protect_segments(&image);
    void *entry = entry_of(&image, luaL_checkstring(L, 2));
    if (!entry) {
        return luaL_error(L, "no %s in %s", lua_tostring(L, 2), lua_tostring(L, 1));
    }
    lua_pushcfunction(L, (lua_CFunction)(uintptr_t)entry);
    return 1;
}

int luaopen_macho(lua_State *L) {
    lua_pushcfunction(L, load);
    return 1;
}

/* --- `...` on ARM64 -------------------------------------------------------------------------- */

#if defined(__aarch64__)

/*
 * Makes a va_list whose arguments are all on the stack. On macOS a va_list is just their address.
 */
static void take(va_list *list, const void *stack) {
    const struct {
        const void *stack, *general, *vectors;
        int general_left, vectors_left;
    } all_on_stack = {stack, NULL, NULL, 0, 0};
    memcpy(list, &all_on_stack, sizeof *list);
}

int macho_vsnprintf(char *to, size_t size, const char *format, const void *stack) {
    va_list list;
    take(&list, stack);
    return vsnprintf(to, size, format, list);
}

const char *macho_pushvfstring(lua_State *L, const char *format, const void *stack) {
    va_list list;
    take(&list, stack);
    return lua_pushvfstring(L, format, list);
}

int macho_error_with(lua_State *L, const char *format, const void *stack) {
    luaL_where(L, 1);
    macho_pushvfstring(L, format, stack);
    lua_concat(L, 2);
    return lua_error(L);
}

/*
 * These are called as on macOS. They call a C function with the stack's address as one more
 * argument.
 */
__asm__(".text\n"
        ".globl macho_snprintf, macho_pushfstring, macho_error\n"
        "macho_snprintf: mov x3, sp\n b macho_vsnprintf\n"
        "macho_pushfstring: mov x2, sp\n b macho_pushvfstring\n"
        "macho_error: mov x2, sp\n b macho_error_with\n");
extern const char macho_snprintf[], macho_pushfstring[], macho_error[];

static void *variadic(const char *name) {
    return (void *)(uintptr_t)(strcmp(name, "snprintf") == 0    ? macho_snprintf
                               : strcmp(name, "vsnprintf") == 0 ? (const char *)macho_vsnprintf
                               : strcmp(name, "lua_pushfstring") == 0 ? macho_pushfstring
                               : strcmp(name, "lua_pushvfstring") == 0
                                   ? (const char *)macho_pushvfstring
                               : strcmp(name, "luaL_error") == 0 ? macho_error
                                                                 : NULL);
}

#else

static void *variadic(const char *name) {
    (void)name;
    return NULL;
}

#endif
