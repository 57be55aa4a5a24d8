/* Renderers: what a projection becomes. Rows of view.def. Whatever comes from a record is text to them: nothing of it is markup, a formula of a
 * spreadsheet or a command of a terminal. */
#ifndef RENDER_H
#define RENDER_H
#include "json.h"
#include "projection.h"

typedef struct RenderOptions {
  bool colour;
  int columns;             /* of the terminal; 0: unknown */
} RenderOptions;

typedef struct RendererRow {
  const char *name, *extension;
  ProjectedPictures pictures;
  const char *doc;
  void (*render)(Buf *out, const Projection *p, const RenderOptions *options);
} RendererRow;

extern const RendererRow renderers[];
extern const int renderer_count;
const RendererRow *renderer_find(const char *name);
const RendererRow *renderer_of_path(const char *path);      /* by extension; NULL: none */

#define RENDERER(name, extension, pictures, doc, render) void render(Buf *out, const Projection *p, const RenderOptions *options);
#include "view.def"
#undef RENDERER

Json *projection_json(const Projection *p);                 /* owned */

/* A cell for people: "" where nothing is; numbers to four digits unless the column has a format. */
void render_cell(Buf *out, const ProjectedColumn *column, const Cell *cell);
bool render_is_number(const ProjectedColumn *column);
double render_number(const ProjectedColumn *column, const Cell *cell);     /* in the unit of the column */
void render_head(Buf *out, const ProjectedColumn *column);  /* name [unit] */
void render_rows_note(Buf *out, const ProjectedBlock *b);   /* "no rows", "50 of 10,000 rows", or nothing */

/* Equations are kept as text and MathML. */
size_t equation_text(const char *cell);                     /* length of the text */
const char *equation_mathml(const char *cell);              /* NULL: none */

/* The next character of a text that may hold anything: its bytes (1 to 4); *valid: it is UTF-8 and no control character. */
int text_next(const char *s, bool *valid);
int text_width(const char *s);                              /* characters */

#endif
