/* pde check */
#include "command.h"
#include "eval.h"
#include "hypothesis.h"
#include "pde_facts.h"

ExitStatus cmd_check(Invocation *in) {
  Host *host = in->host;
  Module *module = command_load(in, in->arguments[0]);
  ExitStatus status = host_execute(host, module, true);
  Scope *scope = module ? module->dry_scope : NULL;
  Json *pdes = json_array(), *laws = json_array();
  Buf text = {0};
  int found = 0;
  for (int i = 0; scope && i < scope->n; i++) {
    const Value *v = scope->slots[i].value;
    if ((v->kind != VALUE_PDE && v->kind != VALUE_HYPOTHESIS) || scope->slots[i].imported) continue;
    if (v->kind == VALUE_HYPOTHESIS) {
      json_append(laws, hypothesis_json(v->hypothesis));
      if (found++) buf_putc(&text, '\n');
      hypothesis_facts(&text, v->hypothesis);
      continue;
    }
    json_append(pdes, pde_facts_json(host, v->pde));
    if (found++) buf_putc(&text, '\n');
    pde_facts_print(&text, host, v->pde);
  }
  if (in->json) {
    in->result = json_object();
    json_put(in->result, "pdes", pdes);
    json_put(in->result, "laws", laws);
  } else {
    if (!in->quiet) command_print("%s", buf_str(&text));
    if (status == EXIT_DONE && !in->quiet && !found) command_print("%s: nothing is wrong\n", in->arguments[0]);
    json_free(pdes);
    json_free(laws);
  }
  buf_free(&text);
  return status;
}
