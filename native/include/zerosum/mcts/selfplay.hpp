// Many games of a network against itself at once. They stop where the network is needed; all that it is asked
// goes out in one batch. What a game does depends on its number and the seed, not on how many threads there
// are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "zerosum/games/gomoku/proof.hpp"
#include "zerosum/mcts/asking.hpp"
#include "zerosum/mcts/root.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::mcts {

struct PlaySettings {
  int simulations = 200;      // of a move that is learnt from
  int fast_simulations = 50;  // of the others (Wu 2019, playout-cap randomisation)
  double full_share = 1.0;    // of moves that are learnt from
  double noise_alpha = 0.3, noise_share = 0.25;
  int temperature_moves = 30;  // drawn by visits; the most visited one after that
  double opening_share = 0.0;  // of games that begin with random stones ...
  int opening_most = 0;        // ... up to so many
  bool stop_when_certain = true;
  int batch = 128;      // leaves a round, if there are so many
  int most_leaves = 8;  // of one tree
  int cache_bits = 0;
  bool reuse = true;
  int side_rows = 0;  // positions off the game's path whose value the search proved, for each that is on it
  // Of a proof search for a win, and half as many for a loss, where the tree has no answer.
  int proof_nodes = 0;
};

constexpr int kProofBits = 14;  // of a proof search's table: it stays in a core's cache

struct Record {
  std::array<gomoku::Stones, 2> stones;  // of the side to move, and of the other
  bool black = true;
  std::vector<float> policy;
  float value = 0;       // of the search
  bool certain = false;  // its value is the truth, whatever the game came to
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
        threads_(threads),
        cache_(play.cache_bits, rules.cells()) {
    for (int i = 0; i < threads && play.proof_nodes > 0 && rules.cells() <= 64; ++i)
      provers_.push_back(std::make_unique<gomoku::ProofSearch>(rules, kProofBits));
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
      int threads = active < 16 ? 1 : threads_;
      on_threads(threads, [&](int thread) {
        for (std::size_t i = thread; i < slots_.size(); i += threads)
          if (slots_[i]->playing) go_on(*slots_[i], most, thread);
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

  void write(float* planes) const {
    std::size_t row = 3 * lines_->rules.cells() * looks(*lines_, settings_);
    for (const auto& slot : slots_)
      for (const Leaf& leaf : slot->leaves) {
        write_planes(*lines_, settings_, leaf, planes);
        planes += row;
      }
  }

  // Answers to what `write` wrote. Trees take theirs on all threads; the cache takes them in order.
  void answer(const float* probabilities, const float* values) {
    int times = looks(*lines_, settings_), cells = lines_->rules.cells();
    std::vector<std::size_t> first;
    std::size_t rows = 0;
    for (const auto& slot : slots_) {
      first.push_back(rows);
      rows += slot->leaves.size();
    }
    int threads = rows < 64 ? 1 : threads_;
    on_threads(threads, [&](int thread) {
      std::vector<float> room;
      for (std::size_t i = thread; i < slots_.size(); i += threads)
        for (std::size_t k = 0; k < slots_[i]->leaves.size(); ++k) {
          std::size_t row = (first[i] + k) * times;
          const Leaf& leaf = slots_[i]->leaves[k];
          Turned told =
              turned_back(*lines_, settings_, leaf, probabilities + row * cells, values + row, room);
          slots_[i]->tree.answer(leaf, told.probabilities, told.value);
        }
    });
    std::vector<float> room;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      for (std::size_t k = 0; k < slots_[i]->leaves.size() && play_.cache_bits > 0; ++k) {
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
    bool playing = false, over = false, full = true, noisy = false;
    std::uint64_t simulations = 0;
  };

  void start(Slot& slot) {
    slot.game = Game{};
    slot.game.number = next_++;
    slot.luck = CounterRng(seed_, slot.game.number, 0);
    slot.playing = true;
    slot.over = false;
    double share = slot.luck.uniform();
    int stones =
        slot.luck.uniform() < play_.opening_share ? static_cast<int>(share * (play_.opening_most + 1)) : 0;
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

  void go_on(Slot& slot, std::size_t most, int thread) {
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
        move(slot, thread);
      else
        slot.search.gather(slot.tree, most, cache_, slot.leaves);
    }
  }

  void move(Slot& slot, int thread) {
    slot.simulations += slot.tree.visits() - slot.search.certain_visits();
    Game& game = slot.game;
    Tree& tree = slot.tree;
    const gomoku::Position& at = tree.position();
    int mover = at.to_move();
    Certain certain{tree.proven(0), -1};
    if (slot.full) {
      if (certain.value == kUnknown && !provers_.empty()) certain = proof(at, *provers_[thread]);
      Record record = record_of(at);
      if (certain.move >= 0)
        record.policy[certain.move] = 1;
      else if (certain.value != -1)  // a lost position teaches no move
        slot.search.policy(tree, record.policy.data());
      record.certain = certain.value != kUnknown;
      record.value = record.certain ? certain.value : tree.node_value(0);
      game.records.push_back(std::move(record));
      for (int i = 0; i < play_.side_rows; ++i) add_side_row(slot);
    }
    bool greedy = static_cast<int>(game.moves.size()) - game.opening >= play_.temperature_moves;
    int cell = tree.move(slot.search.chosen(tree, greedy, slot.luck.uniform()));
    game.moves.push_back(cell);
    tree.advance(cell);
    if (certain.value != kUnknown && play_.stop_when_certain) {
      game.result = mover == 0 ? certain.value : -certain.value;
      slot.over = true;
    } else if (at.is_over() || (play_.stop_when_certain && at.is_dead())) {
      int winner = at.board().winner;
      game.result = winner < 0 ? 0 : winner == 0 ? 1 : -1;
      slot.over = true;
    } else {
      begin_search(slot);
    }
  }

  struct Certain {
    std::int8_t value;
    int move;  // that wins, if one is known
  };

  // What a proof search of a few nodes says. It begins anew each time: the same on every thread.
  Certain proof(const gomoku::Position& at, gomoku::ProofSearch& prover) const {
    using Answer = gomoku::ProofSearch::Answer;
    const auto& stones = at.board().stones;
    const int mover = at.to_move();
    const gomoku::SmallPosition small{stones[mover].first_word(), stones[1 - mover].first_word()};
    prover.forget();
    const Answer wins = prover.wins(small, true, play_.proof_nodes);
    if (wins == Answer::yes) return {1, prover.winning_move(small)};
    const Answer loses = prover.wins(small, false, std::max(play_.proof_nodes / 2, 1));
    if (loses == Answer::yes) return {-1, -1};
    return {wins == Answer::no && loses == Answer::no ? std::int8_t(0) : kUnknown, -1};
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

  std::unique_ptr<gomoku::Lines> lines_;
  Settings settings_;
  PlaySettings play_;
  std::uint64_t seed_, next_, end_;
  int threads_;
  Cache cache_;
  std::vector<std::unique_ptr<gomoku::ProofSearch>> provers_;  // one a thread
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Game> finished_;
};

}  // namespace zerosum::mcts
