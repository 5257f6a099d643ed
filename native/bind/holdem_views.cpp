// zerosum.native: what many seats of heads-up hold'em see, as arrays.
#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "arrays.hpp"
#include "zerosum/cards/canonical_suits.hpp"
#include "zerosum/games/holdem/view.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::holdem;

void bind_holdem_views(nb::module_& m) {
  m.def(
      "heads_up_inputs",
      [](const nb::list& views, std::size_t actions, double chips) {
        const std::size_t count = views.size();
        std::vector<std::int64_t> seven(count * 7);
        std::vector<float> env(count * 5);
        auto legal = std::make_unique<bool[]>(count * actions);
        for (std::size_t k = 0; k < count; ++k) {
          const View& view = nb::cast<const View&>(views[k]);
          const Hand& hand = view.hand();
          const State& s = hand.state();
          const auto seat = static_cast<std::size_t>(view.seat());
          if (hand.rules().players != 2 || static_cast<std::size_t>(hand.rules().menu.actions()) > actions)
            throw RuleError("inputs: wanted views of heads-up hold'em with as many actions");
          seven[7 * k] = s.card[2 * seat];
          seven[7 * k + 1] = s.card[2 * seat + 1];
          for (int b = 0; b < 5; ++b)
            seven[7 * k + 2 + static_cast<std::size_t>(b)] = s.board(hand.rules(), b);
          cards::canonical_suits(seven.data() + 7 * k);
          const std::array<double, 5> numbers = {
              static_cast<double>(s.pot) / chips, static_cast<double>(s.stack[0]) / chips,
              static_cast<double>(s.stack[1]) / chips, s.street / 3.0, static_cast<double>(seat)};
          for (std::size_t n = 0; n < 5; ++n) env[5 * k + n] = static_cast<float>(numbers[n]);
          std::array<std::uint8_t, kMostActions> offered;
          const int found = hand.legal(offered);
          for (int n = 0; n < found; ++n) legal[k * actions + offered[n]] = true;
        }
        return nb::make_tuple(to_numpy(std::move(seven), {count, std::size_t{7}}),
                              to_numpy(std::move(env), {count, std::size_t{5}}),
                              bools_to_numpy(std::move(legal), {count, actions}));
      },
      "views"_a, "actions"_a, "chips"_a,
      nb::sig("def heads_up_inputs(views: list[HoldemView], actions: int, chips: float) -> "
              "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float32], "
              "numpy.typing.NDArray[numpy.bool_]]"),
      "[B, 7] hole cards and board with suits renamed, 52 where missing; [B, 5] pot, both stacks / chips, "
      "street / 3, seat; [B, "
      "actions] "
      "what the menu offers.");
  m.def(
      "canonical_suits",
      [](const In2<std::int64_t>& rows) {
        if (rows.shape(1) != 7)
          throw std::invalid_argument("canonical suits: wanted two hole cards and five of the board");
        std::vector<std::int64_t> renamed(rows.data(), rows.data() + rows.size());
        for (const std::int64_t card : renamed) {
          if (card < 0 || card > cards::kCards)
            throw std::invalid_argument("canonical suits: wanted cards from 0 to 52");
        }
        for (std::size_t k = 0; k < rows.shape(0); ++k) cards::canonical_suits(renamed.data() + 7 * k);
        return to_numpy(std::move(renamed), {rows.shape(0), std::size_t{7}});
      },
      "cards"_a,
      nb::sig("def canonical_suits(cards: numpy.typing.NDArray[numpy.int64]) -> "
              "numpy.typing.NDArray[numpy.int64]"),
      "[B, 7] two hole cards and five of the board, 52 where missing: the same with suits renamed, as the "
      "card network "
      "sees them.");
}

}  // namespace zerosum::bind
