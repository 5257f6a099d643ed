// Work shared by a few threads, the calling one among them. Either all of them start or none works at all.
#pragma once

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace zerosum {

// Calls work(0) .. work(threads - 1), each on a thread of its own.
template <typename Work>
void on_threads(int threads, Work work) {
  enum { kWait, kGo, kGiveUp };
  std::atomic<int> signal{kWait};
  std::vector<std::thread> others;
  const auto finish = [&](int what) {
    signal.store(what, std::memory_order_release);
    for (auto& other : others) other.join();
  };
  try {
    others.reserve(static_cast<std::size_t>(std::max(threads - 1, 0)));
    for (int thread = 1; thread < threads; ++thread) {
      others.emplace_back([&, thread] {
        while (signal.load(std::memory_order_acquire) == kWait) std::this_thread::yield();
        if (signal.load(std::memory_order_acquire) == kGo) work(thread);
      });
    }
  } catch (const std::system_error&) {
    const std::size_t started = others.size() + 1;
    finish(kGiveUp);
    throw std::runtime_error("only " + std::to_string(started) + " of " + std::to_string(threads) +
                             " threads could be started");
  }
  signal.store(kGo, std::memory_order_release);
  work(0);
  finish(kGo);
}

}  // namespace zerosum
