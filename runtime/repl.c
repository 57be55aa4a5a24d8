/* The interactive session on a terminal or a pipe. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "provider.h"
#include "repl_line.h"
#include "repl_session.h"

static Session *session;      /* for the callbacks of line editing, which take no argument */
static Buf pending;           /* earlier lines of the input that is being typed */
static const LineApi *editor; /* NULL: plain lines */

/* --- line editing --- */

static char *history_path(void) {
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  Buf path = {0};
  if (state && *state) buf_puts(&path, state);
  else if (home && *home) buf_printf(&path, "%s/.local/state", home);
  else return NULL;
  buf_puts(&path, "/pde/history");
  for (char *s = path.text + 1; *s; s++)
    if (*s == '/') {
      *s = 0;
      mkdir(path.text, 0700);
      *s = '/';
    }
  return path.text;
}

static int complete(const char *before, char ***out) {
  Buf text = {0};
  size_t start;
  if (pending.len) buf_printf(&text, "%s\n", buf_str(&pending));
  buf_puts(&text, before);
  int n = session_complete(session, buf_str(&text), &start, out);
  buf_free(&text);
  return n;
}

static int wants_files(const char *line) {
  line += strspn(line, " ");
  return (!strncmp(line, ":l", 2) || !strncmp(line, ":sa", 3)) && strchr(line, ' ') != NULL;
}

static void start_editor(void) {
  Buf why = {0};
  editor = provider_exists("line") ? provider_table("line", LINE_ABI, &why) : NULL;
  buf_free(&why);
  if (editor) editor->start(&(LineOptions){.history = history_path(), .complete = complete, .wants_files = wants_files, .interrupted = &command_interrupted});
}

/* --- lines --- */

static bool terminal(void) { return isatty(STDIN_FILENO); }

static char *plain_line(const char *prompt) {
  if (terminal()) {
    fputs(prompt, stdout);
    fflush(stdout);
  }
  char *line = NULL;
  size_t size = 0;
  ssize_t n = getline(&line, &size, stdin);
  if (n < 0) {
    free(line);
    return NULL;
  }
  while (n && (line[n - 1] == '\n' || line[n - 1] == '\r')) line[--n] = 0;
  return line;
}

static char *read_line(const char *prompt) {
  command_interrupted = 0;
  command_at_prompt = terminal();
  char *line = editor ? editor->read(prompt) : plain_line(prompt);
  command_at_prompt = 0;
  if (command_interrupted && line) {     /* drops the line and what came before it */
    free(line);
    line = strdup("");
    buf_clear(&pending);
  }
  return line;
}

/* --- the loop --- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void evaluate(const char *text) {
  double start = now();
  session_eval(session, text, "<input>", true);
  command_progress_clear();
  if (session->show_time) command_print("%.4f s\n", now() - start);
}

/* `##` lines document the declaration that follows. */
static bool only_documentation(const char *text) {
  while (*(text += strspn(text, " \t\n"))) {
    if (strncmp(text, "##", 2)) return false;
    text += strcspn(text, "\n");
  }
  return true;
}

static void take_line(const char *line) {
  if (pending.len && only_documentation(pending.text) && line[strspn(line, " \t")] == ':') buf_clear(&pending);
  if (!pending.len && line[strspn(line, " \t")] == ':') {
    session_command(session, line + strspn(line, " \t"));
    return;
  }
  if (!pending.len && line[strspn(line, " \t")] == '?') {     /* ?name, as elsewhere */
    Buf command = {0};
    buf_printf(&command, ":doc %s", line + strspn(line, " \t?"));
    session_command(session, buf_str(&command));
    buf_free(&command);
    return;
  }
  if (pending.len) buf_putc(&pending, '\n');
  buf_puts(&pending, line);
  if (!pending.text[strspn(pending.text, " \t\n")]) {
    buf_clear(&pending);
    return;
  }
  if (only_documentation(pending.text) || session_incomplete(session, pending.text)) return;
  char *text = strdup(pending.text);
  buf_clear(&pending);
  evaluate(text);
  free(text);
}

ExitStatus repl_run(Host *host) {
  session = session_open(host);
  if (terminal()) {
    start_editor();
    command_print("pde %s. :help shows what there is, Ctrl-D leaves.\n", PDE_VERSION);
  }
  char *line = NULL;
  while (!session->leave && !(host->interrupt && !terminal()) && (line = read_line(pending.len ? SESSION_MORE : SESSION_PROMPT))) {
    char *text = session_strip_prompts(line);
    if (editor) editor->remember(text);
    take_line(text);
    free(text);
    free(line);
    fflush(stdout);
  }
  if (pending.len) evaluate(pending.text);     /* the input ended inside a construct: says so */
  if (terminal() && !session->leave) command_print("\n");
  if (editor) editor->stop();
  ExitStatus status = terminal() ? EXIT_DONE : session->worst;
  buf_free(&pending);
  session_close(session);
  session = NULL;
  return status;
}
