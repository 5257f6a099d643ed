#include <nanobind/nanobind.h>

namespace zerosum::bind {
void bind_cards(nanobind::module_& m);
void bind_cfr(nanobind::module_& m);
void bind_walks(nanobind::module_& m);
void bind_holdem_rules(nanobind::module_& m);
void bind_holdem(nanobind::module_& m);
void bind_holdem_tables(nanobind::module_& m);
void bind_holdem_match(nanobind::module_& m);
void bind_holdem_views(nanobind::module_& m);
void bind_holdem_walks(nanobind::module_& m);
void bind_sixmax(nanobind::module_& m);
void bind_sixmax_walks(nanobind::module_& m);
void bind_attention(nanobind::module_& m);
void bind_heads_up_walks(nanobind::module_& m);
void bind_gomoku(nanobind::module_& m);
void bind_classical(nanobind::module_& m);
void bind_mcts(nanobind::module_& m);
void bind_board_nets(nanobind::module_& m);
void bind_nn(nanobind::module_& m);
}  // namespace zerosum::bind

NB_MODULE(_core, m) {
  // What a program still holds when it ends, a game in a global say, is no fault of ours to shout about.
  nanobind::set_leak_warnings(false);
  m.doc() = "zerosum's native core: arrays in, arrays out, the interpreter lock released.";
  zerosum::bind::bind_cards(m);
  zerosum::bind::bind_cfr(m);
  zerosum::bind::bind_walks(m);
  zerosum::bind::bind_holdem_rules(m);
  zerosum::bind::bind_holdem(m);
  zerosum::bind::bind_holdem_tables(m);
  zerosum::bind::bind_holdem_match(m);
  zerosum::bind::bind_holdem_views(m);
  zerosum::bind::bind_holdem_walks(m);
  zerosum::bind::bind_sixmax(m);
  zerosum::bind::bind_sixmax_walks(m);
  zerosum::bind::bind_attention(m);
  zerosum::bind::bind_heads_up_walks(m);
  zerosum::bind::bind_gomoku(m);
  zerosum::bind::bind_classical(m);
  zerosum::bind::bind_mcts(m);
  zerosum::bind::bind_board_nets(m);
  zerosum::bind::bind_nn(m);
}
