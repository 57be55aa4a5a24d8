/* builtin_examples DIR: the example of every builtin as DIR/NAME.pde, and the result that it names as DIR/NAME.txt; the examples of kinds of
 * declarations as DIR/kind-WORD.pde. Prints the names, and those that have none after "without". */
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "doc_kinds.h"

static int write_text(const char *dir, const char *name, const char *suffix, const char *text, size_t n) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s%s", dir, name, suffix);
  FILE *file = fopen(path, "wb");
  int fault = !file || fwrite(text, 1, n, file) != n || fputc('\n', file) == EOF;
  if (file && fclose(file)) fault = 1;
  if (fault) perror(path);
  return fault;
}

int main(int argc, char **argv) {
  int fault = 0;
  if (argc != 2) return fprintf(stderr, "usage: builtin_examples DIR\n"), 1;
  for (int i = 0; i < builtin_count(); i++) {
    const BuiltinRow *row = builtin_at(i);
    if (!row->example) {
      printf("%s without\n", row->name);
      continue;
    }
    const char *arrow = strstr(row->example, " -> ");
    size_t n = arrow ? (size_t)(arrow - row->example) : strlen(row->example);
    printf("%s%s\n", row->name, arrow ? " result" : "");
    fault |= write_text(argv[1], row->name, ".pde", row->example, n);
    if (arrow) fault |= write_text(argv[1], row->name, ".txt", arrow + 4, strlen(arrow + 4));
  }
  for (const KindPage *page = kind_pages; page->word; page++) {
    char name[64];
    snprintf(name, sizeof name, "kind-%s", page->word);
    printf("%s\n", name);
    fault |= write_text(argv[1], name, ".pde", page->example, strlen(page->example));
  }
  return fault;
}
