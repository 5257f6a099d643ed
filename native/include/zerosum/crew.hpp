// Threads that stay: for work that comes in many small pieces, where starting a thread for each would cost as
// much as the piece.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace zerosum {

class Crew {
 public:
  // So many threads, the one that calls `run` among them.
  explicit Crew(int threads) {
    try {
      for (int thread = 1; thread < threads; ++thread)
        others_.emplace_back([this, thread] { serve(thread); });
    } catch (const std::system_error&) {
      const std::size_t started = others_.size() + 1;
      dismiss();
      throw std::runtime_error("only " + std::to_string(started) + " of " + std::to_string(threads) +
                               " threads could be started");
    }
  }
  ~Crew() { dismiss(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const { return static_cast<int>(others_.size()) + 1; }

  // Calls work(0) .. work(size() - 1), each on a thread of its own, and returns when all are done.
  template <typename Work>
  void run(Work work) {
    call_ = [](void* what, int thread) { (*static_cast<Work*>(what))(thread); };
    what_ = &work;
    busy_.store(static_cast<int>(others_.size()), std::memory_order_relaxed);
    begin();
    work(0);
    wait(done_, [this] { return busy_.load(std::memory_order_acquire) == 0; });
  }

 private:
  static constexpr int kLooks = 1000;  // before a thread without work lies down

  // Looks for a while, then sleeps. It never yields: that hands the processor to whoever else is busy, and
  // gets it back a time slice later.
  template <typename Done>
  void wait(std::condition_variable& told, Done done) {
    for (int i = 0; i < kLooks; ++i) {
      if (done()) return;
      pause();
    }
    std::unique_lock<std::mutex> held(lock_);
    told.wait(held, done);
  }

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  void begin() {
    {
      std::lock_guard<std::mutex> held(lock_);
      round_.fetch_add(1, std::memory_order_release);
    }
    woken_.notify_all();
  }

  void serve(int thread) {
    for (unsigned seen = 0;;) {
      wait(woken_, [&] { return round_.load(std::memory_order_acquire) != seen; });
      ++seen;
      if (call_ == nullptr) return;
      call_(what_, thread);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) > 1) continue;
      std::lock_guard<std::mutex> held(lock_);  // so that who is about to sleep does not miss it
      done_.notify_one();
    }
  }

  void dismiss() {
    call_ = nullptr;
    begin();
    for (auto& other : others_) other.join();
  }

  std::vector<std::thread> others_;
  std::mutex lock_;
  std::condition_variable woken_, done_;
  std::atomic<unsigned> round_{0};
  std::atomic<int> busy_{0};
  void (*call_)(void*, int) = nullptr;
  void* what_ = nullptr;
};

}  // namespace zerosum
