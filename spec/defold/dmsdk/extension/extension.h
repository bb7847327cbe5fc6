/* extension.h: a stand-in for Defold's header, with what Broadside uses of it. */
#ifndef DMSDK_EXTENSION_H
#define DMSDK_EXTENSION_H

#include <stdint.h>

typedef enum { EXTENSION_RESULT_OK = 0, EXTENSION_RESULT_INIT_ERROR = -1 } ExtensionResult;

typedef struct ExtensionParams {
    void *m_ConfigFile;
    struct lua_State *m_L;
} ExtensionParams;

typedef ExtensionResult (*FExtensionInitialize)(ExtensionParams *);

void ExtensionRegister(void *desc, uint32_t size, const char *name, void *app_initialize,
                       void *app_finalize, FExtensionInitialize initialize,
                       FExtensionInitialize finalize, FExtensionInitialize update, void *on_event);

#endif
