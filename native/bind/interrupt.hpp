// Ctrl-C, heard by native work that runs without the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

namespace zerosum::bind {

class Interrupt {
 public:
  bool is_asked() {
    const nanobind::gil_scoped_acquire locked;
    asked_ = PyErr_CheckSignals() != 0;
    return asked_;
  }
  void raise() const {
    if (asked_) throw nanobind::python_error();
  }

 private:
  bool asked_ = false;
};

}  // namespace zerosum::bind
