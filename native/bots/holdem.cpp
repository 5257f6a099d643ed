// Plays heads-up no-limit hold'em with the two networks of a policy:
//   bot                     Botzone's protocol on standard input and output, kept running between turns
//   bot --one-shot          the same, one turn
//   bot acpc HOST PORT      ACPC's match protocol over TCP
// Weights are card_model.bin and cfr_net.bin in data/, here, or beside the program, unless they are part of
// it.
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "settings.hpp"
#include "zerosum/nn/weights.hpp"
#include "zerosum/protocols/acpc.hpp"
#include "zerosum/protocols/botzone.hpp"
#include "zerosum/protocols/heads_up_player.hpp"

namespace {

using namespace zerosum;
using protocols::HeadsUpPlayer;
using Clock = std::chrono::steady_clock;

constexpr const char* kUsage =
    "bot                     Botzone on standard input and output; asks to be kept running\n"
    "bot --one-shot          Botzone, one turn\n"
    "bot acpc HOST PORT      ACPC's match protocol, version 2.0.0\n"
    "--weights DIR           where card_model.bin and cfr_net.bin are; else in the program, data/, here, or "
    "beside\n"
    "                        the program\n"
    "--seed N                for its choices; else drawn\n"
    "--deadline-ms T         where reading the weights took longer, the first turn is played without them "
    "(700)\n"
    "--plain                 without vector instructions\n";
constexpr int kRefused = 2;  // as zerosum's commands

struct Options {
  std::vector<std::string> words;
  std::string weights;
  std::uint64_t seed = 0;
  int deadline_ms = 700;
  bool one_shot = false, plain = false;
};

void warn(const std::string& what) {
  std::fprintf(stderr, "bot: %s\n", protocols::readable(what).c_str());
  std::fflush(stderr);
}

// The first file of that name; no places: the weights that stand in the program.
nn::Weights find_weights(const char* embedded, const std::string& file,
                         const std::vector<std::string>& places) {
  if (places.empty()) return nn::parse_packed(nn::from_base64(embedded));
  for (const std::string& place : places) {
    if (access((place + file).c_str(), R_OK) == 0) return nn::load_weights(place + file);
  }
  throw nn::WeightsError(places.size() == 1
                             ? places[0] + file + ": no such file"
                             : file + ": is neither in data/, nor here, nor beside the program");
}

// None where there are no weights, or bad ones: it then checks and folds.
std::unique_ptr<HeadsUpPlayer> find_player(const Options& options, const std::string& program) {
  const std::string beside = program.substr(0, program.rfind('/') + 1);
  std::vector<std::string> places = {"data/", "", beside + "data/", beside};
  if (bots::kCardModel[0] != '\0') places.clear();
  if (!options.weights.empty()) places = {options.weights + "/"};
  try {
    return std::make_unique<HeadsUpPlayer>(find_weights(bots::kCardModel, "card_model.bin", places),
                                           find_weights(bots::kCFRNet, "cfr_net.bin", places),
                                           bots::kDenoiseBelow, options.plain);
  } catch (const std::exception& error) {
    warn(std::string(error.what()) + "; checks and folds");
    return nullptr;
  }
}

holdem::Rules rules_in(holdem::Order order) {
  holdem::Rules rules = bots::table_rules();
  if (rules.order != order) {
    warn("the policy was made for another order of acting; plays this one as well as it can");
    std::swap(rules.blinds[0], rules.blinds[1]);
    rules.order = order;
  }
  return rules;
}

int speak_botzone(const Options& options, const std::string& program, Clock::time_point began) {
  const auto player = find_player(options, program);
  const holdem::Rules rules = rules_in(holdem::Order::kBotzone);
  protocols::BotzoneBot thoughtful(player.get(), rules, options.seed, warn),
      hasty(nullptr, rules, 0, [](auto&) {});
  // What took long, if anything did, was to read the weights: a turn itself takes no time that counts.
  bool late = Clock::now() - began > std::chrono::milliseconds(options.deadline_ms);
  protocols::LineReader input(STDIN_FILENO);
  protocols::RequestReader requests(
      [&](std::string& line, int wait_ms) { return input.next(line, wait_ms); });
  bool answered = false, blank = false;
  const auto answer = [&](const std::string& line) {
    if (late) warn("no time is left to think; checks or folds");
    std::printf("{\"response\":%lld}\n", static_cast<long long>((late ? hasty : thoughtful).answer(line)));
    if (!options.one_shot) std::printf("%s\n", protocols::kKeepRunning);
    std::fflush(stdout);
    answered = true;
    late = false;
  };
  for (std::string line; !(answered && options.one_shot) && requests.next(line);) {
    // A turn is a line, an empty one too; before the only turn there may be empty ones.
    blank = line.find_first_not_of(" \t\r") == std::string::npos;
    if (!blank || !options.one_shot) answer(line);
  }
  if (blank && !answered) answer("");
  return 0;
}

int connect_to(const std::string& host, const std::string& port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return -1;
  int handle = -1;
  for (const addrinfo* one = found; one != nullptr && handle < 0; one = one->ai_next) {
    handle = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
    if (handle >= 0 && connect(handle, one->ai_addr, one->ai_addrlen) != 0) {
      close(handle);
      handle = -1;
    }
  }
  freeaddrinfo(found);
  const int now = 1;
  if (handle >= 0) setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &now, sizeof now);
  return handle;
}

bool send_line(int handle, std::string line) {
  line += "\r\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t count = send(handle, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

int speak_acpc(const Options& options, const std::string& program) {
  const auto port = protocols::whole_number(options.words[2]);
  if (!port || *port < 1 || *port > 65535) {
    warn("port: got " + options.words[2] + ", wanted 1 to 65535");
    return kRefused;
  }
  const auto player = find_player(options, program);
  protocols::AcpcBot bot(player.get(), rules_in(holdem::Order::kStandard), options.seed, warn);
  const int handle = connect_to(options.words[1], options.words[2]);
  if (handle < 0 || !send_line(handle, protocols::kAcpcVersion)) {
    warn(options.words[1] + ", port " + options.words[2] + ": cannot be reached");
    return kRefused;
  }
  protocols::LineReader input(handle);
  for (std::string line; input.next(line, protocols::kForever);) {
    const auto answer = bot.answer(line);
    if (answer && !send_line(handle, *answer)) break;
  }
  if (input.failed()) warn("the connection broke off");
  close(handle);
  return 0;
}

// The word after an option; the program ends where there is none.
std::string word_after(int& k, int count, char** words, const std::string& wanted) {
  if (k + 1 < count) return words[++k];
  warn(std::string(words[k]) + ": got nothing after it, wanted " + wanted);
  std::exit(kRefused);
}

// A number after an option, likewise.
std::uint64_t number_after(int& k, int count, char** words, std::uint64_t most) {
  const std::string option = words[k], wanted = "0 to " + std::to_string(most);
  const std::string word = word_after(k, count, words, wanted);
  errno = 0;
  const unsigned long long value = std::strtoull(word.c_str(), nullptr, 10);
  const bool digits = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  if (digits && errno == 0 && value <= most) return value;
  warn(option + ": got " + word + ", wanted " + wanted);
  std::exit(kRefused);
}

Options read_options(int count, char** words) {
  Options options;
  options.seed = static_cast<std::uint64_t>(std::random_device{}()) << 32 ^
                 static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  for (int k = 1; k < count; ++k) {
    const std::string word = words[k];
    if (word == "--one-shot") {
      options.one_shot = true;
    } else if (word == "--plain") {
      options.plain = true;
    } else if (word == "--seed") {
      options.seed = number_after(k, count, words, UINT64_MAX);
    } else if (word == "--deadline-ms") {
      options.deadline_ms = static_cast<int>(number_after(k, count, words, 1000000));
    } else if (word == "--weights") {
      options.weights = word_after(k, count, words, "a directory");
    } else {
      options.words.push_back(word);
    }
  }
  return options;
}

}  // namespace

int main(int count, char** words) {
  const auto began = Clock::now();
  const Options options = read_options(count, words);
  const std::string program = count > 0 ? words[0] : "";
  if (options.words.empty()) return speak_botzone(options, program, began);
  if (options.words.size() == 3 && options.words[0] == "acpc") return speak_acpc(options, program);
  if (options.words.size() == 1 && options.words[0] == "--help") {
    std::fputs(kUsage, stdout);
    return 0;
  }
  std::string got;
  for (const std::string& word : options.words) got += (got.empty() ? "" : " ") + word;
  warn("got '" + got + "', wanted no words (Botzone), or: acpc HOST PORT (see --help)");
  return kRefused;
}
