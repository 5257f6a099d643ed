// JSON read where it stands: a value is a piece of the text, checked once, and its parts are found when they
// are asked for. Nothing is copied, so a long line costs no memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace zerosum::protocols {

class Json {
 public:
  Json() = default;

  // Nothing where the text is not one value of JSON. A mark of the byte order before it is passed over.
  static std::optional<Json> parse(std::string_view text) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    std::size_t at = skip_space(text, text.substr(0, kMark.size()) == kMark ? kMark.size() : 0);
    const std::size_t first = at;
    if (!skip_value(text, at, 0)) return std::nullopt;
    const std::size_t end = at;
    if (skip_space(text, at) != text.size()) return std::nullopt;
    return Json(text.substr(first, end - first));
  }

  bool is_missing() const { return text_.empty(); }
  bool is_object() const { return !text_.empty() && text_[0] == '{'; }
  bool is_array() const { return !text_.empty() && text_[0] == '['; }
  bool is_string() const { return !text_.empty() && text_[0] == '"'; }
  std::string_view text() const { return text_; }

  // The value of a key of an object; missing where there is none.
  Json member(std::string_view key) const {
    Json found;
    if (!is_object()) return found;
    each([&](std::string_view name, const Json& value) {
      if (name != key) return true;
      found = value;
      return false;
    });
    return found;
  }

  // Every element of an array, while `visit` says so.
  template <typename Visit>
  void elements(Visit visit) const {
    if (is_array()) each([&](std::string_view, const Json& value) { return visit(value); });
  }

  // A whole number, however it is written; one beyond 2^62 counts as 2^62.
  std::optional<std::int64_t> integer() const {
    constexpr double kHuge = 4611686018427387904.0;
    constexpr std::size_t kDigits = 400;  // with more of them it is beyond that anyway
    if (text_.empty() || (text_[0] != '-' && (text_[0] < '0' || text_[0] > '9'))) return std::nullopt;
    const std::string number(text_.substr(0, kDigits));
    char* end = nullptr;
    const double value = std::strtod(number.c_str(), &end);
    if (*end != '\0' || std::floor(value) != value) return std::nullopt;
    return static_cast<std::int64_t>(std::clamp(value, -kHuge, kHuge));
  }

  // A string without its marks; escaped letters other than \u are resolved.
  std::string string() const {
    std::string plain;
    if (!is_string()) return plain;
    for (std::size_t k = 1; k + 1 < text_.size(); ++k) {
      if (text_[k] == '\\' && k + 2 < text_.size()) {
        const char letter = text_[++k];
        plain += letter == 'n' ? '\n' : letter == 't' ? '\t' : letter == 'r' ? '\r' : letter;
      } else {
        plain += text_[k];
      }
    }
    return plain;
  }

 private:
  explicit Json(std::string_view text) : text_(text) {}

  static constexpr int kDeepest = 64;

  static std::size_t skip_space(std::string_view text, std::size_t at) {
    while (at < text.size() &&
           (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n')) {
      ++at;
    }
    return at;
  }

  static bool skip_string(std::string_view text, std::size_t& at) {
    for (++at; at < text.size(); ++at) {
      if (text[at] == '\\') {
        ++at;
      } else if (text[at] == '"') {
        ++at;
        return true;
      }
    }
    return false;
  }

  static bool skip_plain(std::string_view text, std::size_t& at) {
    for (const std::string_view word : {"true", "false", "null"}) {
      if (text.substr(at, word.size()) == word) {
        at += word.size();
        return true;
      }
    }
    const std::size_t from = at;
    while (at < text.size() && std::string_view("0123456789+-.eE").find(text[at]) != std::string_view::npos)
      ++at;
    return at > from;
  }

  static bool skip_value(std::string_view text, std::size_t& at, int depth) {
    if (at >= text.size() || depth > kDeepest) return false;
    if (text[at] == '"') return skip_string(text, at);
    if (text[at] != '{' && text[at] != '[') return skip_plain(text, at);
    const bool object = text[at] == '{';
    const char end = object ? '}' : ']';
    at = skip_space(text, at + 1);
    if (at < text.size() && text[at] == end) return ++at, true;
    while (true) {
      if (object) {
        if (at >= text.size() || text[at] != '"' || !skip_string(text, at)) return false;
        at = skip_space(text, at);
        if (at >= text.size() || text[at] != ':') return false;
        at = skip_space(text, at + 1);
      }
      if (!skip_value(text, at, depth + 1)) return false;
      at = skip_space(text, at);
      if (at >= text.size()) return false;
      if (text[at] == end) return ++at, true;
      if (text[at] != ',') return false;
      at = skip_space(text, at + 1);
    }
  }

  // Parts of a checked object or array.
  template <typename Visit>
  void each(Visit visit) const {
    const bool object = text_[0] == '{';
    std::size_t at = skip_space(text_, 1);
    while (at < text_.size() && text_[at] != '}' && text_[at] != ']') {
      std::string_view name;
      if (object) {
        const std::size_t from = at;
        skip_string(text_, at);
        name = text_.substr(from + 1, at - from - 2);
        at = skip_space(text_, skip_space(text_, at) + 1);
      }
      const std::size_t from = at;
      if (!skip_value(text_, at, 0) || !visit(name, Json(text_.substr(from, at - from)))) return;
      at = skip_space(text_, at);
      if (at < text_.size() && text_[at] == ',') at = skip_space(text_, at + 1);
    }
  }

  std::string_view text_;
};

}  // namespace zerosum::protocols
