/* pde run */
#include <string.h>

#include "command.h"
#include "value_json.h"

static Json *printed_json(const Printed *printed) {
  Json *item = printed->json ? json_parse(printed->json, strlen(printed->json)) : NULL;
  if (!item) item = json_object();
  json_put(item, "name", json_string(printed->name));
  json_put(item, "text", json_string(printed->text));
  return item;
}

static Json *run_json(const Host *host) {
  Json *result = json_object(), *printed = json_array(), *verdicts = json_array(), *files = json_array();
  for (int i = 0; i < host->nprinted; i++) json_append(printed, printed_json(&host->printed[i]));
  for (int i = 0; i < host->nverdicts; i++) json_append(verdicts, verdict_to_json(&host->verdicts[i]));
  for (int i = 0; i < host->nfiles; i++) json_append(files, json_string(host->files[i]));
  json_put(result, "printed", printed);
  json_put(result, "verdicts", verdicts);
  json_put(result, "files", files);
  return result;
}

ExitStatus cmd_run(Invocation *in) {
  Host *host = in->host;
  Module *module = host->diags.nerrors ? NULL : command_load(in, in->arguments[0]);
  ExitStatus status = host_execute(host, module, false);
  if (in->json) in->result = run_json(host);
  return status;
}
