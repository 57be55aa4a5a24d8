/* Arguments of a command, parsed by the synopsis of its row. */
#include <ctype.h>
#include <string.h>

#include "command.h"

const CommandRow command_rows[] = {
#define COMMAND(id, synopsis, exits, title, doc, run) {id, synopsis, exits, title, doc, run},
#define LATER(id, synopsis, title) {id, synopsis, "4", title, NULL, NULL},
#include "command.def"
#undef COMMAND
#undef LATER
};
const int command_count = sizeof command_rows / sizeof *command_rows;

const CommandRow *command_row(const char *name) {
  for (int i = 0; i < command_count; i++)
    if (!strcmp(command_rows[i].name, name)) return &command_rows[i];
  return NULL;
}

/* The next word of a synopsis without brackets and dots. */
typedef struct Word {
  char text[32];
  bool optional, many;
} Word;

static const char *next_word(const char *s, Word *word) {
  while (*s == ' ' || *s == ']' || *s == '.') s++;
  if (!*s) return NULL;
  word->optional = *s == '[';
  if (word->optional) s++;
  size_t n = strcspn(s, " ].");
  if (n >= sizeof word->text) n = sizeof word->text - 1;
  memcpy(word->text, s, n);
  word->text[n] = 0;
  s += n;
  word->many = *s == '.';
  return s;
}

/* Looks for an option in the synopsis. takes_value: a word that is no option follows inside its brackets, or before the next blank. */
static bool option_known(const char *synopsis, const char *name, bool *takes_value) {
  Word word;
  for (const char *s = synopsis; (s = next_word(s, &word));) {
    if (strcmp(word.text, name)) continue;
    *takes_value = *s == ' ' && s[1] != '[' && s[1] != '-';     /* "[--x VALUE]", "-o FILE" */
    return true;
  }
  return false;
}

static void report_option(Invocation *in, const char *name) {
  Diag *d = diag_report(&in->host->diags, E0960, (Span){0, 0}, "pde %s has no option `%s`", in->row->name, name);
  Name known[32];
  char texts[32][32];
  int n = 0;
  Word word;
  for (const char *s = in->row->synopsis; n < 32 && (s = next_word(s, &word));)
    if (word.text[0] == '-' && strcmp(word.text, "--")) {
      strcpy(texts[n], word.text);
      known[n] = texts[n];
      n++;
    }
  Name near = nearest_name(name, known, n);
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  else diag_suggest(d, "usage: pde %s %s", in->row->name, in->row->synopsis);
}

/* --name, --name=value, --name value, -Dvalue, -D value. Returns how many of argv it used, 0 after a report. */
static int parse_option(Invocation *in, int argc, char **argv) {
  char name[32];
  const char *value = NULL;
  size_t n = strncmp(argv[0], "--", 2) ? 2 : strcspn(argv[0], "=");
  if (n >= sizeof name) n = sizeof name - 1;
  memcpy(name, argv[0], n);
  name[n] = 0;
  if (argv[0][n]) value = argv[0] + n + (argv[0][n] == '=');
  bool takes_value = false, help = !strcmp(name, "--help") || !strcmp(name, "-h");
  if (!help && !option_known(in->row->synopsis, name, &takes_value)) {
    report_option(in, name);
    return 0;
  }
  int used = 1;
  if (takes_value && !value && argc > 1) {
    value = argv[1];
    used = 2;
  }
  if (takes_value != (value != NULL) || in->noptions == INVOCATION_OPTIONS) {
    Diag *d = diag_report(&in->host->diags, E0960, (Span){0, 0}, takes_value ? "`%s` needs a value" : "`%s` takes no value", name);
    diag_suggest(d, "usage: pde %s %s", in->row->name, in->row->synopsis);
    return 0;
  }
  in->options[in->noptions].name = help ? "--help" : intern_text(in->host->names, name);
  in->options[in->noptions++].value = value ? value : "";
  return used;
}

static bool count_arguments(Invocation *in) {
  int least = 0, most = 0;
  const char *missing = NULL;
  Word word;
  for (const char *s = in->row->synopsis; (s = next_word(s, &word));) {
    if (word.text[0] == '-') {
      bool takes_value;
      option_known(in->row->synopsis, word.text, &takes_value);
      if (!strcmp(word.text, "--")) break;
      if (takes_value) s = next_word(s, &word);
      continue;
    }
    if (!word.optional && least++ == in->narguments) missing = intern_text(in->host->names, word.text);
    most = word.many ? INVOCATION_ARGUMENTS : most + 1;
  }
  if (in->narguments >= least && in->narguments <= most) return true;
  Diag *d = missing ? diag_report(&in->host->diags, E0960, (Span){0, 0}, "pde %s: %s is missing", in->row->name, missing)
                    : diag_report(&in->host->diags, E0960, (Span){0, 0}, "pde %s: `%s` is one argument too many", in->row->name, in->arguments[most]);
  diag_suggest(d, "usage: pde %s %s", in->row->name, in->row->synopsis);
  return false;
}

bool invocation_parse(Invocation *in, int argc, char **argv) {
  bool takes_value;
  for (int i = 0; i < argc; i++) {     /* wanted also for what is wrong in the rest */
    if (!strcmp(argv[i], "--")) break;
    if (!strcmp(argv[i], "--json") && option_known(in->row->synopsis, "--json", &takes_value)) in->json = true;
  }
  for (int i = 0; i < argc;) {
    if (!strcmp(argv[i], "--") && strstr(in->row->synopsis, "[-- ")) {
      in->rest = argv + i + 1;
      in->nrest = argc - i - 1;
      break;
    }
    if (argv[i][0] == '-' && argv[i][1] && !isdigit((unsigned char)argv[i][1])) {
      int used = parse_option(in, argc - i, argv + i);
      if (!used) return false;
      i += used;
      continue;
    }
    if (in->narguments < INVOCATION_ARGUMENTS) in->arguments[in->narguments++] = argv[i];
    i++;
  }
  return invocation_option(in, "--help") || !in->row->run || count_arguments(in);
}

const char *invocation_option(const Invocation *in, const char *name) {
  for (int i = in->noptions - 1; i >= 0; i--)
    if (!strcmp(in->options[i].name, name)) return in->options[i].value;
  return NULL;
}
