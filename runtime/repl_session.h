/* An interactive session: texts evaluated one after the other in one file scope. No terminal here. */
#ifndef REPL_SESSION_H
#define REPL_SESSION_H
#include "command.h"
#include "eval.h"

typedef struct Session {
  Host *host;
  Module *module;                /* its scope is the session's */
  Program **programs; int nprograms;   /* of all inputs: values point into them */
  char **inputs; int ninputs;    /* that ran without an error, for :save */
  struct { Name name, cause; } *stale; int nstale;   /* made before `cause` was redefined */
  bool show_time;
  bool leave;                    /* :quit */
  ExitStatus worst;
} Session;

Session *session_open(Host *host);
void session_close(Session *session);

/* More lines are needed before the text can be read. */
bool session_incomplete(Session *session, const char *text);
/* Evaluates a text; bare expressions are printed unless echo is off or the text ends with `;`. The session survives every error. */
ExitStatus session_eval(Session *session, const char *text, const char *path, bool echo);
/* The value of an expression, computed as while checking (dry) or really; NULL after a report. Owned. */
Value *session_value(Session *session, const char *text, bool dry);
Slot *session_slot(Session *session, const char *name);      /* NULL: no such name */

/* repl_commands.c: a line that starts with ':'. */
ExitStatus session_command(Session *session, const char *line);
typedef struct SessionCommand {
  const char *name, *argument, *doc;
  void (*run)(Session *session, const char *argument);
} SessionCommand;
extern const SessionCommand session_commands[];              /* ended by a row without a name */

/* repl_complete.c: what may stand at the end of `before` (the text up to the cursor, earlier lines of an input included). *start: offset of the word that
 * is completed. Every item is owned by the caller, as is the array. */
int session_complete(Session *session, const char *before, size_t *start, char ***out);

/* What was typed without the prompts of a pasted transcript; malloc. */
char *session_strip_prompts(const char *line);
#define SESSION_PROMPT "pde> "
#define SESSION_MORE "...> "

#endif
