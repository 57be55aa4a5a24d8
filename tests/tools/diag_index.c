/* diag_index: docs/diagnostics.md from lang/diag.def, on standard output.
 * diag_index DIR: the example scripts instead, as DIR/CODE.bad.pde and DIR/CODE.good.pde. */
#include <stdio.h>
#include <string.h>

enum { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };
enum {
  EXIT_DONE = 0, EXIT_INPUT = 1, EXIT_CONTRACT = 2, EXIT_CLARIFY = 3, EXIT_UNSUPPORTED = 4, EXIT_NUMERICS = 5, EXIT_BUDGET = 6, EXIT_ENVIRONMENT = 7,
  EXIT_BUG = 70, EXIT_INTERRUPT = 130
};

static const struct Row { const char *code, *name; int severity, status; const char *title, *doc, *bad, *good; } rows[] = {
#define DIAG(code, name, severity, status, title, doc, bad, good) {#code, #name, severity, status, title, doc, bad, good},
#include "diag.def"
#undef DIAG
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct { int from; const char *title; } rooms[] = {
  {1, "Text and syntax"}, {100, "Names"}, {200, "Declarations, boundaries, regions"}, {300, "Shapes and units"}, {400, "Equations and well-posedness"},
  {500, "Values and calls"}, {900, "Not in this build; commands"}, {1000, "Geometry and mesh"}, {2000, "Numerics"}, {2100, "Kernels"}, {2500, "Files and pictures"},
  {3000, "Contracts"}, {4000, "Discovery"}, {5000, "Surrogates"}, {6000, "Agents"}, {7000, "Specifications"},
};
enum { ROOMS = sizeof rooms / sizeof *rooms };

static int number(const char *code) {
  int n = 0;
  for (const char *c = code + 1; *c; c++) n = 10*n + (*c - '0');
  return n;
}

static void script(const char *what, const char *text) {
  if (!text) return;
  printf("%s\n\n", what);
  while (*text) {
    const char *end = strchr(text, '\n');
    int n = end ? (int)(end - text) : (int)strlen(text);
    printf("    ");
    for (int i = 0; i < n; i++) {
      unsigned char c = (unsigned char)text[i];
      if (c == 0xFF) printf("\\xFF");
      else putchar(c);
    }
    putchar('\n');
    text += n + (end != NULL);
  }
  putchar('\n');
}

static void index_page(void) {
  static const char *const words[] = {"error", "warning", "note"};
  printf("# Diagnostics\n\n"
         "Every message has a code, which does not change; `pde doc CODE` prints what stands here. The status is that with which the command ends: 1 the\n"
         "input is wrong, 2 a contract failed, 4 not supported, 5 the numerics failed, 7 the environment lacks something, 70 a bug, 130 an interrupt.\n"
         "This page is written by tests/tools/diag_index.c from lang/diag.def; a test keeps it true.\n");
  for (int r = 0; r < ROOMS; r++) {
    int last = r + 1 < ROOMS ? rooms[r + 1].from : 1 << 30, some = 0;
    for (int i = 0; i < ROWS; i++) {
      int n = number(rows[i].code);
      if (n < rooms[r].from || n >= last) continue;
      if (!some++) printf("\n## %s\n", rooms[r].title);
      printf("\n### %s %s\n\n%s (%s, status %d). %s\n\n", rows[i].code, rows[i].name, rows[i].title, words[rows[i].severity], rows[i].status, rows[i].doc);
      script("Causes it:", rows[i].bad);
      script("Mends it:", rows[i].good);
    }
  }
}

static int write_script(const char *dir, const char *code, const char *which, const char *text) {
  char path[4096];
  if (!text) return 0;
  snprintf(path, sizeof path, "%s/%s.%s.pde", dir, code, which);
  FILE *out = fopen(path, "w");
  if (!out) return 1;
  fputs(text, out);
  return fclose(out) != 0;
}

int main(int argc, char **argv) {
  int failed = 0;
  if (argc < 2) index_page();
  for (int i = 0; argc > 1 && i < ROWS; i++) failed |= write_script(argv[1], rows[i].code, "bad", rows[i].bad) | write_script(argv[1], rows[i].code, "good", rows[i].good);
  return failed;
}
