# The host library from an installed copy: what tests/embed/host.c asserts, shared and static; the example; a C++ program.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi; }
if [ "${ENABLE_ASAN:-0}" = 1 ]; then echo 'skip host programs: libpde wants the sanitizer of its own build'; exit 0; fi

stage=$PWD/stage prefix=$(sed -n 's/^prefix *= *//p' "$BUILDDIR/Makefile")
make -C "$BUILDDIR" install DESTDIR="$stage" >install.log 2>&1; say 'make install' $?
export PKG_CONFIG_LIBDIR="$stage$prefix/lib/pkgconfig:$(pkg-config --variable=pc_path pkg-config)"
flags() { pkg-config --define-variable=prefix="$stage$prefix" "$@" pde; }
export LD_LIBRARY_PATH="$stage$prefix/lib" PDE_LIBDIR="$stage$prefix/lib/pde"
cc="${CC:-cc} -std=gnu17 -O1 -g -Wall -Wextra -Werror -pthread"

$cc "$SRCDIR/tests/embed/host.c" -o shared $(flags --cflags --libs) -lm; say 'a host links libpde.so' $?
$cc "$SRCDIR/tests/embed/host.c" -o static $(flags --cflags) "$stage$prefix/lib/libpde.a" -lcjson -lsqlite3 -lm -ldl; say 'a host links libpde.a' $?
[ "$(objdump -p shared | grep -c 'NEEDED.*libpde.so.0$')" = 1 ]; say 'the soname has the version of the interface' $?

host() {   # host PROGRAM TEST...: in English
  local said
  said=$($TIMEOUT "./$@" 2>&1); local status=$?
  case $status in
    0) say "$*" 0 ;;
    77) echo "skip $*: no locale with a decimal comma is installed" ;;
    *) echo "$said"; echo "# status $status"; say "$*" 1 ;;
  esac
}
for test in values errors petsc callback vectors units limits two_hosts threads interrupt many_hosts comma 'memory 1000'; do host shared $test; done
for test in values callback 'memory 60'; do host static $test; done

# A locale with a decimal comma, made here if the machine has none.
if ! ./shared comma >/dev/null 2>&1 && command -v localedef >/dev/null && [ -e /usr/share/i18n/locales/de_DE ]; then
  localedef -i de_DE -f UTF-8 "$PWD/de_DE.UTF-8" >/dev/null 2>&1; LOCPATH=$PWD host shared comma
fi

mkdir -p example && cp "$SRCDIR"/examples/embed/* example/
(cd example && make CC="${CC:-cc}" CFLAGS="$(flags --cflags --libs)" PKG_CONFIG=false >make.log 2>&1); say 'the example builds' $?
$TIMEOUT example/host >example.out 2>&1 && grep -q '^read back: 2.000000$' example.out && grep -q '^2145 nodes in 2 dimensions, at most 3.000000$' example.out; say 'the example runs' $?

if command -v c++ >/dev/null; then
  printf '%s\n' '#include <pde.h>' 'int main() { pde_host *host = pde_open(nullptr); pde_status s = pde_run_string(host, "x = 1\n", "x.pde"); pde_close(host); return s; }' >host.cc
  c++ host.cc -o cpp $(flags --cflags --libs) && ./cpp; say 'a C++ program is a host' $?
else
  echo 'skip a C++ program is a host: there is no C++ compiler'
fi
if command -v valgrind >/dev/null; then
  printf '%s\n' '#include <pde.h>' 'int main(void) { pde_host *host = pde_open(0); pde_status s = pde_run_string(host, "x = 1\nfn f(a) = a + x\nprint(f(2))\n", "x.pde"); pde_close(host); return s; }' >leaks.c
  $cc leaks.c -o leaks $(flags --cflags --libs) &&
    $TIMEOUT valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite ./leaks >valgrind.log 2>&1; status=$?
  [ $status = 0 ] || sed 's/^/# /' valgrind.log | head -40
  say 'a host leaves no memory behind' $status
fi
