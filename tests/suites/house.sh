# The rules of the house: layers, file sizes, and that libpde exports what pde.h declares, no more.
set -u
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi; }

bash "$SRCDIR/tests/layers.sh" "$SRCDIR"; say 'includes respect the layers' $?
bash "$SRCDIR/tests/sizes.sh" "$SRCDIR"; say 'no file over 1000 lines' $?

# The check itself must be able to fail.
mkdir -p broken/lang broken/numerics broken/runtime broken/tests
cp "$SRCDIR/Makefile.in" broken/
echo '#include "mesh.h"' >broken/lang/arena.c
echo '#include <petscksp.h>' >broken/numerics/mesh.h
echo '#include "mesh.h"' >broken/runtime/value.c
echo '#include <gmshc.h>' >broken/numerics/mesh.c
for found in 'lang/ may not include' 'is included by runtime' 'gmshc.h> is for'; do
  bash "$SRCDIR/tests/layers.sh" broken | grep -q "$found"; say "a breach is seen: $found" $?
done

# What configure installs is what docs/dependencies.md explains.
undocumented=
for package in $(sed -n 's/.*pde_packages="\(\$pde_packages \)\{0,1\}\([a-z].*\)"$/\2/p' "$SRCDIR/configure"); do
  grep -q "[ |]$package[ |]" "$SRCDIR/docs/dependencies.md" || undocumented="$undocumented $package"
done
[ -z "$undocumented" ]; say "every package is explained${undocumented:+, but not$undocumented}" $?

if [ -f "$BUILDDIR/libpde.a" ]; then
  declared=$(sed -n 's/.*[ *]\(pde_[a-z0-9_]*\) *(.*/\1/p' "$SRCDIR/runtime/pde.h" | grep -v '(\*' | LC_ALL=C sort -u)
  exported() { nm "$@" --defined-only --extern-only "$library" | awk 'NF == 3 {print $3}' | grep -v '^_init$\|^_fini$' | LC_ALL=C sort -u; }
  for library in "$BUILDDIR/libpde.so" "$BUILDDIR/libpde.a"; do
    dynamic=; case $library in *.so) dynamic=-D ;; esac
    extra=$(LC_ALL=C comm -13 <(echo "$declared") <(exported $dynamic)) missing=$(LC_ALL=C comm -23 <(echo "$declared") <(exported $dynamic))
    [ -z "$extra$missing" ]; say "$(basename "$library") exports pde.h${extra:+, also $(echo $extra)}${missing:+, lacks $(echo $missing)}" $?
  done
  needed=$(objdump -p "$BUILDDIR/libpde.so" | awk '$1 == "NEEDED" {print $2}' | grep -v -E '^(libc|libm|libdl|libcjson|libsqlite3|ld-linux.*|libasan|libubsan|libgcov|libgcc_s)\.so')
  [ -z "$needed" ]; say "libpde.so needs libc, cJSON and SQLite alone${needed:+, not $(echo $needed)}" $?
  for provider in "$BUILDDIR"/pde/*.so; do
    [ -e "$provider" ] || continue
    library=$provider
    [ "$(exported -D)" = pde_provider ]; say "$(basename "$provider") exports pde_provider alone" $?
  done
fi
