/* The only file with readline. */
#include "repl_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

static LineOptions options;      /* readline has one terminal and callbacks without an argument */
static char **candidates;
static int ncandidates, next_candidate;

static char *next_match(const char *word, int state) {
  (void)word;
  if (!state) next_candidate = 0;
  return next_candidate < ncandidates ? candidates[next_candidate++] : NULL;     /* readline frees it */
}

static char **complete(const char *word, int start, int end) {
  (void)start;
  rl_completion_append_character = 0;
  rl_attempted_completion_over = !options.wants_files(rl_line_buffer);
  if (!rl_attempted_completion_over) return NULL;
  char *before = strndup(rl_line_buffer, (size_t)end);
  candidates = NULL;
  ncandidates = options.complete(before, &candidates);
  char **matches = rl_completion_matches(word, next_match);
  free(candidates);
  free(before);
  candidates = NULL;
  return matches;
}

/* Reads a key; an interrupt ends the line. */
static int read_key(FILE *in) {
  for (;;) {
    unsigned char key;
    ssize_t n = read(fileno(in), &key, 1);
    if (n == 1) return key;
    if (n == 0 || errno != EINTR) return EOF;
    rl_check_signals();     /* restores the terminal, lets the command's handler see the signal */
    if (*options.interrupted) {
      rl_replace_line("", 0);
      return '\n';
    }
  }
}

static void line_start(const LineOptions *o) {
  options = *o;
  rl_readline_name = "pde";
  rl_attempted_completion_function = complete;
  rl_basic_word_break_characters = " \t\n\"'@$><=;|&{(,)}[]+-*/^:.!";
  rl_completer_word_break_characters = rl_basic_word_break_characters;
  rl_getc_function = read_key;
  rl_variable_bind("enable-bracketed-paste", "off");     /* a pasted transcript is lines, each with its prompt */
  /* no question before a long list: Ctrl-C at it would free the list that readline then shows */
  rl_completion_query_items = -1;
  rl_variable_bind("page-completions", "off");
  using_history();
  stifle_history(2000);
  if (options.history) read_history(options.history);
}

static void line_remember(const char *line) {
  HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
  if (*line && (!last || strcmp(last->line, line))) add_history(line);
}

static void line_stop(void) {
  if (options.history && write_history(options.history) == 0) chmod(options.history, 0600);
}

static const LineApi api = {.abi = LINE_ABI, .start = line_start, .read = readline, .remember = line_remember, .stop = line_stop};

__attribute__((visibility("default"))) const void *pde_provider(int abi);
const void *pde_provider(int abi) { return abi == LINE_ABI ? &api : NULL; }
