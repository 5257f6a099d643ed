// Lines out of a stream, and requests out of lines: JSON may stand on several, a line that is only cut off
// must not hold up the answer to it.
#pragma once

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "zerosum/protocols/json.hpp"

namespace zerosum::protocols {

inline constexpr std::size_t kLongestLine = std::size_t{1} << 22;
inline constexpr int kSoonMs = 100, kForever = -1;

// Text from elsewhere for a person's terminal: bytes that are no plain letters as \xNN.
inline std::string readable(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string shown;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= 0x20 && byte < 0x7f) {
      shown += letter;
    } else {
      shown += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return shown;
}

// A value for a message: the beginning of its JSON.
inline std::string shown(const Json& value) {
  constexpr std::size_t kLongest = 40;
  return value.is_missing() ? "nothing" : readable(value.text().substr(0, kLongest));
}

// The lines of a file handle, without their ends; of one without end only the beginning is kept.
class LineReader {
 public:
  explicit LineReader(int handle) : handle_(handle) {}

  // False where no line came in that time, or there are no more.
  bool next(std::string& line, int wait_ms) {
    std::size_t end;
    while ((end = heard_.find('\n', seen_)) == std::string::npos) {
      seen_ = heard_.size();
      if (!hear(wait_ms)) {
        if (!ended_ || heard_.empty()) return false;
        end = heard_.size();
        break;
      }
    }
    line = heard_.substr(0, std::min(end > 0 && heard_[end - 1] == '\r' ? end - 1 : end, kLongestLine));
    heard_.erase(0, end + 1);
    seen_ = 0;
    return true;
  }

  // Whether the stream broke off with an error.
  bool failed() const { return failed_; }

 private:
  bool hear(int wait_ms) {
    pollfd asked{handle_, POLLIN, 0};
    if (ended_ || (wait_ms != kForever && poll(&asked, 1, wait_ms) == 0)) return false;
    char buffer[4096];
    const ssize_t count = read(handle_, buffer, sizeof buffer);
    ended_ = count <= 0;
    failed_ = count < 0;
    std::string_view more(buffer, ended_ ? 0 : static_cast<std::size_t>(count));
    if (heard_.size() > kLongestLine) more.remove_prefix(std::min(more.find('\n'), more.size()));
    heard_ += more;
    return !ended_;
  }

  int handle_;
  std::string heard_;
  std::size_t seen_ = 0;  // of what was heard, without an end of line in it
  bool ended_ = false, failed_ = false;
};

// Which brackets of JSON are open after some lines.
class Nesting {
 public:
  // False where no further line can make JSON of it: a string that does not end, a bracket that does not fit.
  bool add(std::string_view line) {
    for (std::size_t at = 0; at < line.size(); ++at) {
      const char letter = line[at];
      if (letter == '"') {
        for (++at; at < line.size() && line[at] != '"'; ++at) at += line[at] == '\\';
        if (at >= line.size()) return false;
      } else if (letter == '{' || letter == '[') {
        open_ += letter == '{' ? '}' : ']';
        if (open_.size() > kDeepest) return false;
      } else if (letter == '}' || letter == ']') {
        if (open_.empty() || open_.back() != letter) return false;
        open_.pop_back();
      }
    }
    return true;
  }

  bool is_open() const { return !open_.empty(); }

 private:
  static constexpr std::size_t kDeepest = 64;
  std::string open_;
};

// One request at a time: a line, or as many as its JSON takes where they come at once. Lines that make no
// JSON together count one by one.
class RequestReader {
 public:
  using Next = std::function<bool(std::string&, int wait_ms)>;

  explicit RequestReader(Next next) : next_(std::move(next)) {}

  bool next(std::string& text) {
    if (!take(text, kForever)) return false;
    Nesting nesting;
    if (!nesting.add(text) || !nesting.is_open()) return true;
    std::string whole = text, line;
    std::deque<std::string> more;
    bool fits = true;
    while (fits && nesting.is_open() && whole.size() < kLongestLine && take(line, kSoonMs)) {
      fits = nesting.add(line);
      whole += '\n';
      whole += line;
      more.push_back(std::move(line));
    }
    if (fits && !nesting.is_open() && Json::parse(whole)) {
      text = std::move(whole);
    } else {
      waiting_.insert(waiting_.begin(), more.begin(), more.end());
    }
    return true;
  }

 private:
  bool take(std::string& line, int wait_ms) {
    if (waiting_.empty()) return next_(line, wait_ms);
    line = std::move(waiting_.front());
    waiting_.pop_front();
    return true;
  }

  Next next_;
  std::deque<std::string> waiting_;
};

}  // namespace zerosum::protocols
