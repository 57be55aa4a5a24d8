/* The standard library, embedded: files of stdlib/ by path without ".pde". */
#ifndef STDLIB_DATA_H
#define STDLIB_DATA_H

typedef struct StdlibFile {
  const char *path, *text;
  unsigned long len;
} StdlibFile;

extern const StdlibFile stdlib_files[];
extern const int stdlib_count;

#endif
