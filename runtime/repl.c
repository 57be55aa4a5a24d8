/* The interactive session on a terminal or a pipe. The only file with readline. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "repl_session.h"

#ifdef PDE_WITH_READLINE
#define _FUNCTION_DEF      /* its old name for a type is ours */
#include <readline/history.h>
#include <readline/readline.h>
#endif

static Session *session;      /* for readline's callbacks, which take no argument */
static Buf pending;           /* earlier lines of the input that is being typed */

/* --- history --- */

#ifdef PDE_WITH_READLINE
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

/* --- completion --- */

static char **candidates;
static int ncandidates, next_candidate;

static char *next_match(const char *word, int state) {
  (void)word;
  if (!state) next_candidate = 0;
  return next_candidate < ncandidates ? candidates[next_candidate++] : NULL;     /* readline frees it */
}

static char **complete(const char *word, int start, int end) {
  (void)word;
  Buf before = {0};
  if (pending.len) buf_printf(&before, "%s\n", buf_str(&pending));
  buf_add(&before, rl_line_buffer, (size_t)end);
  const char *line = rl_line_buffer + strspn(rl_line_buffer, " ");
  rl_attempted_completion_over = 1;
  rl_completion_append_character = 0;
  if ((!strncmp(line, ":l", 2) || !strncmp(line, ":sa", 3)) && strchr(line, ' ')) {
    rl_attempted_completion_over = 0;     /* file names */
    buf_free(&before);
    return NULL;
  }
  size_t from;
  candidates = NULL;
  ncandidates = session_complete(session, buf_str(&before), &from, &candidates);
  (void)start;
  char **matches = rl_completion_matches(word, next_match);
  free(candidates);
  candidates = NULL;
  buf_free(&before);
  return matches;
}

/* --- Ctrl-C at the prompt --- */

/* Reads a key; an interrupt ends the line, which read_line then drops. */
static int read_key(FILE *in) {
  for (;;) {
    unsigned char key;
    ssize_t n = read(fileno(in), &key, 1);
    if (n == 1) return key;
    if (n == 0 || errno != EINTR) return EOF;
    rl_check_signals();     /* restores the terminal, lets our handler see the signal */
    if (command_prompt == PROMPT_INTERRUPTED) {
      rl_replace_line("", 0);
      return '\n';
    }
  }
}

static void start_readline(void) {
  rl_readline_name = "pde";
  rl_attempted_completion_function = complete;
  rl_basic_word_break_characters = " \t\n\"'@$><=;|&{(,)}[]+-*/^:.!";
  rl_completer_word_break_characters = rl_basic_word_break_characters;
  rl_getc_function = read_key;
  rl_variable_bind("enable-bracketed-paste", "off");     /* a pasted transcript is lines, each with its prompt */
  using_history();
  stifle_history(2000);
  char *path = history_path();
  if (path) read_history(path);
  free(path);
}

static void remember(const char *line) {
  HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
  if (*line && (!last || strcmp(last->line, line))) add_history(line);
}

static void stop_readline(void) {
  char *path = history_path();
  if (path && write_history(path) == 0) chmod(path, 0600);
  free(path);
}
#else
static void start_readline(void) {}
static void remember(const char *line) { (void)line; }
static void stop_readline(void) {}
#endif

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
  command_prompt = terminal() ? PROMPT_WAITING : PROMPT_NONE;
#ifdef PDE_WITH_READLINE
  char *line = terminal() ? readline(prompt) : plain_line(prompt);
#else
  char *line = plain_line(prompt);
#endif
  if (command_prompt == PROMPT_INTERRUPTED && line) {     /* drops the line and what came before it */
    free(line);
    line = strdup("");
    buf_clear(&pending);
  }
  command_prompt = PROMPT_NONE;
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
    start_readline();
    command_print("pde %s. :help shows what there is, Ctrl-D leaves.\n", PDE_VERSION);
  }
  char *line = NULL;
  while (!session->leave && !(host->interrupt && !terminal()) && (line = read_line(pending.len ? SESSION_MORE : SESSION_PROMPT))) {
    char *text = session_strip_prompts(line);
    if (terminal()) remember(text);
    take_line(text);
    free(text);
    free(line);
    fflush(stdout);
  }
  if (pending.len) evaluate(pending.text);     /* the input ended inside a construct: says so */
  if (terminal() && !session->leave) command_print("\n");
  if (terminal()) stop_readline();
  ExitStatus status = terminal() ? EXIT_DONE : session->worst;
  buf_free(&pending);
  session_close(session);
  session = NULL;
  return status;
}
