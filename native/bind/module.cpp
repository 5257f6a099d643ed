#include <nanobind/nanobind.h>

namespace zerosum::bind {
void bind_cfr(nanobind::module_& m);
}

NB_MODULE(_core, m) {
  m.doc() = "zerosum's native core: arrays in, arrays out, the interpreter lock released.";
  zerosum::bind::bind_cfr(m);
}
