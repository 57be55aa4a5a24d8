/* The command: rows of command.def, their arguments, and what the commands share. A client of the host. */
#ifndef COMMAND_H
#define COMMAND_H
#include <signal.h>

#include "host.h"
#include "json.h"

struct Invocation;
typedef ExitStatus (*CommandRun)(struct Invocation *in);

typedef struct CommandRow {
  const char *name;
  const char *synopsis;      /* "FILE [-D name=value]... [--json]": arguments are parsed by it */
  const char *exits;         /* the statuses it can end with */
  const char *title, *doc;   /* one line; paragraphs for the man page */
  CommandRun run;            /* NULL: not in this build (E0900) */
} CommandRow;

extern const CommandRow command_rows[];
extern const int command_count;
const CommandRow *command_row(const char *name);     /* NULL: no such command */

enum { INVOCATION_OPTIONS = 64, INVOCATION_ARGUMENTS = 1024 };

typedef struct Invocation {
  const CommandRow *row;
  Host *host;
  const char *arguments[INVOCATION_ARGUMENTS]; int narguments;
  struct { const char *name, *value; } options[INVOCATION_OPTIONS]; int noptions;
  char **rest; int nrest;    /* after -- */
  bool json, quiet;
  Json *result;              /* of the JSON envelope; owned */
  Json *budget, *next;       /* of it too, where they apply; owned */
  bool charges; int charged; /* the command may cost; what it did cost */
} Invocation;

/* argv: what follows the command's name. Reports E0960. */
bool invocation_parse(Invocation *in, int argc, char **argv);
const char *invocation_option(const Invocation *in, const char *name);    /* value, "" for a flag, NULL: not given */

/* cmd_host.c: a host whose output goes to the terminal, with progress and Ctrl-C. */
Host *command_host(void);
void command_host_free(Host *host);
void command_progress_clear(void);            /* before anything else is written to the terminal */
bool command_first_rank(void);                /* before the engine is loaded: by what mpiexec tells */
char *command_read(Host *host, const char *path, size_t *len);            /* malloc; NULL after a report (E0961) */
Module *command_load(Invocation *in, const char *path);                   /* reads and parses; NULL after reports */
void command_print(const char *format, ...) __attribute__((format(printf, 1, 2)));   /* standard output, first rank */
void command_use_options(Invocation *in);     /* -D, --out, --, --quiet, --json of the row */

/* cmd_json.c */
void command_envelope(Invocation *in, ExitStatus status, double seconds);

void command_versions(Host *host, Buf *out);  /* cmd_version.c: of the libraries, a line each */

/* cmd_help.c: from the rows. */
void help_overview(Buf *out);
void help_command(Buf *out, const CommandRow *row);
void help_man(Buf *out);

/* Ctrl-C while the session waits for a line clears it. */
extern volatile sig_atomic_t command_at_prompt, command_interrupted;

#define COMMAND(id, synopsis, exits, title, doc, run) ExitStatus run(Invocation *in);
#define LATER(id, synopsis, title)
#include "command.def"
#undef COMMAND
#undef LATER

ExitStatus repl_run(Host *host);              /* repl.c: until the end of the input */

#endif
