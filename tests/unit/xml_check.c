#include "xml_check.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_end(const char *p) {
  while (isalnum((unsigned char)*p) || strchr("_-:.", *p)) {
    if (!*p) break;
    p++;
  }
  return p;
}

static const char *entity_end(const char *p) {
  static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strncmp(p, known[i], strlen(known[i]))) return p + strlen(known[i]);
  return NULL;
}

/* Attributes up to > or />; NULL: broken. */
static const char *attributes_end(const char *p) {
  for (;;) {
    const char *start = p;
    while (isspace((unsigned char)*p)) p++;
    if (*p == '>' || (*p == '/' && p[1] == '>') || (*p == '?' && p[1] == '>')) return p;
    const char *end = name_end(p);
    if (end == p || start == p || *end != '=' || (end[1] != '"' && end[1] != '\'')) return NULL;
    char quote = end[1];
    for (p = end + 2; *p && *p != quote; p++) {
      if (*p == '<') return NULL;
      if (*p == '&') { p = entity_end(p); if (!p) return NULL; p--; }
    }
    if (!*p++) return NULL;
  }
}

const char *xml_check(const char *text, size_t n) {
  const char *stack[64], *p = text, *end = text + n;
  size_t length[64];
  int depth = 0, roots = 0;
  while (p < end) {
    if (*p == '&') { const char *q = entity_end(p); if (!q) return p; p = q; continue; }
    if (*p != '<') {
      if (!depth && !isspace((unsigned char)*p)) return p;
      p++;
      continue;
    }
    if (!strncmp(p, "<!--", 4)) { p = strstr(p, "-->"); if (!p) return text; p += 3; continue; }
    if (p[1] == '?') { const char *q = attributes_end(name_end(p + 2)); if (!q || *q != '?') return p; p = q + 2; continue; }
    if (p[1] == '/') {
      const char *q = name_end(p + 2);
      if (!depth || (size_t)(q - p - 2) != length[depth - 1] || strncmp(p + 2, stack[depth - 1], length[depth - 1]) || *q != '>') return p;
      depth--;
      p = q + 1;
      continue;
    }
    const char *name = p + 1, *after = name_end(name), *q = attributes_end(after);
    if (after == name || !q) return p;
    if (!depth && roots++) return p;
    if (*q == '/') { p = q + 2; continue; }
    if (depth == 64) return p;
    stack[depth] = name;
    length[depth++] = (size_t)(after - name);
    p = q + 1;
    if (!strncmp(name, "AppendedData", 12)) {          /* raw bytes: the closing tag is the last in the file */
      const char *close = end - 1;
      while (close > p && strncmp(close, "</AppendedData>", 15)) close--;
      p = close;
    }
  }
  return depth || roots != 1 ? end : NULL;
}

char *file_read(const char *path, size_t *n) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = malloc((size_t)size + 1);
  *n = fread(text, 1, (size_t)size, file);
  text[*n] = 0;
  fclose(file);
  return text;
}
