// The bot's parts without Python, for the sanitizers: lines and weight files as they should be, and as they
// should not. Every answer must be a legal action, every bad file a WeightsError. The first argument is how
// many mutations are tried (default 20,000): `make fuzz` tries a million.
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "../../native/bots/settings.hpp"
#include "check.hpp"
#include "zerosum/cards/shuffle.hpp"
#include "zerosum/protocols/acpc.hpp"
#include "zerosum/protocols/botzone.hpp"

using namespace zerosum;
using namespace zerosum::protocols;

static std::mt19937_64 rng(7);

static std::size_t below(std::size_t most) { return static_cast<std::size_t>(rng() % most); }

static nn::Tensor random_tensor(const std::vector<std::uint32_t>& shape) {
  nn::Tensor tensor{shape, {}};
  std::size_t count = 1;
  for (const auto size : shape) count *= size;
  for (std::size_t k = 0; k < count; ++k) {
    tensor.values.push_back(static_cast<float>(unit(rng()) - 0.5) / static_cast<float>(shape.back()) * 8.0f);
  }
  return tensor;
}

static void add_layer(nn::Weights& weights, const std::string& name, std::uint32_t out, std::uint32_t in) {
  weights[name + ".weight"] = random_tensor({out, in});
  weights[name + ".bias"] = random_tensor({out});
}

static void add_norm(nn::Weights& weights, const std::string& name, std::uint32_t size) {
  weights[name + ".weight"] = {{size}, std::vector<float>(size, 1.0f)};
  weights[name + ".bias"] = random_tensor({size});
}

static nn::Weights card_weights() {
  nn::Weights weights;
  weights["embedding.weight"] = random_tensor({53, 64});
  add_layer(weights, "backbone.0", 512, 128);
  add_layer(weights, "backbone.3", 512, 512);
  add_layer(weights, "backbone.6", 256, 512);
  add_norm(weights, "backbone.2", 512);
  add_norm(weights, "backbone.5", 512);
  add_norm(weights, "backbone.8", 256);
  add_layer(weights, "histogram_head.0", 64, 256);
  add_layer(weights, "histogram_head.2", 50, 64);
  return weights;
}

static nn::Weights net_weights(std::uint32_t betting, std::uint32_t hidden) {
  nn::Weights weights;
  add_layer(weights, "backbone.0", hidden, 50 + betting);
  add_layer(weights, "backbone.2", hidden, hidden);
  add_layer(weights, "backbone.4", hidden / 2, hidden);
  add_layer(weights, "policy_head", 5, hidden / 2);
  return weights;
}

// With vector instructions and without, the same numbers.
static void test_inference(const nn::Weights& cards, const nn::Weights& net) {
  nn::CardModelInference fast(cards), plain(cards, true);
  nn::CFRNetInference fast_net(net), plain_net(net, true);
  for (int trial = 0; trial < 50; ++trial) {
    nn::SeenCards seen;
    cards::shuffle(CounterRng(1, static_cast<std::uint64_t>(trial), 0), seen.data(), 7);
    float first[50], second[50], logits[5], others[5];
    const float env[5] = {0.1f, 0.9f, 0.8f, 0.0f, 1.0f};
    fast.histogram(seen, first);
    plain.histogram(seen, second);
    fast_net.logits(first, env, logits);
    plain_net.logits(second, env, others);
    float sum = 0.0f;
    for (int k = 0; k < 50; ++k) {
      sum += first[k];
      CHECK(std::abs(first[k] - second[k]) < 1e-5f);
    }
    for (int k = 0; k < 5; ++k) CHECK(std::abs(logits[k] - others[k]) < 1e-5f);
    CHECK(std::abs(sum - 1.0f) < 1e-5f);
  }
}

// A hand under way: what both protocols say of it, and whose turn it is.
struct Told {
  std::string acpc, botzone;
  int seat;
};

static std::string card_text(std::uint8_t card) { return {"23456789TJQKA"[card / 4], "cdhs"[card % 4]}; }

static std::string botzone_card(std::uint8_t card) {
  constexpr int kSuits[] = {3, 1, 0, 2};
  return std::to_string(card / 4 * 4 + kSuits[card % 4]);
}

// Plays a random hand and tells what its actor hears at a random point of it.
static Told random_told(holdem::Order order) {
  holdem::Rules rules = bots::table_rules();
  rules.order = order;
  if (order == holdem::Order::kBotzone) std::swap(rules.blinds[0], rules.blinds[1]);
  std::array<std::uint8_t, 9> deck;
  cards::shuffle(CounterRng(rng(), 0, 0), deck.data(), 9);
  holdem::State s = start(rules);
  std::string betting, history;
  for (std::size_t stop = below(12), dealt = 0;; --stop) {
    while (s.actor == holdem::kDeal) {
      deal(rules, s, deck[dealt++]);
      if (s.actor != holdem::kDeal && dealt > 4) betting += '/';
    }
    const holdem::Limits may = limits(rules, s);
    const auto actor = static_cast<std::size_t>(s.actor);
    const std::string player = std::to_string((s.actor + 1) % 2);
    if (stop == 0) break;
    holdem::Chips action = holdem::kCall;
    if (may.raise && below(3) == 0)
      action =
          may.low + static_cast<holdem::Chips>(below(static_cast<std::size_t>(may.high - may.low) / 4 + 1));
    const holdem::State before = s;
    const std::string said = action == holdem::kCall ? "0"
                             : action == may.high    ? "-2"
                                                     : std::to_string(action - s.bet[actor]);
    act(rules, s, action);
    if (s.actor == holdem::kOver || s.run_out) {
      s = before;
      break;
    }
    betting += action == holdem::kCall
                   ? "c"
                   : "r" + std::to_string(before.put(rules, before.actor) - before.bet[actor] + action);
    history += (history.empty() ? "" : ",") + ("{\"round\":" + std::to_string(before.street)) +
               ",\"player_id\":" + player + ",\"action\":" + said + ",\"action_type\":\"x\"}";
  }
  std::string holes, board, publics;
  const int seat = s.actor;
  const std::uint8_t* mine = s.card.data() + 2 * seat;
  holes = seat == 0 ? card_text(mine[0]) + card_text(mine[1]) + "|"
                    : "|" + card_text(mine[0]) + card_text(mine[1]);
  for (int k = 0; k < s.board_count(rules); ++k) {
    board += (k == 0 || k > 2 ? "/" : "") + card_text(s.board(rules, k));
    publics += (k == 0 ? "" : ",") + botzone_card(s.board(rules, k));
  }
  const std::string request =
      "{\"num_players\":2,\"dealer_id\":0,\"my_id\":" + std::to_string((seat + 1) % 2) +
      ",\"my_chips\":" + std::to_string(s.stack[static_cast<std::size_t>(seat)]) + ",\"my_cards\":[" +
      botzone_card(mine[0]) + "," + botzone_card(mine[1]) + "],\"public_cards\":[" + publics +
      "],\"history\":[" + history + "],\"hand\":3,\"max_hand\":70,\"total_win_chips\":[0,0]}";
  return {"MATCHSTATE:" + std::to_string(seat) + ":3:" + betting + ":" + holes + board,
          "{\"requests\":[" + request + "],\"responses\":[]}", seat};
}

// Whether an answer to a line is an action that the rules allow there; and whoever is asked answers, and who
// is told what cannot be says so.
static void check_acpc(const std::string& line, const std::optional<std::string>& answer, bool warned) {
  const auto told = parse_match_state(line);
  const holdem::Rules rules = bots::table_rules();
  Situation now;
  if (!told || !replay(rules, *told, now).empty()) {
    CHECK(warned || line[0] == '#' || line[0] == ';');
    CHECK(!answer || (told && *answer == line + ":c"));
    return;
  }
  CHECK(answer.has_value() == (now.state.actor == told->position));
  CHECK(warned || told->wrong[0] == '\0');
  if (!answer) return;
  CHECK(answer->size() > line.size() && answer->compare(0, line.size(), line) == 0 &&
        (*answer)[line.size()] == ':');
  const std::string said = answer->substr(line.size() + 1);
  const holdem::Limits may = limits(rules, now.state);
  const auto total = said[0] == 'r' ? whole_number(std::string_view(said).substr(1)) : std::nullopt;
  const holdem::Chips action = said == "f"   ? holdem::kFold
                               : said == "c" ? holdem::kCall
                                             : total.value_or(-9) - now.state.put(rules, now.state.actor) +
                                                   now.state.bet[static_cast<std::size_t>(now.state.actor)];
  CHECK(said == "f" || said == "c" || (total && action > 0));
  CHECK(is_legal(may, action));
}

static void check_botzone(const std::string& line, std::int64_t said, bool warned, int& thought) {
  CHECK(said >= kBotzoneAllIn && said < 20000);
  const auto json = Json::parse(line);
  if (!json) {
    CHECK(said == kBotzoneFold && warned);
    return;
  }
  Json request;
  json->member("requests").elements([&](const Json& one) { return request = one, true; });
  BotzoneRequest told;
  BotzoneHand hand(bots::table_rules(), 2, holdem::Order::kBotzone);
  if (!read_request(request, told).empty() || told.players != 2 || !hand.replay(told, true).empty()) return;
  ++thought;
  CHECK(warned == (!hand.odd.empty() || !told.notes.empty()));
  const holdem::State& s = hand.now.state;
  const holdem::Limits may = limits(hand.rules, s);
  const auto actor = static_cast<std::size_t>(s.actor);
  const bool other_all_in = s.stack[1 - actor] == 0;
  if (said == kBotzoneCall) CHECK(!other_all_in && may.call < s.stack[actor]);
  if (said > 0)
    CHECK(!other_all_in && said < s.stack[actor] && is_legal(may, s.bet[actor] + said) &&
          said >= 2 * hand.largest);
}

static std::string mutated(std::string text) {
  static const std::string letters = "0123456789:|/{}[]\",-.eE\\ fcrAKs\n\xff";
  for (std::size_t many = 1 + below(3); many > 0 && !text.empty(); --many) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(rng());
        break;
      case 1:
        text.insert(at, 1, letters[below(letters.size())]);
        break;
      case 2:
        text.erase(at, 1 + below(8));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), 1 + below(40)));
        break;
      case 4:
        text.resize(at);
        break;
      default:
        text[at] = letters[below(letters.size())];
        break;
    }
  }
  return text;
}

static void fuzz_lines(HeadsUpPlayer* player, std::size_t count) {
  int warned = 0, thought = 0, answered = 0;
  const auto warn = [&](const std::string& what) {
    for (const char letter : what) CHECK(letter >= ' ' && letter <= '~');
    ++warned;
  };
  holdem::Rules rules = bots::table_rules();
  AcpcBot acpc(player, rules, 1, warn);
  rules.order = holdem::Order::kBotzone;
  BotzoneBot botzone(player, rules, 1, warn);
  for (std::size_t k = 0; k < count; ++k) {
    Told told = random_told(k % 2 == 0 ? holdem::Order::kStandard : holdem::Order::kBotzone);
    const bool whole = k % 20 < 2;
    if (k % 2 == 0) {
      const std::string line = whole ? told.acpc : mutated(told.acpc);
      const int before = warned;
      const auto answer = acpc.answer(line);
      check_acpc(line, answer, warned > before);
      CHECK(!whole || (answer && warned == before));
      answered += answer.has_value();
    } else {
      const std::string line = whole ? told.botzone : mutated(told.botzone);
      const int before = thought, warned_before = warned;
      const std::int64_t said = botzone.answer(line);
      check_botzone(line, said, warned > warned_before, thought);
      CHECK(!whole || (thought == before + 1 && warned == warned_before));
    }
  }
  CHECK(warned > 0 && thought > 0 && answered > 0);
}

// Small tensors, so that many files are tried; lengths are what is changed most.
static void fuzz_weights(std::size_t count) {
  nn::Weights small{
      {"a", random_tensor({2, 3})}, {"bc", random_tensor({5})}, {"d", random_tensor({1, 2, 2})}};
  const std::string bytes = nn::weights_bytes(small);
  CHECK(nn::weights_bytes(nn::parse_weights(bytes)) == bytes);
  std::string packed("\1\0\0\0\1\0\0\0a\2\0\0\0\2\0\0\0\3\0\0\0\x8\0\0\0", 25);
  packed += std::string(8, '\x3c') + "\1\2\3\4\5\6";
  CHECK(nn::parse_packed(packed).at("a").values.size() == 6);
  std::size_t refused = 0;
  for (std::size_t k = 0; k < count; ++k) {
    std::string changed = k % 2 == 0 ? bytes : packed;
    for (std::size_t many = 1 + below(3); many > 0 && !changed.empty(); --many) {
      const std::size_t at = below(changed.size());
      const int how = static_cast<int>(below(4));
      if (how == 0) changed[at] = static_cast<char>(rng());
      if (how == 1) changed.resize(at);
      if (how == 2) changed.insert(at, 1 + below(9), static_cast<char>(rng()));
      if (how == 3 && at + 4 <= changed.size()) changed.replace(at, 4, "\xff\xff\xff\xff");
    }
    try {
      k % 2 == 0 ? nn::parse_weights(changed) : nn::parse_packed(changed);
    } catch (const nn::WeightsError&) {
      ++refused;
    }
  }
  CHECK(refused > count / 2);
}

// A whole network with some of its bytes changed: refused, or a player whose every action is legal.
static void fuzz_networks(const nn::Weights& cards, const nn::Weights& net, std::size_t count) {
  const std::string card_bytes = nn::weights_bytes(cards), net_bytes = nn::weights_bytes(net);
  int played = 0, refused = 0;
  for (std::size_t k = 0; k < count; ++k) {
    std::string changed = net_bytes;
    for (int many = 0; many < 20; ++many)
      changed[below(many < 2 ? 60 : changed.size())] ^= static_cast<char>(1 << below(8));
    try {
      HeadsUpPlayer player(cards,
                           nn::parse_weights(k % 3 == 0   ? net_bytes.substr(0, below(net_bytes.size()))
                                             : k % 3 == 1 ? changed
                                                          : net_bytes),
                           0.03);
      AcpcBot bot(&player, bots::table_rules(), k, [](const std::string&) {});
      const Told told = random_told(holdem::Order::kStandard);
      const auto answer = bot.answer(told.acpc);
      CHECK(answer);
      check_acpc(told.acpc, answer, false);
      ++played;
    } catch (const nn::WeightsError&) {
      ++refused;
    }
  }
  CHECK(played > 0 && refused > 0);
}

static void test_nan_weights(const nn::Weights& cards, nn::Weights net) {
  for (float& value : net["policy_head.weight"].values) value = std::numeric_limits<float>::quiet_NaN();
  HeadsUpPlayer player(cards, net, 0.03);
  int warned = 0;
  AcpcBot bot(&player, bots::table_rules(), 1, [&](const std::string&) { ++warned; });
  for (int k = 0; k < 200; ++k) {
    const Told told = random_told(holdem::Order::kStandard);
    check_acpc(told.acpc, bot.answer(told.acpc), true);
  }
  CHECK(warned == 200);
}

static void test_history_network(const nn::Weights& cards) {
  HeadsUpPlayer player(cards, net_weights(38, 24), 0.03);
  AcpcBot bot(&player, bots::table_rules(), 1,
              [](const std::string& what) { std::fprintf(stderr, "%s\n", what.c_str()), std::exit(1); });
  for (int k = 0; k < 200; ++k) {
    const Told told = random_told(holdem::Order::kStandard);
    const auto answer = bot.answer(told.acpc);
    CHECK(answer);
    check_acpc(told.acpc, answer, false);
  }
}

// Whose turn it is stands in the betting: who is asked answers, whatever became of the cards.
static void test_cards_that_cannot_be_read(HeadsUpPlayer* player) {
  std::vector<std::string> said;
  AcpcBot bot(player, bots::table_rules(), 1, [&](const std::string& what) { said.push_back(what); });
  const auto check = [&](const std::string& line, const std::string& action, const std::string& word) {
    said.clear();
    const auto answer = bot.answer(line);
    CHECK(answer.value_or("") == (action.empty() ? "" : line + ":" + action));
    CHECK(said.size() == 1 && said[0].find(word) != std::string::npos);
  };
  check("MATCHSTATE:0:7:c:|", "c", "cannot be read; checks");
  check("MATCHSTATE:0:7:c:XxYy|", "c", "cannot be read; checks");
  check("MATCHSTATE:0:7:r300:2h|", "f", "cannot be read; folds");
  check("MATCHSTATE:1:7::", "f", "cannot be read; folds");
  check("MATCHSTATE:1:7::2hAc|", "f", "cannot be read; folds");
  check("MATCHSTATE:0:7:r300c/:2hAc|", "c", "board does not fit the betting; checks");
  check("MATCHSTATE:0:7:r300c/:2hAc|/3c4c", "c", "cannot be read; checks");
  check("MATCHSTATE:0:7:c:AsAs|", "c", "twice; checks");
  check("MATCHSTATE:0:7:r300c/:2hAc|/3c2h5c", "c", "twice; checks");
  check("MATCHSTATE:0:x:r300:2hAc|", "f", "number of the hand");
  check("MATCHSTATE:1:7:r300:XxYy|", "", "not our turn");
  check("MATCHSTATE:0:7:r150:2hAc|", "c",
        "against the rules: got r150, wanted f or c, or r200 to r20000: all that it has put in over the "
        "hand; calls");
  check("MATCHSTATE:1:7:r150:|2hAc", "", "gives no answer");
  check("MATCHSTATE:1:0:ffff:|AcAd", "", "it goes on after the end of the hand; gives no answer");
  check("MATCHSTATE:0:0:r20000cc:AcAd|", "", "it goes on after the end of the hand; gives no answer");
  check("MATCHSTATE:1:0:c/:|AcAd/2c3c4c", "", "got / where no street ends");
  check("MATCHSTATE:1:7:r3", "", "gives no answer");
  check("", "", "gives no answer");
  check("\x1b[31m\xff", "", "\\x1b[31m\\xff");
}

// Bets that our rules do not have are answered, and told.
static void test_odd_bets(HeadsUpPlayer* player) {
  holdem::Rules rules = bots::table_rules();
  rules.order = holdem::Order::kBotzone;
  std::vector<std::string> said;
  BotzoneBot bot(player, rules, 1, [&](const std::string& what) { said.push_back(what); });
  const auto check = [&](const std::string& history, const std::string& word) {
    said.clear();
    const std::int64_t answer =
        bot.answer("{\"dealer_id\":0,\"my_id\":" + std::string(history[0] == '[' ? "0" : "1") +
                   ",\"my_cards\":[0,4],\"public_cards\":[],\"history\":" + history + "}");
    CHECK(answer >= kBotzoneAllIn && answer < 20000);
    CHECK(said.size() == (word.empty() ? 0 : 1));
    if (!word.empty()) CHECK(said[0].find(word) != std::string::npos);
  };
  const auto bet = [](const std::string& chips) { return "[{\"player_id\":1,\"action\":" + chips + "}]"; };
  for (const char* fine : {"0", "50", "150", "19949", "19950", "-2"}) check(bet(fine), "");
  check(bet("1"), "got 1 of player 1, wanted -2, -1, 0, 150 to 19950; counts as the nearest");
  check(bet("51"), "got 51 of player 1");
  check(bet("149"), "got 149 of player 1");
  check(bet("1000000000"), "got 1000000000 of player 1");
  for (const char* huge : {"9999999999999999999999", "1e18", "1e400"})
    check(bet(huge), std::string("got ") + huge + " of player 1");
  check(bet(std::string(5000, '9')), "got " + std::string(40, '9') + " of player 1");
  check("null", "history: got null, wanted a list");
  check("7", "history: got 7, wanted a list");
  for (const char* none : {"-7", "200.5", "true", "null", "\"0\"", "-1e400", "1-2", "\"\xff\""})
    check(bet(none), "history[0].action: got " + readable(none) + ", wanted -2, -1, 0 or chips; folds");
}

// What cannot be a request is told by its field and value.
static void test_requests_that_cannot_be() {
  holdem::Rules rules = bots::table_rules();
  rules.order = holdem::Order::kBotzone;
  std::vector<std::string> said;
  BotzoneBot bot(nullptr, rules, 1, [&](const std::string& what) { said.push_back(what); });
  const auto check = [&](const std::string& ids, const std::string& mine, const std::string& board,
                         const std::string& history, const std::string& word) {
    said.clear();
    CHECK(bot.answer("{" + ids + ",\"my_cards\":" + mine + ",\"public_cards\":" + board +
                     ",\"history\":" + history + "}") == kBotzoneFold);
    CHECK(said.size() == 1 && said[0] == word + "; folds");
  };
  const std::string first = "\"dealer_id\":0,\"my_id\":1";
  check("\"dealer_id\":0,\"my_id\":9", "[0,4]", "[]", "[]", "my_id: got 9, wanted 0 to 1");
  check("\"dealer_id\":\"0\"", "[0,4]", "[]", "[]", "dealer_id: got \"0\", wanted 0 to 1");
  check("\"dealer_id\":0", "[0,4]", "[]", "[]", "my_id: got nothing, wanted 0 to 1");
  check(first, "[0,52]", "[]", "[]", "my_cards: got [0,52], wanted two cards from 0 to 51");
  check(first, "[0,4]", "[1,-1,2]", "[]", "public_cards: got [1,-1,2], wanted up to five cards from 0 to 51");
  check(first, "[0,4]", "[1,4,2]", "[]", "my_cards, public_cards: got 4 twice");
  check(first, "[0,4]", "[]", "[7]", "history[0]: got 7, wanted a player and an action");
  check(first, "[0,4]", "[]", "[{\"player_id\":2,\"action\":0}]",
        "history[0].player_id: got 2, wanted 0 to 1");
  check(first, "[0,4]", "[]", "[{\"player_id\":1,\"action\":0}]", "player 0 is to act, and my_id is 1");
  check(first, "[0,4]", "[]", "[{\"player_id\":1,\"action\":0},{\"player_id\":0,\"action\":0}]",
        "public_cards: got 0, the history wants 3");
  check(first, "[0,4]", "[]", "[{\"player_id\":1,\"action\":-1}]", "history: the hand is over");
}

// One request a line, or on several that come at once; lines that make none together count one by one.
static void test_requests(std::size_t mutations) {
  std::deque<std::string> lines;
  RequestReader reader([&](std::string& line, int) {
    if (lines.empty()) return false;
    line = lines.front();
    lines.pop_front();
    return true;
  });
  const auto heard = [&](std::deque<std::string> told) {
    lines = std::move(told);
    std::vector<std::string> found;
    for (std::string text; reader.next(text);) found.push_back(text);
    return found;
  };
  using Texts = std::vector<std::string>;
  CHECK(heard({"{", "\"a\": [1,", "", "2]", "}", "[3]"}) == (Texts{"{\n\"a\": [1,\n\n2]\n}", "[3]"}));
  CHECK(heard({"{", "", "[[[[", "{}", "\"", "[1"}) == (Texts{"{", "", "[[[[", "{}", "\"", "[1"}));
  CHECK(heard({"[", "x", "]", "}"}) == (Texts{"[", "x", "]", "}"}));
  CHECK(heard({"", "\xef\xbb\xbf{", "}"}).back() == "\xef\xbb\xbf{\n}" && Json::parse("\xef\xbb\xbf{\n}"));
  for (std::size_t k = 0; k < mutations / 100; ++k) {
    std::deque<std::string> many;
    std::size_t letters = 0, found = 0;
    for (std::size_t n = below(20); n > 0; --n) many.push_back(mutated("{[\"1\",{}],2,{\"a\":3}}"));
    for (const std::string& one : many) letters += one.size() + 1;
    for (const std::string& one : heard(many)) found += one.size() + 1;
    CHECK(letters == found);  // nothing is lost, nothing comes twice
  }
  const auto began = std::chrono::steady_clock::now();
  std::deque<std::string> open;
  for (int k = 0; k < 20000; ++k) open.push_back(k % 100 == 0 ? "[" : "1,");
  CHECK(heard(open).size() == open.size());
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(30));
}

static long test_memory() {
  const std::string deep(3000000, '['), wide = "[" + std::string(3000000, '0') + "]";
  CHECK(!Json::parse(deep) && Json::parse(wide));
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  CHECK(used.ru_maxrss < 256 * 1024);
  return used.ru_maxrss;
}

int main(int count, char** words) {
  const auto began = std::chrono::steady_clock::now();
  const std::size_t mutations = count > 1 ? std::strtoull(words[1], nullptr, 10) : 20000;
  const nn::Weights cards = card_weights(), net = net_weights(5, 256);
  test_inference(cards, net);
  test_nan_weights(cards, net);
  test_history_network(cards);
  HeadsUpPlayer player(cards, net, 0.03);
  test_cards_that_cannot_be_read(&player);
  test_odd_bets(&player);
  test_requests_that_cannot_be();
  test_requests(mutations);
  const std::size_t lines = mutations * 6 / 10, files = mutations - lines, networks = 40 + mutations / 5000;
  fuzz_lines(&player, lines);
  fuzz_weights(files);
  fuzz_networks(cards, net, networks);
  const long kilobytes = test_memory();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::printf("clean: %zu lines and %zu weight files changed, %zu whole networks, %.0f s, %ld MB\n", lines,
              files, networks, took.count(), kilobytes / 1024);
  return 0;
}
