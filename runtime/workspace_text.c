/* What the files of a workspace tell whoever works in it. Nothing here depends on the sealed interval. */
#include "workspace.h"

static const char task_text[] =
    "## What to do\n"
    "\n"
    "Find the law of the state: an evolution equation whose coefficients may be unknown fields of space, the same in both trajectories. You propose complete\n"
    "hypotheses; the evaluator fits the fields that a hypothesis declares, adds nothing, and scores the structure by transfer: fitted on one trajectory, tested\n"
    "on the other, in both directions. The score is a relative error: the law `dt(u) == 0` scores 1, and lower is better. What noise alone leaves to the right law is\n"
    "the noise ceiling of `pde evidence`.\n"
    "\n"
    "A sound search begins with at least three hypotheses of different families. After that add, drop or move a term, move a field into or out of a derivative, split\n"
    "or share a field between directions, change what a field depends on. Extra fields always fit better somewhere: prefer the law with fewer fields unless one\n"
    "more buys ten per cent, and drop laws whose fields differ between the two fits (`stability` in the evidence). If the best score stays far above the\n"
    "noise ceiling, the law is outside of the language: say so.\n"
    "\n"
    "## Commands\n"
    "\n"
    "| command | answer | costs |\n"
    "| --- | --- | --- |\n"
    "| `pde status` | budget, best so far, submission | nothing |\n"
    "| `pde validate FILE` | is it a hypothesis of the language; its canonical form and id | nothing |\n"
    "| `pde score FILE` | id, errors in both directions, score, rank | 1, if the id is new |\n"
    "| `pde score-batch FILES` | the same for up to 32 files, in order | 1 for each new id |\n"
    "| `pde history [--ranked]` | what was scored | nothing |\n"
    "| `pde evidence ID` | fitted fields, their uncertainty, conditioning, stability | nothing |\n"
    "| `pde submit ID [--reason TEXT]` | ends the search, reads the sealed interval, reports | nothing, once |\n"
    "\n"
    "They work in the directory where they are called, or with `--run DIR`. With `--json` each prints one JSON object; `next` in it lists what may come next. `pde doc CODE`\n"
    "explains an error. Equivalent hypotheses (commuted, expanded by the product rule, with renamed, rescaled or recombined fields) have one id and are charged once. What is\n"
    "no hypothesis of the language costs nothing.\n"
    "\n"
    "## Rules\n"
    "\n"
    "- A submission is final: afterwards nothing is scored.\n"
    "- The last quarter of the time span is sealed. No command reads it before the submission, and it is not in this directory.\n"
    "- `run.db` and `data/` belong to the run: they are checked. `notes/` is yours.\n";

void workspace_task(const WorkspaceSpec *spec, const Trajectory *trajectory, const int *start, char *const *names, const char *commitment, Buf *out) {
  buf_printf(out, "# %s\n\n", spec->discovery);
  buf_printf(out, "State `%s(%s)` of one system under two excitations, ", spec->state, spec->dim == 2 ? "x, y, t" : "x, t");
  if (spec->dim == 2) buf_printf(out, "on %d x %d nodes:\n\n", trajectory->nx, trajectory->ny);
  else buf_printf(out, "on %d nodes:\n\n", trajectory->nx);
  for (int k = 0; k < spec->npaths; k++) buf_printf(out, "- `%s`: arrays `t`, `x`%s, `%s` %s\n", names[k], spec->dim == 2 ? ", `y`" : "", spec->state, spec->dim == 2 ? "[nt][ny][nx]" : "[nt][nx]");
  buf_puts(out, "\n| interval | snapshots | times | use |\n| --- | --- | --- | --- |\n");
  static const char *const uses[] = {"fields are fitted", "smoothness is chosen", "laws are scored"};
  for (int k = 0; k < TRAJECTORY_SEALED; k++) {
    buf_printf(out, "| %d | %d | ", k + 1, start[k + 1] - start[k]);
    buf_number(out, trajectory->t[start[k]]);
    buf_puts(out, " to ");
    buf_number(out, trajectory->t[start[k + 1] - 1]);
    buf_printf(out, " | %s |\n", uses[k]);
  }
  buf_printf(out, "| 4 | | | sealed until the submission: SHA-256 `%s` |\n\n", commitment);
  buf_printf(out, "Budget: %g unique evaluations. What a hypothesis may be: LANGUAGE.md.\n\n%s", spec->budget, task_text);
}

static const char language_text[] =
    "A file holds one hypothesis, or the lines between its braces alone:\n"
    "\n"
    "```\n"
    "%s"
    "```\n"
    "\n"
    "- One equation with `dt(%s)` alone on the left: a law is of first order in time.\n"
    "- On the right: the state, its derivatives in space (`dx dy lap grad div`), unknown fields, integers, `+ - *`, integer powers, and the functions below of what holds no field.\n"
    "- Every term has at most one unknown field, and no other real constant: a field is the constant. Fields depend on the coordinates that they name, and may be differentiated.\n"
    "- Each declared field is used.\n"
    "\n"
    "This discovery allows:\n"
    "\n"
    "```\n"
    "%s\n"
    "```\n";

static const char plane_example[] =
    "hypothesis h1 for %s {\n"
    "  unknown field C(x, y), R(x)\n"
    "  dt(%s) == div(C*grad(%s)) - R*%s\n"
    "}\n";
static const char line_example[] =
    "hypothesis h1 for %s {\n"
    "  unknown field C(x), R(x)\n"
    "  dt(%s) == dx(C*dx(%s)) - R*%s\n"
    "}\n";

void workspace_language(const WorkspaceSpec *spec, Buf *out) {
  Buf example = {0};
  buf_printf(&example, spec->dim == 2 ? plane_example : line_example, spec->discovery, spec->state, spec->state, spec->state);
  buf_printf(out, "# Hypotheses for %s\n\n", spec->discovery);
  buf_printf(out, language_text, buf_str(&example), spec->state, spec->declaration);
  if (spec->language) buf_printf(out, "\n%s", spec->language);
  buf_free(&example);
}
