/* The engine's way to pictures, files and listings: fields of solutions and expressions as plain arrays, gathered on rank 0. */
#ifndef ENGINE_FILES_H
#define ENGINE_FILES_H
#include "engine.h"

Status files_plot(Engine *engine, const PlotRequest *request, Mesh *mesh, const World *world, Diags *diags, Span span);
Status files_export(Engine *engine, Solution *const *sols, int n, const char *path, Diags *diags, Span span);
Status files_save(Engine *engine, const Solution *sol, const char *path, const char *pde_source, Diags *diags, Span span);
Status files_load(Engine *engine, const char *path, Diags *diags, Span span, Pde *(*rebuild)(void *user, const char *pde_source), void *user, Solution **out);
Status files_kernel_text(Engine *engine, Pde *pde, const char *what, Diags *diags, Buf *out);

#endif
