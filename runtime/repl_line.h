/* Line editing, a provider of its own (line.so): the libraries under it are loaded for a session on a terminal and for nothing else. */
#ifndef REPL_LINE_H
#define REPL_LINE_H
#include <signal.h>
#include <stddef.h>

enum { LINE_ABI = 1 };

typedef struct LineOptions {
  const char *history;           /* file; NULL: none is kept */
  /* Candidates for the end of `before` (the line up to the cursor): *out and its items are taken over. */
  int (*complete)(const char *before, char ***out);
  /* Names of files are wanted there. */
  int (*wants_files)(const char *line);
  const volatile sig_atomic_t *interrupted;    /* becomes nonzero when Ctrl-C was pressed: the line ends and is dropped */
} LineOptions;

typedef struct LineApi {
  int abi;
  void (*start)(const LineOptions *options);
  char *(*read)(const char *prompt);           /* malloc; NULL: the input ended */
  void (*remember)(const char *line);
  void (*stop)(void);                          /* writes the history */
} LineApi;

#endif
