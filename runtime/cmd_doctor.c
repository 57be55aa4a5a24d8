/* pde doctor: tries every part, and says what mends what is missing. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "provider.h"

/* Runs a script in a host of its own; false: *out gets the first line of what went wrong. */
static bool try_script(const char *script, JitChoice jit, Buf *out, Buf *timings) {
  Host *host = host_new();
  host->engine_options.jit = jit;
  host->quiet = true;
  ExitStatus status = host_execute(host, host_load_text(host, script, strlen(script), "<doctor>"), false);
  if (status != EXIT_DONE) {
    const Diag *d = host->diags.n ? host->diags.items[0] : NULL;
    buf_puts(out, d ? d->message : "failed");
    if (d && d->nnotes) buf_printf(out, ": %s", d->notes[0].text);
  } else if (timings && host->engine) {
    host->api->timings(host->engine, timings);
  }
  host_free(host);
  return status == EXIT_DONE;
}

static const char poisson[] =
  "geometry s = rectangle(x: 0..1, y: 0..1)\npde p on s {\n  unknown u : scalar P2\n  -lap(u) == 2*pi^2*sin(pi*x)*sin(pi*y)\n  on all: u == 0\n}\n"
  "sol = solve(p, mesh(s, cells: [16, 16]))\nassert norm(sol.u - sin(pi*x)*sin(pi*y)) < 1e-3, \"the solution is wrong\"\n";
static const char disk[] = "m = mesh(disk(center: (0, 0), radius: 1), h: 0.3)\n";

static bool check_engine(Host *host, Buf *out) {
  const EngineApi *api = host_engine(host, (Span){0, 0});
  if (api) {
    Buf versions = {0};
    api->versions(&versions);
    for (const char *s = buf_str(&versions); *s; s++)
      if (*s != '\n') buf_putc(out, *s);
      else if (s[1]) buf_puts(out, "; ");
    buf_free(&versions);
  } else {
    const Diag *d = host->diags.n ? host->diags.items[host->diags.n - 1] : NULL;
    buf_puts(out, d && d->nnotes ? d->notes[0].text : "cannot be loaded");
  }
  diags_clear(&host->diags);
  return api != NULL;
}

static bool check_solve(Host *host, Buf *out) {
  (void)host;
  bool fine = try_script(poisson, JIT_INTERP, out, NULL);
  if (fine) buf_puts(out, "-lap(u) == f with P2 on 512 triangles, error as it should be");
  return fine;
}

static bool check_jit(Host *host, Buf *out) {
  (void)host;
  Buf timings = {0};
  if (!provider_exists("jit")) {
    buf_printf(out, "%s/jit.so is not there; kernels are interpreted, several times slower", provider_dir());
    return false;
  }
  bool fine = try_script(poisson, JIT_LLVM, out, &timings);
  const char *note = strstr(buf_str(&timings), "kernels: ");
  if (fine && note) buf_add(out, note, strcspn(note, "\n"));
  buf_free(&timings);
  return fine;
}

static bool check_gmsh(Host *host, Buf *out) {
  (void)host;
  if (!provider_exists("gmsh")) {
    buf_printf(out, "%s/gmsh.so is not there; structured meshes and .msh files work without it", provider_dir());
    return false;
  }
  bool fine = try_script(disk, JIT_INTERP, out, NULL);
  if (fine) buf_puts(out, "meshes a disk");
  return fine;
}

static bool check_cache(Host *host, Buf *out) {
  (void)host;
  return provider_cache(out);
}

static bool check_pictures(Host *host, Buf *out) {
  (void)host;
  char dir[] = "/tmp/pde-doctor-XXXXXX";
  if (!mkdtemp(dir)) {
    buf_puts(out, "no temporary file can be made in /tmp");
    return false;
  }
  Buf script = {0}, path = {0};
  buf_printf(&path, "%s/p.png", dir);
  buf_printf(&script, "%splot(sol.u, \"%s\")\n", poisson, buf_str(&path));
  bool fine = try_script(buf_str(&script), JIT_INTERP, out, NULL);
  struct stat status;
  if (fine && (stat(buf_str(&path), &status) || status.st_size < 1000)) fine = false;
  unlink(buf_str(&path));
  rmdir(dir);
  if (fine) buf_puts(out, "drawn as PNG");
  bool fonts = access("/usr/share/fonts", R_OK) == 0 || access("/usr/local/share/fonts", R_OK) == 0;
  if (fine && !fonts) buf_puts(out, ", but there are no fonts: texts will be boxes");
  buf_free(&script);
  buf_free(&path);
  return fine && fonts;
}

static bool on_path(const char *name) {
  const char *path = getenv("PATH");
  bool found = false;
  while (path && *path && !found) {
    size_t n = strcspn(path, ":");
    Buf file = {0};
    buf_add(&file, path, n);
    buf_printf(&file, "/%s", name);
    found = access(buf_str(&file), X_OK) == 0;
    buf_free(&file);
    path += n + (path[n] == ':');
  }
  return found;
}

static bool check_mpi(Host *host, Buf *out) {
  (void)host;
  bool fine = on_path("mpiexec");
  buf_puts(out, fine ? "mpiexec -n N pde run FILE runs on N processes" : "mpiexec is not on PATH: one process only");
  return fine;
}

static bool check_readline(Host *host, Buf *out) {
  (void)host;
  bool fine = provider_exists("line");
  buf_puts(out, fine ? "history and completion in the interactive session" : "no line.so: the interactive session takes plain lines");
  return fine;
}

static const struct {
  const char *part;
  bool needed;
  bool (*check)(Host *host, Buf *out);
  const char *mend;
} parts[] = {
  {"engine", true, check_engine, "make install again, or set PDE_LIBDIR to the directory of engine.so; its libraries: apt-get install petsc-dev slepc-dev"},
  {"solve", true, check_solve, "please report it with the output of `pde version`"},
  {"compiler", false, check_jit, "apt-get install llvm-19-dev, then ./configure && make install"},
  {"mesher", false, check_gmsh, "apt-get install libgmsh-dev, then ./configure && make install"},
  {"cache", false, check_cache, "set PDE_CACHE to a directory that you may write"},
  {"pictures", false, check_pictures, "apt-get install fonts-dejavu-core"},
  {"mpi", false, check_mpi, "apt-get install openmpi-bin"},
  {"line editing", false, check_readline, "apt-get install libreadline-dev, then ./configure && make install"},
};
enum { PARTS = sizeof parts / sizeof *parts };

ExitStatus cmd_doctor(Invocation *in) {
  ExitStatus status = EXIT_DONE;
  Json *list = json_array();
  for (int i = 0; i < PARTS; i++) {
    Buf detail = {0};
    bool fine = parts[i].check(in->host, &detail);
    Json *row = json_object();
    json_put(row, "part", json_string(parts[i].part));
    json_put(row, "ok", json_bool(fine));
    json_put(row, "needed", json_bool(parts[i].needed));
    json_put(row, "detail", json_string(buf_str(&detail)));
    json_put(row, "mend", json_string(fine ? NULL : parts[i].mend));
    json_append(list, row);
    if (!in->json) {
      command_print("%-6s %-13s %s\n", fine ? "ok" : "LACKS", parts[i].part, buf_str(&detail));
      if (!fine) command_print("%-20s mend: %s\n", "", parts[i].mend);
    }
    if (!fine && parts[i].needed) status = EXIT_ENVIRONMENT;
    buf_free(&detail);
  }
  in->result = json_object();
  json_put(in->result, "parts", list);
  return status;
}
