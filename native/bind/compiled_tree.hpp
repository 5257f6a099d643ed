// A compiled game as Python holds it: shared by everything that walks or solves it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "arrays.hpp"
#include "zerosum/cfr/sequence_form.hpp"
#include "zerosum/cfr/tree.hpp"

namespace zerosum::bind {

using namespace zerosum::cfr;

struct CompiledTree {
  std::shared_ptr<Tree> tree = std::make_shared<Tree>();
  std::shared_ptr<SequenceForm> form;  // absent where the tree has a fault
  Fault fault;

  CompiledTree(int players, const In<std::int32_t>& actor, const In<std::int32_t>& index,
               const In<std::int32_t>& first_child, const In<std::int32_t>& children,
               const In<std::int32_t>& action, const In<double>& probability, const In<double>& returns,
               const In<std::int32_t>& owner, const In<std::int32_t>& first) {
    const std::size_t count = actor.size();
    want_size("index", index.size(), count);
    want_size("first_child", first_child.size(), count);
    want_size("children", children.size(), count);
    want_size("action", action.size(), count);
    want_size("probability", probability.size(), count);
    want_size("first", first.size(), owner.size() + 1);
    tree->players = players;
    tree->nodes.resize(count);
    for (std::size_t n = 0; n < count; ++n) {
      tree->nodes[n] = {actor.data()[n], index.data()[n], first_child.data()[n], children.data()[n]};
    }
    tree->action = to_vector(action);
    tree->probability = to_vector(probability);
    tree->returns = to_vector(returns);
    tree->owner = to_vector(owner);
    tree->first = to_vector(first);
    nb::gil_scoped_release unlocked;
    fault = complete(*tree);
    if (fault.kind == Fault::Kind::kNone) form = std::make_shared<SequenceForm>(*tree);
  }

  const double* profile(const In<double>& probability) const {
    if (!form) throw std::invalid_argument("this tree has a fault");
    want_size("profile", probability.size(), tree->sequences());
    return probability.data();
  }
};

}  // namespace zerosum::bind
