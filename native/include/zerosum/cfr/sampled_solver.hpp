// Monte-Carlo CFR on several threads with one answer. Iterations run in batches: within a batch every walk
// reads the same regrets, and the logs are added in the order of the walks, so that neither the number of
// threads nor their timing can show in the result.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "zerosum/cfr/public_chance.hpp"
#include "zerosum/cfr/sequence_form.hpp"
#include "zerosum/cfr/tree.hpp"
#include "zerosum/cfr/walks.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::cfr {

// Threads meet here between the two halves of a batch, thousands of times a second: it spins before it
// yields.
class Barrier {
 public:
  explicit Barrier(int threads) : threads_(threads) {}

  void wait() {
    if (threads_ == 1) return;
    const unsigned round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    for (int spins = 0; round_.load(std::memory_order_acquire) == round; ++spins) {
      if (spins > 4000) std::this_thread::yield();
    }
  }

 private:
  const int threads_;
  std::atomic<int> arrived_{0};
  std::atomic<unsigned> round_{0};
};

// An iteration is one walk for each player.
class SampledSolver {
 public:
  SampledSolver(std::shared_ptr<const Tree> tree, Sampling sampling, std::uint64_t seed, int threads)
      : table(2 * std::size_t(tree->sequences()), 0.0),
        tree_(std::move(tree)),
        sampling_(sampling),
        seed_(seed),
        threads_(static_cast<int>(
            std::clamp<std::int64_t>(threads, 1, batch()))),  // more would find nothing to walk
        logs_{std::vector<Logs>(threads_, Logs(threads_)), std::vector<Logs>(threads_, Logs(threads_))},
        shard_(tree_->infosets()),
        scratch_(Walker::scratch_size(*tree_)) {
    if (sampling_ == Sampling::kPublicChance) open_.emplace(*tree_);
    for (int i = 0; i < tree_->infosets(); ++i) {
      shard_[i] = static_cast<std::int32_t>(std::int64_t(tree_->first[i]) * threads_ / tree_->sequences());
    }
  }

  std::vector<double> average_profile() const { return behaviour(*tree_, table.data() + tree_->sequences()); }

  std::int64_t batch() const { return sampling_ == Sampling::kPublicChance ? 4 : 20; }

  // A run may end within a batch: the walks done count in the table, and the rest of the batch goes on from
  // the same regrets, so that stopping leaves no trace in what follows.
  void run(std::int64_t iterations) {
    const std::int64_t end = iteration_ + iterations, size = batch();
    while (iteration_ < end) {
      const std::int64_t start = iteration_ - iteration_ % size, whole = end - end % size;
      if (iteration_ == start && iteration_ < whole) {
        run_stretches(iteration_, whole);
        iteration_ = whole;
        continue;
      }
      if (iteration_ == start) boundary_ = table;
      const std::int64_t stop = std::min(end, start + size);
      run_part(iteration_, stop);
      iteration_ = stop;
      if (stop == start + size) boundary_.clear();
    }
  }

  // The last whole batch, and the table there: what a checkpoint holds.
  std::int64_t saved_iteration() const { return iteration_ - iteration_ % batch(); }
  const std::vector<double>& saved_table() const { return boundary_.empty() ? table : boundary_; }

  std::int64_t iteration() const { return iteration_; }
  void restore(std::int64_t iteration, const double* values) {
    iteration_ = iteration;
    boundary_.clear();
    std::copy(values, values + table.size(), table.begin());
  }

  std::vector<double> table;  // [2, sequences] summed regrets, summed strategies

 private:
  // Threads that meet after every batch are quick on cores of their own and very slow where they have to
  // share them with other programs: whichever way was quicker lately is taken, and the other tried now and
  // then. Both give the same bits.
  void run_stretches(std::int64_t from, std::int64_t to) {
    constexpr std::int64_t kStretch = 1000, kTrial = 50, kTrialEvery = 40;  // in batches
    for (std::int64_t start = from; start < to; ++stretches_) {
      const bool is_trial = stretches_ % kTrialEvery < 2;
      const bool alone = threads_ == 1 || (is_trial ? stretches_ % kTrialEvery == 0 : alone_ < together_);
      const std::int64_t end = std::min(to, start + batch() * (is_trial ? kTrial : kStretch));
      const auto began = std::chrono::steady_clock::now();
      alone ? run_alone(start, end) : run_together(start, end);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
      (alone ? alone_ : together_) = took.count() / static_cast<double>(end - start);
      start = end;
    }
  }

  // Whole batches by one thread, in the order of several.
  void run_alone(std::int64_t from, std::int64_t to) {
    const std::size_t sequences = table.size() / 2;
    Walker walker(*tree_, open_ ? &*open_ : nullptr, table.data(), shard_, scratch_);
    for (std::int64_t start = from; start < to; start += batch()) {
      for (int thread = 0; thread < threads_; ++thread) walk_share(walker, thread, start, logs_[0][thread]);
      for (const auto& log : logs_[0]) {
        log.regrets.add_to(table.data());
        for (const Log& averages : log.averages) averages.add_to(table.data() + sequences);
      }
    }
  }

  // A thread's walks of a batch.
  void walk_share(Walker& walker, int thread, std::int64_t start, Logs& logs) const {
    const std::int64_t size = batch();
    logs.clear();
    for (std::int64_t t = start + size * thread / threads_; t < start + size * (thread + 1) / threads_; ++t) {
      for (int player = 0; player < tree_->players; ++player) walker.walk(sampling_, seed_, t, player, logs);
    }
  }

  // Whole batches. Every thread has regrets of its own, which all come out the same because all add the same
  // logs in the same order: passing the logs on is cheaper than passing on the lines of one shared table.
  // Of the averages, which nobody reads, each thread adds to its own part. Logs come in pairs, so that a
  // thread may fill one while another still reads the last.
  void run_together(std::int64_t from, std::int64_t to) {
    Barrier barrier(threads_);
    const std::size_t sequences = table.size() / 2;
    const auto work = [&](int thread) {
      std::vector<double> copy;
      if (thread > 0) copy.assign(table.begin(), table.begin() + sequences);
      barrier.wait();
      double* regret = thread > 0 ? copy.data() : table.data();
      Walker walker(*tree_, open_ ? &*open_ : nullptr, regret, shard_, scratch_);
      const std::int64_t size = batch();
      for (std::int64_t start = from; start < to; start += size) {
        auto& logs = logs_[(start - from) / size % 2];
        walk_share(walker, thread, start, logs[thread]);
        barrier.wait();
        for (const auto& log : logs) {
          log.regrets.add_to(regret);
          log.averages[thread].add_to(table.data() + sequences);
        }
      }
    };
    on_threads(threads_, work);
  }

  // The rest of a batch, or less, from the regrets that the batch began with.
  void run_part(std::int64_t from, std::int64_t to) {
    Walker walker(*tree_, open_ ? &*open_ : nullptr, boundary_.data(), shard_, scratch_);
    Logs& logs = logs_[0][0];
    for (std::int64_t t = from; t < to; ++t) {
      logs.clear();
      for (int player = 0; player < tree_->players; ++player) walker.walk(sampling_, seed_, t, player, logs);
      logs.regrets.add_to(table.data());
      for (const Log& log : logs.averages) log.add_to(table.data() + table.size() / 2);
    }
  }

  std::shared_ptr<const Tree> tree_;
  Sampling sampling_;
  std::uint64_t seed_;
  int threads_;
  std::int64_t iteration_ = 0;
  std::optional<PublicChance> open_;
  std::vector<Logs> logs_[2];        // [threads that write]
  std::vector<std::int32_t> shard_;  // [infosets] which thread adds to its averages
  std::size_t scratch_;
  std::vector<double> boundary_;  // the table before an unfinished batch
  std::int64_t stretches_ = 0;
  double alone_ = 0.0, together_ = 0.0;  // seconds an iteration, lately
};

}  // namespace zerosum::cfr
