#!/usr/bin/env bash
# layers.sh [DIR]: who may include what. A file sees its own layer and the lower ones; a library of others is seen by the
# files named for it alone; nothing that runtime/ includes, directly or not, names PETSc.
set -u
cd "${1:-${SRCDIR:-.}}" || exit 1

# Layers from below, with the stems of lang/ that belong to each; a file of lang/ that is in no row is reported.
layers='
base    memory arena buf intern source diag status nfc hash vec map utf8 number sha256
expr    expr canon pde diff type unit print latex mathml simplify interval range normal proof law
syntax  lex lexeme scan build program parse syntax ast fmt token
check   scope check wellposed
'
# Header (prefix of the included name), then the files that may have it.
thirdparty='
llvm-c/        numerics/kir_llvm*
gmshc.h        numerics/mesh_gmsh*
hdf5.h         numerics/io_h5*
hdf5_hl.h      numerics/io_h5*
cairo          numerics/plot*
scotch.h       numerics/mesh_part*
ptscotch.h     numerics/mesh_part*
petsc          numerics/*
slepc          numerics/*
mpi.h          numerics/*
cblas.h        numerics/*
lapacke.h      numerics/*
sqlite3.h      runtime/store*
cJSON.h        runtime/json*
cjson/         runtime/json*
readline/      runtime/repl*
curl/          runtime/llm* runtime/net_*
'
# Files of numerics/ that libpde has without PETSc; as CORE_NUMERICS_PATTERNS in Makefile.in.
core=$(sed -n '/^CORE_NUMERICS_PATTERNS/,/[^\\]$/p' Makefile.in | tr -s ' \\\n' ' ' | sed 's/.*= *//')

find lang numerics runtime examples tests -name '*.[chly]' -o -name '*.def' -path 'lang/*' -type f 2>/dev/null | LC_ALL=C sort |
  xargs awk -v layers="$layers" -v thirdparty="$thirdparty" -v core="$core" '
function glob(pattern) { gsub(/[.]/, "[.]", pattern); gsub(/[*]/, ".*", pattern); return "^" pattern "$" }
function stem(file) { sub(/.*\//, "", file); sub(/[.].*/, "", file); return file }
function folder(file) { sub(/\/.*/, "", file); return file }
function report(file, line, text) { print file ":" line ": " text; bad = 1 }
# The longest stem of the table that is the name or a prefix before "_": parse_stmt belongs to parse.
function level(file,   s) {
  for (s = stem(file); ; ) {
    if (s in layer_of) return layer_of[s]
    if (!sub(/_[^_]*$/, "", s)) return 0
  }
}
function resolve(file, name,   d) {
  sub(/^([.][.]\/)+/, "", name)
  if (name ~ /\//) return name
  d = folder(file)
  if ((d "/" name) in exists) return d "/" name
  if (("lang/" name) in exists) return "lang/" name
  if (("numerics/" name) in exists) return "numerics/" name
  if (("runtime/" name) in exists) return "runtime/" name
  return ""     # generated, or the header of a library
}
BEGIN {
  n = split(layers, row, "\n")
  for (i = 1; i <= n; i++) { m = split(row[i], w, " "); if (m) { depth++; name_of[depth] = w[1] }
    for (j = 2; j <= m; j++) layer_of[w[j]] = depth }
  n = split(thirdparty, row, "\n")
  for (i = 1; i <= n; i++) { m = split(row[i], w, " "); if (m) { third[++rows] = w[1]
    for (j = 2; j <= m; j++) may[rows] = may[rows] " " w[j] } }
  ncore = split(core, core_pattern, " ")
  for (i = 1; i < ARGC; i++) exists[ARGV[i]] = 1
  for (i = 1; i < ARGC; i++) {
    f = ARGV[i]
    if (folder(f) == "lang" && f !~ /[.]def$/ && !level(f)) report(f, 1, "belongs to no layer: add it to the table in tests/layers.sh")
  }
}
FNR == 1 { in_comment = 0 }
/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
  split($0, part, /[<">]/); name = part[2]; from = FILENAME; d = folder(from)
  if ($0 ~ /"/ || name ~ /^(petsc|slepc|mpi[.]h)/) includes[from] = includes[from] " " name
  if (d == "tests") next
  for (i = 1; i <= rows; i++) if (index(name, third[i]) == 1) {
    ok = 0; m = split(may[i], w, " ")
    for (j = 1; j <= m; j++) if (from ~ glob(w[j])) ok = 1
    # PETSc, MPI and the like: in the .c files, and in headers that only numerics/ sees (checked below).
    if (!ok) report(from, FNR, "<" name "> is for" may[i] " alone")
    if (third[i] ~ /^(petsc|slepc|mpi)/) for (j = 1; j <= ncore; j++)
      if (from ~ glob(core_pattern[j])) report(from, FNR, "<" name ">: this file is part of libpde, which has no PETSc")
    next
  }
  if ($0 ~ /</ && name != "pde.h") next
  to = $0 ~ /</ ? "runtime/pde.h" : resolve(from, name)
  if (to == "") next
  e = folder(to)
  if (d == "lang" && e != "lang") report(from, FNR, "lang/ may not include " to)
  else if (d == "lang" && level(to) > level(from) && level(from))
    report(from, FNR, "layer " name_of[level(from)] " may not include " to " of layer " name_of[level(to)])
  else if (d == "numerics" && e == "runtime") report(from, FNR, "numerics/ may not include " to)
  else if (d == "numerics" && e == "lang" && level(to) > 2) report(from, FNR, "numerics/ sees neither Ast nor scopes: " to)
  else if (d == "examples" && to != "runtime/pde.h") report(from, FNR, "a host includes <pde.h> alone, not " to)
  else if (from ~ /^runtime\/(main|cmd_)/ && e == "numerics") report(from, FNR, "the command is a client of the library: " to)
}
# Standard output and files belong to the layers above; a text is read in source.c. Out of memory is the one last word.
FILENAME ~ /^lang\/.*[.][chly]$/ && FILENAME !~ /^lang\/source/ && /(^|[^a-zA-Z_0-9])(f?printf|puts|fputs|putchar|fopen|fwrite|fread)[ ]?\(/ &&
  !/^[ \t]*(\/\*|\*|\/\/)/ && !/__attribute__|out of memory/ { report(FILENAME, FNR, "lang/ neither prints nor opens files: " $0) }
END {
  # Headers that runtime/ reaches.
  for (f in includes) if (folder(f) == "runtime") reach[f] = f
  do {
    more = 0
    for (f in reach) { m = split(includes[f], w, " ")
      for (j = 1; j <= m; j++) { to = resolve(f, w[j])
        if (to == "" && w[j] ~ /^(petsc|slepc|mpi[.]h)/ && folder(f) != "runtime") report(f, 1, "includes <" w[j] "> and is included by " reach[f])
        if (to != "" && !(to in reach)) { reach[to] = reach[f]; more = 1 } } }
  } while (more)
  exit bad
}'
