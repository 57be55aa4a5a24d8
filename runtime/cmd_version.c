/* pde version */
#include <string.h>

#include "command.h"

/* What the engine loaded, a line each; nothing where it cannot be loaded, which is no error here. */
void command_versions(Host *host, Buf *out) {
  const EngineApi *api = host_engine(host, (Span){0, 0});
  if (api && api->versions) api->versions(out);
  if (!api) buf_puts(out, "the engine cannot be loaded: see pde doctor\n");
  diags_clear(&host->diags);
}

ExitStatus cmd_version(Invocation *in) {
  Buf libraries = {0};
  command_versions(in->host, &libraries);
  if (in->json) {
    Json *list = json_array();
    for (char *line = strtok(libraries.text, "\n"); line; line = strtok(NULL, "\n")) json_append(list, json_string(line));
    in->result = json_object();
    json_put(in->result, "version", json_string(PDE_VERSION));
    json_put(in->result, "options", json_string(PDE_BUILD_OPTIONS));
    json_put(in->result, "libraries", list);
  } else {
    command_print("pde %s\n%s\n%s", PDE_VERSION, PDE_BUILD_OPTIONS, buf_str(&libraries));
  }
  buf_free(&libraries);
  return EXIT_DONE;
}
