// How long the bot takes for an answer: `time_answers CARD_MODEL.bin CFR_NET.bin ROUNDS < LINES`, lines of
// ACPC's protocol. Prints, for each round, the median and the 99th percentile in microseconds, from a line to
// its answer.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "settings.hpp"
#include "zerosum/protocols/acpc.hpp"

int main(int count, char** words) {
  using namespace zerosum;
  using Clock = std::chrono::steady_clock;
  if (count != 4) return 2;
  protocols::HeadsUpPlayer player(nn::load_weights(words[1]), nn::load_weights(words[2]),
                                  bots::kDenoiseBelow);
  protocols::AcpcBot bot(&player, bots::table_rules(), 1, [](const std::string&) { std::exit(1); });
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
  for (int round = 0; round < std::atoi(words[3]); ++round) {
    std::vector<double> took;
    for (const std::string& line : lines) {
      const auto from = Clock::now();
      if (!bot.answer(line)) return 1;
      took.push_back(std::chrono::duration<double, std::micro>(Clock::now() - from).count());
    }
    std::sort(took.begin(), took.end());
    std::printf("%.3f %.3f\n", took[took.size() / 2], took[took.size() * 99 / 100]);
  }
  return 0;
}
