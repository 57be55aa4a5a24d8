/* Finds the mesh generator: gmsh.so in $PDE_LIBDIR, beside the file this code is in, or where it was installed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "mesh_gmsh.h"

#ifndef PDE_PROVIDER_DIR
#define PDE_PROVIDER_DIR "/usr/local/lib/pde"
#endif

#if defined PDE_WITH_GMSH && !PDE_WITH_GMSH

const GmshApi *mesh_provider(Buf *why) {
  buf_puts(why, "this pde was built without Gmsh");
  return NULL;
}

#else

static void try_directory(Buf *list, const char *directory, const char *end) {
  if (!directory || !*directory) return;
  if (list->len) buf_putc(list, ':');
  buf_add(list, directory, end ? (size_t)(end - directory) : strlen(directory));
}

const GmshApi *mesh_provider(Buf *why) {
  Buf list = {0};
  Dl_info here;
  try_directory(&list, getenv("PDE_LIBDIR"), NULL);
  if (dladdr((void *)mesh_provider, &here) && here.dli_fname) try_directory(&list, here.dli_fname, strrchr(here.dli_fname, '/'));
  try_directory(&list, PDE_PROVIDER_DIR, NULL);
  const GmshApi *api = NULL;
  for (const char *p = buf_str(&list); *p && !api;) {
    size_t n = strcspn(p, ":");
    Buf path = {0};
    buf_add(&path, p, n);
    buf_puts(&path, "/gmsh.so");
    void *library = dlopen(buf_str(&path), RTLD_LAZY | RTLD_LOCAL);   /* stays: Gmsh does not survive being unloaded */
    ProviderEntry entry = library ? (ProviderEntry)dlsym(library, "pde_provider") : NULL;
    if (entry) api = entry(GMSH_ABI);
    if (entry && !api) buf_printf(why, "%s%s belongs to another version of pde", why->len ? "; " : "", buf_str(&path));
    else if (!api) buf_printf(why, "%s%s", why->len ? "; " : "", dlerror());
    buf_free(&path);
    p += n + (p[n] == ':');
  }
  buf_free(&list);
  return api;
}

#endif
