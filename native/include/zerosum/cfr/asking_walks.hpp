// Walks of a compiled game that stop where they need a strategy, level by level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "zerosum/cfr/tree_walks.hpp"

namespace zerosum::cfr {

class AskingWalks {
 public:
  // `walks` must last as long as these; `baseline` is [slots] or null, and is copied.
  AskingWalks(const TreeWalks& walks, const double* baseline, bool stratified, const WalkRange& range)
      : range_(range),
        tree_(walks.tree),
        table_(baseline, baseline == nullptr ? baseline : baseline + walks.slots()),
        game_(walks.game(baseline == nullptr ? nullptr : table_.data(), stratified)),
        traversals_(game_, range.traverser) {
    for (std::uint64_t k = 0; k < range.count; ++k) begin_walk(traversals_, range, k, game_.deals);
    asked_ = &traversals_.advance();
  }
  AskingWalks(const AskingWalks&) = delete;
  AskingWalks& operator=(const AskingWalks&) = delete;

  const TreeGame& game() const { return game_; }
  int traverser() const { return range_.traverser; }

  // How many strategies are needed; none once all walks have ended.
  std::size_t asked() const { return asked_->size(); }

  // [asked] the information sets whose strategies are needed.
  std::vector<std::int32_t> infosets() const {
    std::vector<std::int32_t> found;
    found.reserve(asked());
    for (const std::int32_t record : *asked_) found.push_back(tree_->nodes[traversals_.state(record)].index);
    return found;
  }

  // [asked, actions] strategies; advances to where the next are needed.
  void answer(const double* rows) {
    const std::vector<std::int32_t> records = *asked_;
    std::vector<double> strategy;
    for (std::size_t r = 0; r < records.size(); ++r, rows += game_.actions) {
      const std::int32_t node = traversals_.state(records[r]);
      strategy.resize(static_cast<std::size_t>(game_.children(node)));
      for (int k = 0; k < game_.children(node); ++k) strategy[k] = rows[game_.column(node, k)];
      traversals_.answer(records[r], strategy.data(), nullptr);
    }
    asked_ = &traversals_.advance();
  }

  Found<std::int32_t> finish() {
    Found<std::int32_t> found;
    traversals_.finish(game_.table != nullptr, found);
    return found;
  }

 private:
  WalkRange range_;
  std::shared_ptr<const Tree> tree_;
  std::vector<double> table_;
  TreeGame game_;
  Traversals<TreeGame> traversals_;
  const std::vector<std::int32_t>* asked_ = nullptr;
};

}  // namespace zerosum::cfr
