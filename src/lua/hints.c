#include "hints.h"

#include "handles.h"

#include <assert.h>
#include <string.h>

/* --- near names ----------------------------------------------------------------------------- */

enum { LONGEST = 31 }; /* of all names of ours, none is longer */

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/*
 * How many letters must be added, left out or changed to make one name the other, upper case or
 * lower: their Levenshtein distance (Wagner and Fischer 1974), row by row.
 */
static size_t distance(const char *name, const char *ours) {
    size_t row[LONGEST + 1];
    size_t n = strlen(ours);
    assert(n <= LONGEST);
    for (size_t j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (size_t i = 0; name[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t changed = diagonal + (lower(name[i]) != lower(ours[j]));
            diagonal = row[j + 1];
            row[j + 1] = least(changed, least(diagonal, row[j]) + 1);
        }
    }
    return row[n];
}

/* `velocity` is near to getVelocity, and `static` to isStatic. */
static const char *without_verb(const char *ours) {
    static const char *const verbs[] = {"get", "set", "is"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        size_t n = strlen(verbs[i]);
        if (strncmp(ours, verbs[i], n) == 0 && lower(ours[n]) != ours[n]) {
            return ours + n;
        }
    }
    return ours;
}

/* Two letters of five may be wrong. A name that is longer than any of ours is near to none. */
bsl_near bsl_near_to(const char *name) {
    size_t length = strlen(name);
    return (bsl_near){name, NULL, length <= LONGEST ? 2 * length / 5 + 1 : 0};
}

void bsl_compare(bsl_near *near, const char *candidate) {
    if (near->distance == 0) {
        return;
    }
    size_t d =
        least(distance(near->name, candidate), distance(near->name, without_verb(candidate)));
    if (d < near->distance) {
        near->found = candidate;
        near->distance = d;
    }
}

void bsl_add_name(lua_State *L, const char *name) {
    lua_pushstring(L, bsl_length(L, -1) == 0 ? "" : ", ");
    lua_pushstring(L, name);
    lua_concat(L, 3);
}

/* --- fields that are not there -------------------------------------------------------------- */

/* What bump.lua, HC, love.physics, windfield, or a beginner's guess call so. */
static const struct hint {
    const char *type;
    const char *names;
    const char *use;
} hints[] = {
    {"World",
     " add addBox addRect create newBody newFixture newRectangleCollider rectangle register ",
     "world:insert"},
    {"World", " addCircle circle newCircle newCircleCollider ", "world:insertCircle"},
    {"World", " addPolygon newPolygon newPolygonCollider polygon ", "world:insertPolygon"},
    {"World", " addCollisionClass setFilter setLayer setMask ",
     "the options layer and mask of world:insert"},
    {"World", " delete kill ", "world:remove"},
    {"World", " destroy removeAll reset resetHash ", "world:clear"},
    {"World", " [number] each getBodies getBoxes getItems items iterate ", "world:boxes"},
    {"World", " countItems getBodyCount length size ", "world:count"},
    {"World", " contains hasItem ", "world:has"},
    {"World", " getRect ", "box:getRect, or world:getRects for many"},
    {"World", " moveTo setPosition setRect teleport ", "world:update"},
    {"World", " project ", "world:check, or world:sweep for the first box alone"},
    {"World", " cast querySegmentWithCoords rayCast rayCastClosest raycast ", "world:segmentCast"},
    {"World", " shapesAt ", "world:queryPoint"},
    {"World", " query queryBoundingBox ", "world:queryRect"},
    {"World", " collisions intersects neighbors overlaps ", "world:queryBox"},
    {"World", " getContactList getContacts onCollision setCallbacks ", "world:contacts"},
    {"World", " save ", "world:snapshot"},
    {"World", " load ", "world:restore"},
    {"World", " draw ", "require(\"broadside.debug\").draw(world)"},
    {"Box",
     " x y z w h d bbox bottom bounds depth getBoundingBox getBounds getPosition getX getY height ",
     "box:getRect and box:setRect"},
    {"Box", " left pos position right setPosition setSize setX setY size top width ",
     "box:getRect and box:setRect"},
    {"Box", " check move moveTo push ", "world:move, world:check or world:push"},
    {"Box", " isTouching touching ", "world:touching"},
    {"Box", " getLinearVelocity setLinearVelocity vx vy vz ",
     "box:getVelocity and box:setVelocity"},
    {"Box", " applyForce ax ay az ", "box:getAcceleration and box:setAcceleration"},
    {"Box", " category getCategory getLayer getMask group layer mask setCategory setLayer setMask ",
     "box:getFilter and box:setFilter"},
    {"Box", " isTrigger setTrigger trigger ", "box:isSensor and box:setSensor"},
    {"Box", " gravity setGravity ", "box:getGravityScale and box:setGravityScale"},
    {"Box", " getUserData kind name setUserData tag type userData userdata ",
     "box:getData and box:setData"},
    {"Box", " angle rotate rotation scale setAngle setRotation setScale ", "box:setTransform"},
    {"Box", " getRadius radius ", "box:getShape"},
    {"Box", " collidesWith overlaps intersects ", "world:queryBox"},
    {"Box", " delete destroy kill ", "box:remove"},
    {"Box", " isDestroyed ", "box:isRemoved"},
    {"Pool", " add emit fire insert shoot ", "pool:spawn"},
    {"Pool", " delete kill remove ", "pool:free"},
    {"Pool", " update ", "pool:step"},
    {"Pool", " [number] getAll iterate ", "pool:each"},
    {"Pool", " draw ", "pool:each, or require(\"broadside.draw\").pool(pool)"},
    {"Emitter", " x y ", "emitter:setPosition"},
    {"hit", " kind reaction type ", "response"},
    {"hit", " normal normalX normalY normal_x normal_y ", "nx and ny"},
    {"hit", " contact place point pos position px py touch touchX touchY ", "x and y"},
    {"hit", " fraction ti time ", "t"},
    {"hit", " body box collider data entity item object shape ", "other"},
};

/* Pushes what is to be used instead; false: nothing is known, and nothing is pushed. */
static bool push_hint(lua_State *L, const char *type, const char *name) {
    bool found = false;
    const char *word = lua_pushfstring(L, " %s ", name);
    for (size_t i = 0; !found && i < sizeof hints / sizeof *hints; i++) {
        found = strcmp(hints[i].type, type) == 0 && strstr(hints[i].names, word) != NULL;
        if (found) {
            lua_pushfstring(L, "; use %s", hints[i].use);
            lua_replace(L, -2);
        }
    }
    if (!found) {
        lua_pop(L, 1);
    }
    return found;
}

/* Pushes the methods of a class, and returns the one that is nearest. */
static bsl_near push_methods(lua_State *L, const char *class, const char *name) {
    bsl_near near = bsl_near_to(name);
    lua_pushliteral(L, "");
    for (const bsl_group *group = bsl_groups; group->functions != NULL; group++) {
        bool is_of_it = group->class != NULL && strcmp(group->class, class) == 0;
        for (const luaL_Reg *row = group->functions; is_of_it && row->name != NULL; row++) {
            if (strncmp(row->name, "__", 2) != 0) {
                bsl_compare(&near, row->name);
                bsl_add_name(L, row->name);
            }
        }
    }
    return near;
}

/* Pushes the fields of rows that tell what was met, and returns the one that is nearest. */
static bsl_near push_fields(lua_State *L, const char *name) {
    bsl_near near = bsl_near_to(name);
    lua_pushliteral(L, "");
    for (int i = BSL_OTHER; i < BSL_NAMES; i++) {
        if (DIM == 3 || (i != BSL_Z && i != BSL_NZ)) {
            bsl_compare(&near, bsl_names[i]);
            bsl_add_name(L, bsl_names[i]);
        }
    }
    return near;
}

/* Where values are kept that do not belong to the library; "": nowhere. */
static const char *place_for_values(const char *type) {
    bool has_data = strcmp(type, "Box") == 0;
    return has_data ? "; values of yours go into its data: setData, getData" : "";
}

/*
 * Pushes what there is to say of a name that is read, and that no hint is about. Rows have no
 * class.
 */
static void push_names(lua_State *L, const char *class, const char *type, const char *name) {
    bsl_near near = class != NULL ? push_methods(L, class, name) : push_fields(L, name);
    const char *names = lua_tostring(L, -1);
    if (near.found != NULL) {
        lua_pushfstring(L, "; did you mean '%s'?", near.found);
    } else {
        lua_pushfstring(L, "%s; its %s: %s", place_for_values(type),
                        class != NULL ? "methods" : "fields", *names != '\0' ? names : "none");
    }
    lua_remove(L, -2);
}

/* Pushes the line that asks for the field: also where ipairs does so, in Lua 5.3 and 5.4. */
static void push_where(lua_State *L) {
    luaL_where(L, 1);
    if (bsl_length(L, -1) == 0) {
        lua_pop(L, 1);
        luaL_where(L, 2);
    }
}

int bsl_no_field(lua_State *L) {
    enum { KEY = 2, VALUE, SHOWN = 60 };
    const char *class = lua_tostring(L, lua_upvalueindex(1));
    const char *type = lua_tostring(L, lua_upvalueindex(2));
    bool is_name = lua_type(L, KEY) == LUA_TSTRING;
    bool is_set = !lua_isnone(L, VALUE);
    const char *name =
        is_name ? bsl_to_name(L, KEY) : lua_pushfstring(L, "[%s]", luaL_typename(L, KEY));
    int first = lua_gettop(L) + 1;
    push_where(L);
    lua_pushfstring(L, is_name ? "%s has no '" : "%s has no ", type);
    lua_pushlstring(L, name, least(strlen(name), SHOWN));
    lua_pushfstring(L, is_name ? "'%s" : "%s", is_set ? " to set" : "");
    if (!push_hint(L, type, name)) {
        if (is_set) {
            lua_pushstring(L, place_for_values(type));
        } else {
            push_names(L, class, type, name);
        }
    }
    lua_concat(L, lua_gettop(L) - first + 1);
    return lua_error(L);
}

int bsl_no_hit_field(lua_State *L) {
    const char *name = bsl_to_name(L, 2);
    if (lua_type(L, 2) != LUA_TSTRING) {
        return 0;
    }
    for (int i = BSL_OTHER; i < BSL_NAMES; i++) {
        if (strcmp(name, bsl_names[i]) == 0) {
            return 0;
        }
    }
    return bsl_no_field(L);
}
