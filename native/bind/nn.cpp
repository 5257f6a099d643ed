// zerosum.native: the dependency-free inference that bots are made of, so that it can be held against others.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "zerosum/games/holdem/view.hpp"
#include "zerosum/nn/heads_up.hpp"
#include "zerosum/nn/weights.hpp"
#include "zerosum/protocols/acpc.hpp"
#include "zerosum/protocols/botzone.hpp"
#include "zerosum/protocols/heads_up_player.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;

static std::string_view bytes_of(const nb::bytes& data) { return {data.c_str(), data.size()}; }

static nb::dict arrays_of(nn::Weights weights) {
  nb::dict found;
  for (auto& [name, tensor] : weights) {
    const std::vector<std::size_t> shape(tensor.shape.begin(), tensor.shape.end());
    auto owned = std::make_unique<std::vector<float>>(std::move(tensor.values));
    float* data = owned->data();
    nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<float>*>(p); });
    found[nb::str(name.c_str(), name.size())] = nb::cast(Out<float>(data, shape.size(), shape.data(), owner));
  }
  return found;
}

static nn::Weights weights_of(const nb::dict& arrays) {
  nn::Weights found;
  for (const auto& [name, value] : arrays) {
    const auto array = nb::cast<nb::ndarray<const float, nb::numpy, nb::c_contig, nb::device::cpu>>(value);
    nn::Tensor tensor;
    for (std::size_t k = 0; k < array.ndim(); ++k)
      tensor.shape.push_back(static_cast<std::uint32_t>(array.shape(k)));
    tensor.values.assign(array.data(), array.data() + array.size());
    found.emplace(nb::cast<std::string>(name), std::move(tensor));
  }
  return found;
}

static void bind_weights(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const nn::WeightsError& error) {
      PyErr_SetString(nb::module_::import_("zerosum.errors").attr("PolicyError").ptr(), error.what());
    }
  });
  m.def(
      "parse_weights", [](const nb::bytes& data) { return arrays_of(nn::parse_weights(bytes_of(data))); },
      "data"_a, nb::sig("def parse_weights(data: bytes) -> dict[str, numpy.typing.NDArray[numpy.float32]]"),
      "The tensors of a .bin file.");
  m.def(
      "parse_packed", [](const nb::bytes& data) { return arrays_of(nn::parse_packed(bytes_of(data))); },
      "data"_a, nb::sig("def parse_packed(data: bytes) -> dict[str, numpy.typing.NDArray[numpy.float32]]"),
      "The tensors of a packed file.");
  m.def(
      "weights_bytes",
      [](const nb::dict& arrays) {
        const std::string bytes = nn::weights_bytes(weights_of(arrays));
        return nb::bytes(bytes.data(), bytes.size());
      },
      "weights"_a,
      nb::sig("def weights_bytes(weights: dict[str, numpy.typing.NDArray[numpy.float32]]) -> bytes"),
      "Tensors as a .bin file, in the order of their names.");
}

static void bind_networks(nb::module_& m) {
  nb::class_<nn::CardModelInference>(m, "CardModelInference", "Cards -> histogram of equities, row by row.")
      .def(
          "__init__",
          [](nn::CardModelInference* self, const nb::bytes& data, bool plain) {
            new (self) nn::CardModelInference(nn::parse_weights(bytes_of(data)), plain);
          },
          "data"_a, "plain"_a = false, "From a .bin file; `plain` without vector instructions.")
      .def(
          "histograms",
          [](nn::CardModelInference& self, const In2<std::int64_t>& cards) {
            const std::size_t count = cards.shape(0), width = nn::kHole + nn::kBoard;
            want_size("cards", cards.shape(1), width);
            std::vector<float> out(count * nn::kHistogram);
            for (std::size_t k = 0; k < count; ++k) {
              nn::SeenCards seen;
              for (std::size_t c = 0; c < width; ++c)
                seen[c] = static_cast<std::uint8_t>(cards.data()[k * width + c]);
              self.histogram(seen, out.data() + k * nn::kHistogram);
            }
            return to_numpy(std::move(out), {count, nn::kHistogram});
          },
          "cards"_a, "[B, 7] hole cards and board, 52 where missing -> [B, 50].");
  nb::class_<nn::CFRNetInference>(m, "CFRNetInference", "Histogram and betting -> logits, row by row.")
      .def(
          "__init__",
          [](nn::CFRNetInference* self, const nb::bytes& data, bool plain) {
            new (self) nn::CFRNetInference(nn::parse_weights(bytes_of(data)), plain);
          },
          "data"_a, "plain"_a = false, "From a .bin file; `plain` without vector instructions.")
      .def(
          "logits",
          [](nn::CFRNetInference& self, const In2<float>& histograms, const In2<float>& betting) {
            const std::size_t count = histograms.shape(0);
            want_size("histogram", histograms.shape(1), nn::kHistogram);
            want_size("betting", betting.shape(1), self.betting());
            want_size("betting", betting.shape(0), count);
            std::vector<float> out(count * nn::kActions);
            for (std::size_t k = 0; k < count; ++k) {
              self.logits(histograms.data() + k * nn::kHistogram, betting.data() + k * self.betting(),
                          out.data() + k * nn::kActions);
            }
            return to_numpy(std::move(out), {count, nn::kActions});
          },
          "histograms"_a, "betting"_a,
          "[B, 50] and [B, 5] (or more, for one that sees the history) -> [B, 5].");
}

// What led to a view whose seat is to act.
static protocols::Situation situation_of(const holdem::View& view) {
  const holdem::Rules& rules = view.hand().rules();
  if (view.hand().actor() != view.seat()) throw holdem::RuleError("act: it is not the seat's turn");
  protocols::Situation now;
  now.state = holdem::start(rules);
  for (const holdem::Event& event : view.hand().events()) {
    if (event.seat < 0) {
      deal(rules, now.state, static_cast<std::uint8_t>(event.action));
    } else {
      now.take(rules, event.action);
    }
  }
  return now;
}

static void bind_player(nb::module_& m) {
  using protocols::HeadsUpPlayer;
  nb::class_<HeadsUpPlayer>(m, "HeadsUpPlayer", "What the bot in C++ does, for views of heads-up hold'em.")
      .def(
          "__init__",
          [](HeadsUpPlayer* self, const nb::bytes& cards, const nb::bytes& net, double denoise_below,
             bool plain, bool packed) {
            const auto read = packed ? nn::parse_packed : nn::parse_weights;
            new (self) HeadsUpPlayer(read(bytes_of(cards)), read(bytes_of(net)), denoise_below, plain);
          },
          "cards"_a, "net"_a, "denoise_below"_a, "plain"_a = false, "packed"_a = false)
      .def(
          "strategies",
          [](HeadsUpPlayer& self, const nb::list& views) {
            std::vector<double> out(views.size() * nn::kActions);
            for (std::size_t k = 0; k < views.size(); ++k) {
              const auto& view = nb::cast<const holdem::View&>(views[k]);
              protocols::Strategy shares{};
              if (!self.strategy(view.hand().rules(), situation_of(view), shares))
                throw holdem::RuleError("strategy: the networks give no numbers here");
              std::copy(shares.begin(), shares.end(), out.begin() + static_cast<std::ptrdiff_t>(k * 5));
            }
            return to_numpy(std::move(out), {views.size(), nn::kActions});
          },
          "views"_a,
          nb::sig("def strategies(self, views: list[HoldemView]) -> numpy.typing.NDArray[numpy.float64]"),
          "[B, 5].")
      .def(
          "act",
          [](HeadsUpPlayer& self, const holdem::View& view, double uniform) {
            holdem::Chips action;
            protocols::choose(&self, view.hand().rules(), situation_of(view), uniform, action);
            return action;
          },
          "view"_a, "uniform"_a, "The engine's action for a number from [0, 1).");
  m.def("decision_luck", &protocols::decision_luck, "seed"_a, "hand"_a, "before"_a,
        "The bots' number from [0, 1) for a decision with so many actions before it.");
  m.def(
      "card_of_botzone", [](std::int64_t id) { return int{protocols::card_of_botzone(id)}; }, "id"_a,
      "Botzone's number of a card -> ours; 52 for what is none.");
  m.def(
      "card_named", [](const std::string& name) { return int{protocols::card_named(name)}; }, "name"_a,
      "Two letters -> a card; 52 for what is none.");
}

void bind_nn(nb::module_& m) {
  bind_weights(m);
  bind_networks(m);
  bind_player(m);
}

}  // namespace zerosum::bind
