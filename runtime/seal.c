#include "seal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../numerics/atomic.h"
#include "json.h"
#include "trajectory_read.h"

static const Span nowhere;

/* ---- digests ---- */

static void hexadecimal(const uint8_t *bytes, size_t n, char *out) {
  for (size_t k = 0; k < n; k++) snprintf(out + 2 * k, 3, "%02x", bytes[k]);
}

static bool from_hexadecimal(const char *text, uint8_t *out, size_t n) {
  if (strlen(text) != 2 * n || strspn(text, "0123456789abcdef") != 2 * n) return false;
  for (size_t k = 0; k < n; k++) out[k] = (uint8_t)(strtoul((char[]){text[2 * k], text[2 * k + 1], 0}, NULL, 16));
  return true;
}

static void commit(const uint8_t salt[32], const Trajectory *trajectory, int n, const int *start, char hex[65]) {
  Sha256 sha;
  uint8_t digest[32];
  sha256_start(&sha);
  sha256_add(&sha, salt, 32);
  for (int k = 0; k < n; k++) trajectory_digest(&trajectory[k], start[TRAJECTORY_SEALED], start[TRAJECTORY_INTERVALS], &sha);
  sha256_end(&sha, digest);
  hexadecimal(digest, sizeof digest, hex);
}

bool seal_digest(const char *path, char hex[65]) {
  FILE *file = fopen(path, "rb");
  unsigned char block[8192];
  uint8_t digest[32];
  Sha256 sha;
  if (!file) return false;
  sha256_start(&sha);
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) sha256_add(&sha, block, n);
  bool fine = !ferror(file);
  fclose(file);
  sha256_end(&sha, digest);
  hexadecimal(digest, sizeof digest, hex);
  return fine;
}

/* ---- the manifest ---- */

static bool directory(Buf *out) {
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  if (state && *state == '/') buf_printf(out, "%s/pde/sealed", state);
  else if (home && *home) buf_printf(out, "%s/.local/state/pde/sealed", home);
  return out->len > 0;
}

static bool manifest_path(const char *commitment, Buf *out) {
  if (!directory(out)) return false;
  buf_printf(out, "/%s.json", commitment);
  return true;
}

static Status no_place(Host *host) {
  diag_suggest(diag_report(&host->diags, E4051, nowhere, "there is no place for what is sealed: neither XDG_STATE_HOME nor HOME is set"), "set XDG_STATE_HOME to a directory of your own");
  return 1;
}

static bool make_directory(const char *path) {
  char *step = strdup(path);
  bool fine = true;
  for (char *s = step + 1; fine && *s; s++)
    if (*s == '/') {
      *s = 0;
      fine = mkdir(step, 0700) == 0 || errno == EEXIST;
      *s = '/';
    }
  fine = fine && (mkdir(step, 0700) == 0 || errno == EEXIST);
  free(step);
  return fine;
}

static void print_manifest(const Seal *seal, int n, Buf *out) {
  Json *root = json_object(), *files = json_array(), *starts = json_array();
  for (int k = 0; k < n; k++) {
    Json *file = json_object();
    json_put(file, "path", json_string(seal->file[k].path));
    json_put(file, "sha256", json_string(seal->file[k].sha256));
    json_append(files, file);
  }
  for (int k = 0; k <= TRAJECTORY_INTERVALS; k++) json_append(starts, json_number(seal->start[k]));
  json_put(root, "v", json_number(1));
  json_put(root, "commitment", json_string(seal->commitment));
  json_put(root, "salt", json_string(seal->salt));
  json_put(root, "state", json_string(seal->state));
  json_put(root, "dimension", json_number(seal->form.dim));
  json_put(root, "intervals", starts);
  json_put(root, "files", files);
  json_print(out, root, NULL);
  buf_putc(out, '\n');
  json_free(root);
}

/* mkstemp gives mode 0600, which the rename keeps. */
static Status write_manifest(Host *host, const Seal *seal, int n) {
  Buf dir = {0}, path = {0}, temp = {0}, text = {0};
  Status status = 1;
  if (!directory(&dir)) return no_place(host);
  buf_printf(&path, "%s/%s.json", buf_str(&dir), seal->commitment);
  buf_printf(&temp, "%s/new-XXXXXX", buf_str(&dir));
  print_manifest(seal, n, &text);
  int fd = make_directory(buf_str(&dir)) ? mkstemp(temp.text) : -1;
  bool fine = fd >= 0 && write(fd, text.text, text.len) == (ssize_t)text.len && fsync(fd) == 0;
  if (fd >= 0) fine &= close(fd) == 0;
  if (fine && rename(temp.text, buf_str(&path)) == 0) status = 0;
  else {
    int error = errno;
    if (fd >= 0) unlink(temp.text);
    atomic_refuse(buf_str(&path), "written", error, &host->diags, nowhere);
  }
  buf_free(&dir);
  buf_free(&path);
  buf_free(&temp);
  buf_free(&text);
  return status;
}

Status seal_make(Host *host, char *const *path, const Trajectory *trajectory, int n, const TrajectoryForm *form, const int *start, Span span, Seal *out) {
  uint8_t salt[32];
  *out = (Seal){.form = *form, .state = strdup(form->state)};
  out->form.state = out->state;
  memcpy(out->start, start, sizeof out->start);
  if (getrandom(salt, sizeof salt, 0) != (ssize_t)sizeof salt) {
    diag_report(&host->diags, E4051, span, "the system gives no random bytes: %s", strerror(errno));
    return 1;
  }
  hexadecimal(salt, sizeof salt, out->salt);
  commit(salt, trajectory, n, start, out->commitment);
  for (int k = 0; k < n; k++) {
    out->file[k].path = realpath(path[k], NULL);
    if (out->file[k].path && seal_digest(path[k], out->file[k].sha256)) continue;
    diag_report(&host->diags, E3151, span, "`%s` cannot be used: it cannot be read, %s", path[k], strerror(errno));
    return 1;
  }
  return write_manifest(host, out, n);
}

void seal_free(Seal *seal) {
  for (int k = 0; k < SEAL_FILES; k++) free(seal->file[k].path);
  free(seal->state);
  *seal = (Seal){0};
}

void seal_remove(const Seal *seal) {
  Buf path = {0};
  if (*seal->commitment && manifest_path(seal->commitment, &path)) unlink(buf_str(&path));
  buf_free(&path);
}

static Status broken(Host *host, const char *path, const char *why) {
  diag_suggest(diag_report(&host->diags, E4044, nowhere, "`%s`, which says where the sealed interval is, %s", path, why), "submit on the machine and by the user that made the workspace");
  return 1;
}

static bool copy_text(const Json *object, const char *key, char *out, size_t size) {
  const char *text = json_text_of(json_get(object, key));
  if (!text || strlen(text) >= size) return false;
  strcpy(out, text);
  return true;
}

static bool parse_manifest(const Json *root, Seal *out) {
  const Json *files = json_get(root, "files"), *starts = json_get(root, "intervals");
  const char *state = json_text_of(json_get(root, "state"));
  double number;
  if (!state || !copy_text(root, "commitment", out->commitment, sizeof out->commitment) || !copy_text(root, "salt", out->salt, sizeof out->salt)) return false;
  if (!json_number_of(json_get(root, "dimension"), &number) || json_count(files) < 1 || json_count(files) > SEAL_FILES || json_count(starts) != TRAJECTORY_INTERVALS + 1) return false;
  out->state = strdup(state);
  out->form = (TrajectoryForm){.state = out->state, .dim = (int)number};
  for (int k = 0; k <= TRAJECTORY_INTERVALS; k++) {
    if (!json_number_of(json_at(starts, k), &number)) return false;
    out->start[k] = (int)number;
  }
  for (int k = 0; k < json_count(files); k++) {
    const char *path = json_text_of(json_get(json_at(files, k), "path"));
    if (!path || !copy_text(json_at(files, k), "sha256", out->file[k].sha256, sizeof out->file[k].sha256)) return false;
    out->file[k].path = strdup(path);
  }
  return true;
}

Status seal_read(Host *host, const char *commitment, Seal *out) {
  Buf path = {0}, text = {0};
  char block[4096];
  *out = (Seal){0};
  if (!manifest_path(commitment, &path)) return no_place(host);
  FILE *file = fopen(buf_str(&path), "rb");
  for (size_t n; file && (n = fread(block, 1, sizeof block, file)) > 0;) buf_add(&text, block, n);
  Status status = file ? 0 : broken(host, buf_str(&path), strerror(errno));
  if (file) fclose(file);
  Json *root = status ? NULL : json_parse(buf_str(&text), text.len);
  if (!status && (!root || !parse_manifest(root, out) || strcmp(out->commitment, commitment))) status = broken(host, buf_str(&path), "was changed");
  if (status) seal_free(out);
  json_free(root);
  buf_free(&path);
  buf_free(&text);
  return status;
}

/* ---- opening ---- */

static Status changed(Host *host, const char *path, const char *why) {
  diag_suggest(diag_report(&host->diags, E4044, nowhere, "the sealed interval cannot be opened: `%s` %s", path, why), "put the file back as it was when the workspace was made, and submit the same candidate again");
  return 1;
}

Status seal_open(Host *host, const Seal *seal, int n, Trajectory *out) {
  char hex[65];
  uint8_t salt[32];
  Status status = from_hexadecimal(seal->salt, salt, sizeof salt) ? 0 : changed(host, seal->commitment, "has another salt");
  for (int k = 0; k < n; k++) out[k] = (Trajectory){0};
  for (int k = 0; k < n && !status; k++) {
    if (!seal->file[k].path || !seal_digest(seal->file[k].path, hex)) status = changed(host, seal->file[k].path ? seal->file[k].path : "", "cannot be read");
    else if (strcmp(hex, seal->file[k].sha256)) status = changed(host, seal->file[k].path, "was changed");
    else status = trajectory_read(host, seal->file[k].path, &seal->form, nowhere, &out[k]);
    if (!status && out[k].nt != seal->start[TRAJECTORY_INTERVALS]) status = changed(host, seal->file[k].path, "has another number of snapshots");
  }
  if (!status) {
    commit(salt, out, n, seal->start, hex);
    if (strcmp(hex, seal->commitment)) status = changed(host, seal->file[0].path, "does not open the commitment");
  }
  for (int k = 0; k < n && status; k++) trajectory_free(&out[k]);
  return status;
}
