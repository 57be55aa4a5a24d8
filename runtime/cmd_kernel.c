/* pde kernel */
#include <string.h>

#include "command.h"
#include "eval.h"

static Value *find_pde(Invocation *in, Module *module, const char *name) {
  Name names[64];
  int n = 0;
  Scope *scope = module->dry_scope;
  for (int i = 0; scope && i < scope->n; i++) {
    if (scope->slots[i].value->kind != VALUE_PDE) continue;
    if (!strcmp(scope->slots[i].name, name)) return scope->slots[i].value;
    if (n < 64) names[n++] = scope->slots[i].name;
  }
  Diag *d = diag_report(&in->host->diags, E0960, (Span){0, 0}, "`%s` has no pde `%s`", in->arguments[0], name);
  Name near = nearest_name(name, names, n);
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  else if (n) diag_suggest(d, "it has `%s`", names[0]);
  return NULL;
}

/* In which form a pde is shown: its options and what the engine calls them. */
static bool listing(Invocation *in, PdeValue *pde, Buf *out) {
  static const char *const forms[] = {"--ir", "--llvm", "--asm", "--weak", "--latex", "--mathml"};
  const char *first = NULL;
  for (int k = 0; k < 6; k++) {
    if (!invocation_option(in, forms[k])) continue;
    bool one = !first || (!strcmp(first, "--weak") && k > 3);      /* --weak --latex: the weak form as LaTeX */
    if (!one) diag_report(&in->host->diags, E0960, (Span){0, 0}, "pde kernel shows one form at a time, `%s` or `%s`", first, forms[k]);
    if (!one) return false;
    first = forms[k];
  }
  static const char *const kinds[] = {"ir", "llvm", "asm"};
  for (int k = 0; k < 3; k++) {
    char option[16] = "--";
    if (!invocation_option(in, strcat(option, kinds[k]))) continue;
    const EngineApi *api = host_engine(in->host, (Span){0, 0});
    if (api && !api->kernel_text(in->host->engine, pde->pde, kinds[k], &in->host->diags, out)) return true;
    return false;
  }
  form_print(out, pde->form, invocation_option(in, "--latex") ? EXPR_LATEX : invocation_option(in, "--mathml") ? EXPR_MATHML : EXPR_TEXT);
  return true;
}

ExitStatus cmd_kernel(Invocation *in) {
  Host *host = in->host;
  Module *module = command_load(in, in->arguments[0]);
  if (host_execute(host, module, true) != EXIT_DONE) return host_finish(host);
  Value *pde = find_pde(in, module, in->arguments[1]);
  Buf out = {0};
  if (pde && pde->pde->form && listing(in, pde->pde, &out)) command_print("%s", buf_str(&out));
  buf_free(&out);
  return host_finish(host);
}
