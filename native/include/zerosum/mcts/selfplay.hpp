// Many games of a network against itself at once. They stop where the network is needed; all that it is asked
// goes out in one batch. What a game does depends on its number and the seed, not on how many threads there
// are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "zerosum/crew.hpp"
#include "zerosum/mcts/asking.hpp"
#include "zerosum/mcts/root.hpp"

namespace zerosum::mcts {

struct PlaySettings {
  int simulations = 200;      // of a move that is learnt from
  int fast_simulations = 50;  // of the others (Wu 2019, playout-cap randomisation)
  double full_share = 1.0;    // of moves that are learnt from
  double noise_alpha = 0.3, noise_share = 0.25;
  int temperature_moves = 30;  // drawn by visits; the most visited one after that
  double opening_share = 0.0;  // of games that begin with random stones ...
  int opening_most = 0;        // ... up to so many ...
  double early_share = 0.0;    // ... or, this share of them, ...
  int early_most = 0;          // ... up to so few
  double play_on = 0;          // how likely a game goes on, at each position whose value is certain
  int batch = 128;             // leaves a round, if there are so many
  int most_leaves = 8;         // of one tree
  int cache_bits = 0;
  bool reuse = true;
  int side_rows = 0;   // positions off the game's path whose value the search proved, for each that is on it
  int aside_rows = 0;  // positions after other moves, each to be judged by a referee
};

struct Record {
  std::array<gomoku::Stones, 2> stones;  // of the side to move, and of the other
  bool black = true;
  std::vector<float> policy;
  float value = 0;       // of the search
  bool certain = false;  // its value is the truth, whatever the game came to; without one and without a
                         // policy it is for a referee
};

struct Game {
  std::uint64_t number = 0;
  std::vector<int> moves;
  int opening = 0;  // moves that were random
  int result = 0;   // to the first player
  std::vector<Record> records;
};

class SelfPlay {
 public:
  // Plays games first .. first + count − 1, `slots` at a time.
  SelfPlay(const gomoku::Rules& rules, const Settings& settings, const PlaySettings& play, std::uint64_t seed,
           std::uint64_t first, std::uint64_t count, int slots, int threads)
      : lines_(std::make_unique<gomoku::Lines>(rules)),
        settings_(settings),
        play_(play),
        seed_(seed),
        next_(first),
        end_(first + count),
        crew_(threads),
        cache_(play.cache_bits, rules.cells()) {
    for (int i = 0; i < slots && next_ < end_; ++i) {
      slots_.push_back(std::make_unique<Slot>(*lines_, settings_));
      start(*slots_.back());
    }
  }

  const gomoku::Lines& lines() const { return *lines_; }

  // Goes on until every game waits for the network or is over; how many rows it is to be asked.
  std::size_t advance() {
    while (true) {
      std::size_t active = 0;
      for (const auto& slot : slots_) active += slot->playing;
      if (active == 0) return 0;
      std::size_t most = std::clamp<std::size_t>(play_.batch / active, 1, play_.most_leaves);
      share(active >= 16, [&](std::size_t i) {
        if (slots_[i]->playing) go_on(*slots_[i], most);
      });
      std::size_t asked = 0;
      for (auto& slot : slots_) {
        if (slot->playing && slot->over) {
          finished_.push_back(std::move(slot->game));
          slot->playing = false;
          if (next_ < end_) start(*slot);
        }
        asked += slot->leaves.size();
      }
      if (asked > 0) return asked * looks(*lines_, settings_);
    }
  }

  // Rows that wait for an answer.
  std::size_t waiting() const {
    std::size_t asked = 0;
    for (const auto& slot : slots_) asked += slot->leaves.size();
    return asked * looks(*lines_, settings_);
  }

  void write(float* planes) {
    const std::size_t row = 3 * lines_->rules.cells() * looks(*lines_, settings_);
    const std::vector<std::size_t> first = first_rows();
    share(first.back() >= 64, [&](std::size_t i) {
      for (std::size_t k = 0; k < slots_[i]->leaves.size(); ++k)
        write_planes(*lines_, settings_, slots_[i]->leaves[k], planes + (first[i] + k) * row);
    });
  }

  // Answers to what `write` wrote. Trees take theirs on all threads; the cache takes them in order.
  void answer(const float* probabilities, const float* values) {
    const int times = looks(*lines_, settings_), cells = lines_->rules.cells();
    const std::vector<std::size_t> first = first_rows();
    share(first.back() >= 64, [&](std::size_t i) {
      Slot& slot = *slots_[i];
      for (std::size_t k = 0; k < slot.leaves.size(); ++k) {
        std::size_t row = (first[i] + k) * times;
        Turned told = turned_back(*lines_, settings_, slot.leaves[k], probabilities + row * cells,
                                  values + row, slot.room);
        slot.tree.answer(slot.leaves[k], told.probabilities, told.value);
      }
      if (play_.cache_bits == 0) slot.leaves.clear();
    });
    if (play_.cache_bits == 0) return;
    std::vector<float> room;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      for (std::size_t k = 0; k < slots_[i]->leaves.size(); ++k) {
        std::size_t row = (first[i] + k) * times;
        const Leaf& leaf = slots_[i]->leaves[k];
        Turned told = turned_back(*lines_, settings_, leaf, probabilities + row * cells, values + row, room);
        cache_.put(leaf.key, told.probabilities, told.value);
      }
      slots_[i]->leaves.clear();
    }
  }

  std::vector<Game> take_finished() { return std::move(finished_); }
  std::uint64_t simulations() const {
    std::uint64_t sum = 0;
    for (const auto& slot : slots_) sum += slot->simulations;
    return sum;
  }

 private:
  struct Slot {
    Slot(const gomoku::Lines& lines, const Settings& settings) : tree(lines, settings) {}
    Tree tree;
    RootSearch search;
    Game game;
    CounterRng luck{0, 0, 0};
    std::vector<Leaf> leaves;
    std::vector<float> room;
    bool playing = false, over = false, full = true, noisy = false;
    std::uint64_t simulations = 0;
  };

  // Work on each slot, on all threads if that is worth it.
  template <typename Work>
  void share(bool among_all, Work work) {
    if (!among_all || crew_.size() == 1) {
      for (std::size_t i = 0; i < slots_.size(); ++i) work(i);
      return;
    }
    crew_.run([&](int thread) {
      for (std::size_t i = thread; i < slots_.size(); i += crew_.size()) work(i);
    });
  }

  // Of each slot among the leaves of all, and how many there are.
  std::vector<std::size_t> first_rows() const {
    std::vector<std::size_t> first{0};
    for (const auto& slot : slots_) first.push_back(first.back() + slot->leaves.size());
    return first;
  }

  void start(Slot& slot) {
    slot.game = Game{};
    slot.game.number = next_++;
    slot.luck = CounterRng(seed_, slot.game.number, 0);
    slot.playing = true;
    slot.over = false;
    const double drawn = slot.luck.uniform();
    int stones = 0;
    if (slot.luck.uniform() < play_.opening_share) {
      const int most = slot.luck.uniform() < play_.early_share ? play_.early_most : play_.opening_most;
      stones = static_cast<int>(drawn * (most + 1));
    }
    while (true) {
      slot.game.moves.clear();
      gomoku::Position at(*lines_);
      while (static_cast<int>(slot.game.moves.size()) < stones && !at.is_over()) {
        int cell = static_cast<int>(slot.luck.uniform() * lines_->rules.cells());
        if (!at.is_empty(cell)) continue;
        at.play(cell);
        slot.game.moves.push_back(cell);
      }
      slot.tree.reset(slot.game.moves);
      if (!slot.tree.position().is_over()) break;
      stones -= stones > 0;  // so that it ends even where so many stones hardly ever leave a game open
    }
    slot.game.opening = stones;
    begin_search(slot);
  }

  void begin_search(Slot& slot) {
    slot.full = slot.luck.uniform() < play_.full_share;
    slot.noisy = slot.full && play_.noise_share > 0 && settings_.root == Root::puct;
    if (!play_.reuse) slot.tree.reset_keeping_position();
    slot.search.begin(slot.tree, slot.full ? play_.simulations : play_.fast_simulations,
                      CounterRng(seed_, slot.game.number, 1, slot.game.moves.size()));
    slot.simulations -= slot.tree.visits();
  }

  void go_on(Slot& slot, std::size_t most) {
    while (slot.leaves.empty() && !slot.over) {
      if (!slot.tree.root_is_ready()) {
        slot.tree.gather(0, 1, cache_, slot.leaves, [] { return 0; });
        continue;
      }
      if (slot.noisy) {
        slot.noisy = false;
        add_noise(slot.tree, play_.noise_alpha, play_.noise_share, slot.luck);
      }
      if (slot.search.is_done(slot.tree))
        move(slot);
      else
        slot.search.gather(slot.tree, most, cache_, slot.leaves);
    }
  }

  void move(Slot& slot) {
    slot.simulations += slot.tree.visits() - slot.search.certain_visits();
    Game& game = slot.game;
    Tree& tree = slot.tree;
    const gomoku::Position& at = tree.position();
    int mover = at.to_move();
    const std::int8_t certain = tree.proven(0);
    const int cell = next_move(slot);
    if (slot.full) {
      Record record = record_of(at);
      if (certain != -1)  // a lost position teaches no move
        slot.search.policy(tree, record.policy.data());
      record.certain = certain != kUnknown;
      record.value = record.certain ? certain : tree.node_value(0);
      game.records.push_back(std::move(record));
      for (int i = 0; i < play_.side_rows; ++i) add_side_row(slot);
      for (int i = 0; i < play_.aside_rows && certain == kUnknown; ++i) add_aside_row(slot, cell);
    }
    game.moves.push_back(cell);
    tree.advance(cell);
    if (certain != kUnknown && slot.luck.uniform() >= play_.play_on) {
      game.result = mover == 0 ? certain : -certain;
      slot.over = true;
    } else if (at.is_over() || (play_.play_on < 1 && at.is_dead())) {
      int winner = at.board().winner;
      game.result = winner < 0 ? 0 : winner == 0 ? 1 : -1;
      slot.over = true;
    } else {
      begin_search(slot);
    }
  }

  int next_move(Slot& slot) {
    const int made = static_cast<int>(slot.game.moves.size()) - slot.game.opening;
    const bool greedy = made >= play_.temperature_moves;
    return slot.tree.move(slot.search.chosen(slot.tree, greedy, slot.luck.uniform()));
  }

  Record record_of(const gomoku::Position& at) const {
    Record record;
    int mover = at.to_move();
    record.stones = {at.board().stones[mover], at.board().stones[1 - mover]};
    record.black = mover == 0;
    record.policy.assign(lines_->rules.cells(), 0.0f);
    return record;
  }

  void add_side_row(Slot& slot) {
    slot.tree.visit_certain([&] { return slot.luck.uniform(); },
                            [&](const gomoku::Position& at, int value, int move) {
                              Record record = record_of(at);
                              if (move >= 0) record.policy[move] = 1;
                              record.value = static_cast<float>(value);
                              record.certain = true;
                              slot.game.records.push_back(std::move(record));
                            });
  }

  // One of the positions that the search thought of and the game did not come to.
  void add_aside_row(Slot& slot, int played) {
    const std::int32_t edge = slot.search.chosen(slot.tree, false, slot.luck.uniform());
    const int cell = slot.tree.move(edge);
    if (cell == played) return;
    gomoku::Position next = slot.tree.position();
    next.play(cell);
    if (next.is_over()) return;
    Record record = record_of(next);
    record.value = -slot.tree.mean(edge);  // what a referee tries to prove first
    slot.game.records.push_back(std::move(record));
  }

  std::unique_ptr<gomoku::Lines> lines_;
  Settings settings_;
  PlaySettings play_;
  std::uint64_t seed_, next_, end_;
  Crew crew_;
  Cache cache_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Game> finished_;
};

}  // namespace zerosum::mcts
