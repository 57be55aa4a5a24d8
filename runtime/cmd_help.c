/* Help and the manual page, from the rows. */
#include <string.h>

#include "command.h"
#include "doc.h"

void help_overview(Buf *out) {
  buf_puts(out, "usage: pde COMMAND ...      pde alone starts the interactive session\n\n");
  for (int i = 0; i < command_count; i++) {
    if (i && !command_rows[i].run && command_rows[i - 1].run) buf_puts(out, "\nnot in this build:\n");
    buf_printf(out, "  %-12s %s\n", command_rows[i].name, command_rows[i].title);
  }
  buf_puts(out, "\n`pde help COMMAND` shows one command, `pde doc NAME` documents the language.\n");
}

void help_command(Buf *out, const CommandRow *row) {
  buf_printf(out, "usage: pde %s %s\n\n%c%s.\n", row->name, row->synopsis, row->title[0] - ('a' <= row->title[0] && row->title[0] <= 'z' ? 32 : 0), row->title + 1);
  if (!row->run) {
    buf_puts(out, "Not in this build.\n");
    return;
  }
  buf_putc(out, '\n');
  doc_fill(out, row->doc);
  buf_printf(out, "\nExit status: %s.\n", row->exits);
}

/* --- the manual page --- */

static void man_text(Buf *out, const char *text) {
  bool line_start = true;
  for (const char *s = text; *s; s++) {
    if (line_start && (*s == '.' || *s == '\'')) buf_puts(out, "\\&");
    if (*s == '\\') buf_puts(out, "\\e");
    else if (*s == '-') buf_puts(out, "\\-");
    else if (*s == '`') buf_puts(out, "\\(aq");
    else buf_putc(out, *s);
    line_start = *s == '\n';
  }
}

static const struct { const char *status, *meaning; } statuses[] = {
  {"0", "done, and every hard contract passed"},
  {"1", "the input is wrong (diagnostics say where), a usage error, or a file that fmt --check would change"},
  {"2", "a hard contract, an assertion or a test failed"},
  {"3", "needs clarification"},
  {"4", "not supported by this build, or contradictory"},
  {"5", "the numerics failed: no convergence, a number that is not finite"},
  {"6", "a budget is used up"},
  {"7", "the environment lacks something: `pde doctor` says what"},
  {"70", "an internal error, which is always a bug"},
  {"130", "interrupted"},
};

static const struct { const char *name, *meaning; } environment[] = {
  {"PDE_PATH", "directories in which imports are looked for, separated by colons"},
  {"PDE_CACHE", "directory of compiled kernels; by default under XDG_CACHE_HOME"},
  {"PDE_JIT", "llvm or interp: how kernels run"},
  {"PDE_LIBDIR", "directory of the provider libraries, if they moved"},
  {"NO_COLOR", "set and not empty: no colour"},
};

void help_man(Buf *out) {
  buf_printf(out, ".\\\" Made by `pde help --man`.\n.TH PDE 1 \"\" \"pde %s\" \"User Commands\"\n.SH NAME\npde \\- scripts for partial differential equations\n", PDE_VERSION);
  buf_puts(out, ".SH SYNOPSIS\n.B pde\n");
  for (int i = 0; i < command_count; i++) {
    if (!command_rows[i].run) continue;
    buf_printf(out, ".br\n.B pde %s\n", command_rows[i].name);
    man_text(out, command_rows[i].synopsis);
    buf_puts(out, *command_rows[i].synopsis ? "\n" : "");
  }
  buf_puts(out, ".SH DESCRIPTION\n");
  man_text(out, "pde checks and runs scripts that state partial differential equations, solves them by finite elements, draws and checks what comes out. Without a command it "
                "starts an interactive session; :help there lists its own commands. Standard output carries results, standard error diagnostics and progress.\n"
                "mpiexec -n N pde run FILE runs a script on N processes; nothing in it changes.\n");
  buf_puts(out, ".SH COMMANDS\n");
  for (int i = 0; i < command_count; i++) {
    const CommandRow *row = &command_rows[i];
    if (!row->run) continue;
    buf_printf(out, ".TP\n.B pde %s\n", row->name);
    man_text(out, row->synopsis);
    buf_puts(out, *row->synopsis ? "\n.br\n" : "");
    man_text(out, row->doc);
    buf_putc(out, '\n');
  }
  buf_puts(out, ".SH EXIT STATUS\n");
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
    buf_printf(out, ".TP\n.B %s\n", statuses[i].status);
    man_text(out, statuses[i].meaning);
    buf_putc(out, '\n');
  }
  buf_puts(out, ".SH ENVIRONMENT\n");
  for (size_t i = 0; i < sizeof environment / sizeof *environment; i++) {
    buf_printf(out, ".TP\n.B %s\n", environment[i].name);
    man_text(out, environment[i].meaning);
    buf_putc(out, '\n');
  }
}

ExitStatus cmd_help(Invocation *in) {
  Buf text = {0};
  const CommandRow *row = in->narguments ? command_row(in->arguments[0]) : NULL;
  if (invocation_option(in, "--man")) help_man(&text);
  else if (!in->narguments) help_overview(&text);
  else if (row) help_command(&text, row);
  else diag_suggest(diag_report(&in->host->diags, E0960, (Span){0, 0}, "`%s` is no command of pde", in->arguments[0]), "`pde help` lists them");
  command_print("%s", buf_str(&text));
  buf_free(&text);
  return host_finish(in->host);
}
