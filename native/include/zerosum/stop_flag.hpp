// Someone on another thread no longer wants to wait for an answer.
#pragma once

#include <atomic>

namespace zerosum {

class StopFlag {
 public:
  void raise() { raised_.store(true, std::memory_order_relaxed); }
  bool is_raised() const { return raised_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> raised_{false};
};

}  // namespace zerosum
