// Hands that differ only by a renaming of suits share one number, with none left over (the idea of Waugh
// 2013).
//
// A hand is dealt in rounds (hole cards, flop, turn, river; or hole cards and an unordered board). Each
// suit's part is numbered by itself: for every round, which of the suit's unused ranks it got. Suits that got
// the same numbers of cards are interchangeable, so such a group is numbered as a multiset.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "zerosum/cards/card.hpp"
#include "zerosum/cards/evaluate.hpp"

namespace zerosum::cards {

inline constexpr std::array<std::array<std::uint16_t, 16>, 14> kChoose13 = [] {
  std::array<std::array<std::uint16_t, 16>, 14> table{};
  for (int n = 0; n <= 13; ++n) {
    table[n][0] = 1;
    for (int k = 1; k <= n; ++k)
      table[n][k] = static_cast<std::uint16_t>(table[n - 1][k - 1] + (k < n ? table[n - 1][k] : 0));
  }
  return table;
}();

// How many multisets of `size` numbers below n there are.
constexpr std::uint64_t multisets(std::uint64_t n, int size) {
  switch (size) {
    case 1:
      return n;
    case 2:
      return n * (n + 1) / 2;
    case 3:
      return n * (n + 1) / 2 * (n + 2) / 3;
    default:
      return n * (n + 1) / 2 * (n + 2) / 3 * (n + 3) / 4;
  }
}

class HandIndexer {
 public:
  // Cards dealt in each round, such as {2, 3, 1, 1}.
  explicit HandIndexer(std::vector<int> rounds) : rounds_(std::move(rounds)) {
    strides_.resize(rounds_.size());
    codes_ = 1;
    for (std::size_t r = 0; r < rounds_.size(); ++r) {
      strides_[r] = codes_;
      codes_ *= rounds_[r] + 1;
      cards_ += rounds_[r];
    }
    sizes_.resize(codes_);
    for (int code = 0; code < codes_; ++code) sizes_[code] = suit_size(code);
    list_splits();
    std::array<int, 4> chosen{};
    list_shapes(chosen, 0, codes_ - 1);
  }

  int cards() const { return cards_; }
  std::uint64_t size() const { return size_; }

  // The number of a hand of cards(), round by round; kNoHand where they are not different cards.
  static constexpr std::uint64_t kNoHand = ~std::uint64_t{0};
  template <bool kFast = false>
  ZEROSUM_INLINE std::uint64_t index(const std::uint8_t* cards) const {
    return index_of<kFast>(rounds_, cards);
  }

  // The same where the rounds are known to the compiler, which then unrolls them.
  template <bool kFast, int... kRounds>
  ZEROSUM_INLINE std::uint64_t index_fixed(const std::uint8_t* cards) const {
    constexpr std::array<int, sizeof...(kRounds)> rounds{kRounds...};
    return index_of<kFast>(rounds, cards);
  }

  template <int... kRounds>
  bool has_rounds() const {
    return rounds_ == std::vector<int>{kRounds...};
  }

  // The canonical hand with that number: cards() cards, round by round, ascending within a round.
  void hand(std::uint64_t index, std::uint8_t* cards) const {
    const auto after = std::upper_bound(shapes_.begin(), shapes_.end(), index,
                                        [](std::uint64_t i, const Shape& shape) { return i < shape.offset; });
    const Shape& shape = *(after - 1);
    std::uint64_t rest = index - shape.offset;
    std::array<std::uint64_t, 4> number{};
    for (int from = 3; from >= 0;) {  // groups from last to first, as they were combined
      int first = from;
      while (first > 0 && shape.code[first - 1] == shape.code[from]) --first;
      const int size = from - first + 1;
      const std::uint64_t kinds = multisets(sizes_[shape.code[from]], size);
      split_multiset(rest % kinds, size, number.data() + first);
      rest /= kinds;
      from = first - 1;
    }
    deal(shape, number, cards);
  }

 private:
  // What each suit got, codes descending, and the first number of such hands.
  struct Shape {
    std::array<int, 4> code;
    std::uint64_t offset;
    bool large = false;                     // three or more interchangeable suits that hold cards
    std::array<std::uint64_t, 4> twin{};    // all bits where the next suit is interchangeable with this one
    std::array<std::uint64_t, 4> weight{};  // how many hands one step of this suit's number passes over
  };
  struct Entry {
    std::uint16_t shape = 0;
    std::array<std::uint8_t, 4> suit{};  // the suits, in the shape's order
  };

  // The places of `ranks` among the ranks not `used`. BMI2 has an instruction for it, which is written out
  // because a function compiled for any machine holds it.
  template <bool kFast>
  static ZEROSUM_INLINE std::uint32_t places(std::uint32_t ranks, std::uint32_t used) {
    std::uint32_t found = 0;
#if defined(ZEROSUM_AVX2)
    if constexpr (kFast) {
      __asm__("pext %2, %1, %0" : "=r"(found) : "r"(ranks), "r"(~used));
      return found;
    }
#endif
    for (; ranks != 0; ranks &= ranks - 1) {
      const std::uint32_t below = (ranks & (0 - ranks)) - 1;
      found |= (below + 1) >> __builtin_popcount(used & below);
    }
    return found;
  }

  // Keeps the compiler from putting four numbers into a vector, which has no 64-bit products and is slow to
  // take apart.
  static ZEROSUM_INLINE void keep_scalar(std::uint64_t& number) { __asm__("" : "+r"(number)); }

  // The first three suits' counts of a set of cards, three bits each.
  static ZEROSUM_INLINE std::size_t split_key(std::uint64_t set) {
    const std::uint64_t counts = (set >> 13) & 0x0000000700070007ULL;
    return (counts | counts >> 13 | counts >> 26) & (kSplitKeys - 1);
  }

  template <bool kFast, typename Rounds>
  ZEROSUM_INLINE std::uint64_t index_of(const Rounds& rounds, const std::uint8_t* cards) const {
    std::uint64_t used = 0;  // a set of cards
    std::size_t split = 0;
    std::array<std::uint64_t, 4> number{};
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      const std::uint16_t* splits = splits_.data() + r * kSplitKeys;
      if (rounds[r] == 1) {  // only one suit changes
        const int suit = suit_of(*cards), rank = rank_of(*cards);
        const std::uint32_t ranks = ranks_in(used, suit);
        const auto left = static_cast<std::uint64_t>(kRanks - __builtin_popcount(ranks));
        const auto below = static_cast<std::uint64_t>(__builtin_popcount(ranks & ((1u << (rank & 15)) - 1)));
        number[suit] = number[suit] * left + static_cast<std::uint64_t>(rank) - below;
        split += splits[split_key(kCardSets[*cards])];
        used += kCardSets[*cards++];
        continue;
      }
      std::uint64_t fresh = 0;
      for (int k = 0; k < rounds[r]; ++k) fresh += kCardSets[*cards++];
      for (int suit = 0; suit < 4; ++suit) {
        const std::uint32_t ranks = ranks_in(fresh, suit);
        const std::uint32_t got = r == 0 ? ranks : places<kFast>(ranks, ranks_in(used, suit));
        const std::uint64_t ways =
            kChoose13[kRanks - ((used >> (16 * suit + 13)) & 7)][(fresh >> (16 * suit + 13)) & 7];
        number[suit] = number[suit] * ways + detail::kOrder[got];
        keep_scalar(number[suit]);
      }
      split += splits[split_key(fresh)];
      used += fresh;
    }
    if (__builtin_popcountll(used & kRankBits) != cards_) return kNoHand;
    const Entry& entry = lookup_[split];
    const Shape& shape = shapes_[entry.shape];
    std::array<std::uint64_t, 4> sorted;
    for (int k = 0; k < 4; ++k) {
      sorted[k] = number[entry.suit[k]];
      keep_scalar(sorted[k]);
    }
    if (shape.large) return shape.offset + combine(shape, sorted);
    // Most hands: groups of one or two, put together without a branch that the cards could mispredict.
    std::uint64_t index = shape.offset;
    for (int k = 0; k < 3; ++k) {  // the higher number first
      const std::uint64_t swap =
          (sorted[k] ^ sorted[k + 1]) & shape.twin[k] & (0 - std::uint64_t{sorted[k] < sorted[k + 1]});
      sorted[k] ^= swap;
      sorted[k + 1] ^= swap;
    }
    for (int k = 0; k < 4; ++k) {
      const std::uint64_t n = sorted[k];
      index += (n + ((n * (n - 1) / 2) & shape.twin[k])) * shape.weight[k];
    }
    return index;
  }

  int count(int code, std::size_t round) const { return code / strides_[round] % (rounds_[round] + 1); }

  std::uint64_t suit_size(int code) const {
    std::uint64_t size = 1;
    int left = kRanks;
    for (std::size_t r = 0; r < rounds_.size(); ++r) {
      if (count(code, r) > left) return 0;
      size *= kChoose13[left][count(code, r)];
      left -= count(code, r);
    }
    return size;
  }

  // All ways to give four suits descending codes that deal out every round, in a fixed order.
  void list_shapes(std::array<int, 4>& chosen, int depth, int highest) {
    if (depth == 4) {
      for (std::size_t r = 0; r < rounds_.size(); ++r) {
        int sum = 0;
        for (int code : chosen) sum += count(code, r);
        if (sum != rounds_[r]) return;
      }
      add_shape(chosen);
      add_lookups(chosen);
      return;
    }
    for (int code = 0; code <= highest; ++code) {
      if (sizes_[code] == 0) continue;
      chosen[depth] = code;
      list_shapes(chosen, depth + 1, code);
    }
  }

  void add_shape(const std::array<int, 4>& chosen) {
    Shape shape{};
    shape.code = chosen;
    shape.offset = size_;
    std::uint64_t kinds = 1;
    for (int to = 4; to > 0;) {
      int from = to - 1;
      while (from > 0 && chosen[from - 1] == chosen[to - 1]) --from;
      for (int k = from; k < to; ++k) shape.weight[k] = kinds;
      const bool cards = chosen[from] != 0;  // suits without cards have only one number
      shape.large |= cards && to - from > 2;
      shape.twin[from] = cards && to - from == 2 ? ~std::uint64_t{0} : 0;
      kinds *= multisets(sizes_[chosen[from]], to - from);
      to = from;
    }
    shapes_.push_back(shape);
    size_ += kinds;
  }

  // Numbers the ways to split each round among the suits, so that their sum numbers those of all rounds.
  void list_splits() {
    splits_.assign(rounds_.size() * kSplitKeys, 0);
    std::size_t stride = 1;
    for (std::size_t r = 0; r < rounds_.size(); ++r) {
      std::size_t found = 0;
      for (int a = 0; a <= rounds_[r]; ++a) {
        for (int b = 0; a + b <= rounds_[r]; ++b) {
          for (int c = 0; a + b + c <= rounds_[r]; ++c) {
            splits_[r * kSplitKeys + static_cast<std::size_t>(a | b << 3 | c << 6)] =
                static_cast<std::uint16_t>(stride * found++);
          }
        }
      }
      stride *= found;
    }
    lookup_.assign(stride, Entry{});
  }

  void add_lookups(const std::array<int, 4>& chosen) {
    std::array<std::uint8_t, 4> order{0, 1, 2, 3};
    do {  // suit order[k] gets chosen[k]
      std::array<int, 4> code{};
      for (int k = 0; k < 4; ++k) code[order[k]] = chosen[k];
      std::size_t split = 0;
      for (std::size_t r = 0; r < rounds_.size(); ++r) {
        const int key = count(code[0], r) | count(code[1], r) << 3 | count(code[2], r) << 6;
        split += splits_[r * kSplitKeys + static_cast<std::size_t>(key)];
      }
      lookup_[split].shape = static_cast<std::uint16_t>(shapes_.size() - 1);
      lookup_[split].suit = order;
    } while (std::next_permutation(order.begin(), order.end()));
  }

  ZEROSUM_INLINE std::uint64_t combine(const Shape& shape, std::array<std::uint64_t, 4>& number) const {
    std::uint64_t index = 0;
    for (int from = 0; from < 4;) {
      int to = from + 1;
      while (to < 4 && shape.code[to] == shape.code[from]) ++to;
      const int size = to - from;
      for (int a = from + 1; a < to; ++a) {  // descending, by insertion: at most four
        for (int b = a; b > from && number[b] > number[b - 1]; --b) std::swap(number[b], number[b - 1]);
      }
      std::uint64_t within = 0;
      for (int k = 0; k < size; ++k) within += multisets(number[from + k], size - k);
      index = index * multisets(sizes_[shape.code[from]], size) + within;
      from = to;
    }
    return index;
  }

  // The multiset with this number, descending.
  static void split_multiset(std::uint64_t index, int size, std::uint64_t* number) {
    for (int k = size; k >= 1; --k) {
      std::uint64_t low = 0, high = 1;
      while (multisets(high, k) <= index) high *= 2;
      while (high - low > 1) {  // the largest n with multisets(n, k) <= index
        const std::uint64_t middle = (low + high) / 2;
        (multisets(middle, k) <= index ? low : high) = middle;
      }
      *number++ = low;
      index -= multisets(low, k);
    }
  }

  void deal(const Shape& shape, const std::array<std::uint64_t, 4>& number, std::uint8_t* cards) const {
    std::vector<std::vector<std::uint8_t>> dealt(rounds_.size());
    for (int suit = 0; suit < 4; ++suit) {
      std::uint64_t divisor = sizes_[shape.code[suit]], rest = number[suit];
      std::uint32_t used = 0;
      int left = kRanks;
      for (std::size_t r = 0; r < rounds_.size(); ++r) {
        const int n = count(shape.code[suit], r);
        divisor /= kChoose13[left][n];
        const std::uint32_t fresh = spread(subset(static_cast<std::uint32_t>(rest / divisor), n), used);
        rest %= divisor;
        for (int rank = 0; rank < kRanks; ++rank) {
          if (fresh >> rank & 1) dealt[r].push_back(static_cast<std::uint8_t>(rank * 4 + suit));
        }
        used |= fresh;
        left -= n;
      }
    }
    for (auto& round : dealt) {
      std::sort(round.begin(), round.end());
      cards = std::copy(round.begin(), round.end(), cards);
    }
  }

  // The set of n positions with this number in ascending order of sets.
  static std::uint32_t subset(std::uint32_t order, int n) {
    std::uint32_t set = 0;
    for (int position = kRanks - 1; n > 0; --position) {
      if (order < kChoose13[position][n]) continue;
      set |= 1u << position;
      order -= kChoose13[position][n--];
    }
    return set;
  }

  // Positions among the unused ranks -> ranks.
  static std::uint32_t spread(std::uint32_t set, std::uint32_t used) {
    std::uint32_t ranks = 0;
    for (int rank = 0, position = 0; rank < kRanks; ++rank) {
      if (used >> rank & 1) continue;
      if (set >> position & 1) ranks |= 1u << rank;
      ++position;
    }
    return ranks;
  }

  std::vector<int> rounds_, strides_;
  int codes_ = 1, cards_ = 0;
  std::vector<std::uint64_t> sizes_;  // [codes] how many ways a suit can hold such numbers of cards
  std::vector<Shape> shapes_;
  static constexpr std::size_t kSplitKeys = 512;
  std::vector<std::uint16_t> splits_;  // [rounds, keys] a number for each way to split a round
  std::vector<Entry> lookup_;          // [splits of all rounds]
  std::uint64_t size_ = 0;
};

namespace detail {

template <typename Index>
ZEROSUM_INLINE std::size_t index_each(const std::uint8_t* cards, std::size_t count, int size,
                                      std::uint64_t* indices, Index index) {
  for (std::size_t row = 0; row < count; ++row, cards += size) {
    indices[row] = index(cards);
    if (indices[row] == HandIndexer::kNoHand) return row;
  }
  return count;
}

template <bool kFast, int... kRounds>
ZEROSUM_INLINE std::size_t index_each_fixed(const HandIndexer& indexer, const std::uint8_t* cards,
                                            std::size_t count, std::uint64_t* indices) {
  return index_each(cards, count, (kRounds + ...), indices,
                    [&](const std::uint8_t* hand) __attribute__((always_inline)) {
                      return indexer.index_fixed<kFast, kRounds...>(hand);
                    });
}

template <bool kFast>
ZEROSUM_INLINE std::size_t index_rows_body(const HandIndexer& indexer, const std::uint8_t* cards,
                                           std::size_t count, std::uint64_t* indices) {
  if (indexer.has_rounds<2>()) return index_each_fixed<kFast, 2>(indexer, cards, count, indices);
  if (indexer.has_rounds<2, 3>()) return index_each_fixed<kFast, 2, 3>(indexer, cards, count, indices);
  if (indexer.has_rounds<2, 3, 1>()) return index_each_fixed<kFast, 2, 3, 1>(indexer, cards, count, indices);
  if (indexer.has_rounds<2, 3, 1, 1>())
    return index_each_fixed<kFast, 2, 3, 1, 1>(indexer, cards, count, indices);
  if (indexer.has_rounds<2, 4>()) return index_each_fixed<kFast, 2, 4>(indexer, cards, count, indices);
  if (indexer.has_rounds<2, 5>()) return index_each_fixed<kFast, 2, 5>(indexer, cards, count, indices);
  return index_each(cards, count, indexer.cards(), indices,
                    [&](const std::uint8_t* hand)
                        __attribute__((always_inline)) { return indexer.index<kFast>(hand); });
}

#if defined(ZEROSUM_AVX2)
ZEROSUM_AVX2 inline std::size_t index_rows_fast(const HandIndexer& indexer, const std::uint8_t* cards,
                                                std::size_t count, std::uint64_t* indices) {
  return index_rows_body<true>(indexer, cards, count, indices);
}
#endif

}  // namespace detail

// [count, cards] -> [count] numbers. Returns the first row that is not different cards, or count.
inline std::size_t index_rows(const HandIndexer& indexer, const std::uint8_t* cards, std::size_t count,
                              std::uint64_t* indices) {
#if defined(ZEROSUM_AVX2)
  if (has_avx2()) return detail::index_rows_fast(indexer, cards, count, indices);
#endif
  return detail::index_rows_body<false>(indexer, cards, count, indices);
}

}  // namespace zerosum::cards
