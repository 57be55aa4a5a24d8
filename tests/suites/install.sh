# make install, then a host program of the installed copy by pkg-config, then make uninstall leaves nothing.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi; }
stage=$PWD/stage prefix=$(sed -n 's/^prefix *= *//p' "$BUILDDIR/Makefile")

make -C "$BUILDDIR" install DESTDIR="$stage" >install.log 2>&1; say 'make install DESTDIR=' $?
if [ -x "$BUILDDIR/bin/pde" ]; then
  "$stage$prefix/bin/pde" version >/dev/null; say 'the installed command runs' $?
fi
if [ -f "$BUILDDIR/libpde.a" ]; then
  export PKG_CONFIG_LIBDIR="$stage$prefix/lib/pkgconfig:$(pkg-config --variable=pc_path pkg-config)"
  flags() { pkg-config --define-variable=prefix="$stage$prefix" "$@" pde; }
  printf '%s\n' '#include <pde.h>' 'int main(void) { pde_host *host = pde_open(0); pde_close(host); return host == 0; }' >host.c
  if [ "${ENABLE_ASAN:-0}" = 0 ]; then
    ${CC:-cc} host.c -o host_shared $(flags --cflags --libs) && LD_LIBRARY_PATH="$stage$prefix/lib" ./host_shared
    say 'a host links libpde.so by pkg-config' $?
    ${CC:-cc} host.c -o host_static $(flags --cflags) "$stage$prefix/lib/libpde.a" -lcjson -lsqlite3 -lm -ldl && ./host_static
    say 'a host links libpde.a' $?
  fi
fi
make -C "$BUILDDIR" uninstall DESTDIR="$stage" >uninstall.log 2>&1; say 'make uninstall' $?
left=$(find "$stage" -type f -o -type l | head -n 5)
[ -z "$left" ]; say "make uninstall leaves no file${left:+: $(echo $left)}" $?
