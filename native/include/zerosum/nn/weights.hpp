// Weights by name. A `.bin` file is little-endian: u32 number of tensors; for each u32 length of its name,
// the name in UTF-8, u32 number of dimensions, u32 each dimension, float32 values. A packed file, for weights
// that stand in a source file, has u32 bits (8 or 16) after the dimensions, then a float32 scale for each row
// and whole numbers of so many bits. No length is believed before it was held against what the file has left.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zerosum::nn {

// A file that is no file of weights, or not those of the network that is wanted.
struct WeightsError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Tensor {
  std::vector<std::uint32_t> shape;
  std::vector<float> values;
};

using Weights = std::map<std::string, Tensor>;

inline constexpr std::size_t kMostBytes = std::size_t{1} << 26;  // of a file
inline constexpr std::uint32_t kMostDimensions = 8;

namespace detail {

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }

  std::string_view take(std::uint64_t count, const char* what) {
    if (count > rest_.size()) {
      throw WeightsError(std::string(what) + ": got " + std::to_string(rest_.size()) + " bytes, wanted " +
                         std::to_string(count));
    }
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::uint32_t number(const char* what) {
    const std::string_view raw = take(4, what);
    std::uint32_t value = 0;
    for (int k = 3; k >= 0; --k)
      value = value << 8 | static_cast<std::uint8_t>(raw[static_cast<std::size_t>(k)]);
    return value;
  }

  // As many numbers as `values` holds; the caller has checked that they are there.
  void floats(std::vector<float>& values, std::uint64_t count, const char* what) {
    const std::string_view raw = take(4 * count, what);
    values.resize(static_cast<std::size_t>(count));
    if (!raw.empty()) std::memcpy(values.data(), raw.data(), raw.size());
  }

 private:
  std::string_view rest_;
};

inline std::uint64_t volume(const std::vector<std::uint32_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint32_t size : shape) {
    count *= size;  // both factors below 2^32
    if (count > kMostBytes) throw WeightsError("tensor: got more numbers than any file may hold");
  }
  return count;
}

// Whole numbers of one or two bytes, and a scale for each row.
inline void read_packed(Reader& reader, Tensor& tensor, std::uint64_t count) {
  const std::uint32_t bits = reader.number("bits");
  if (bits != 8 && bits != 16) {
    throw WeightsError("bits: got " + std::to_string(bits) + ", wanted 8 or 16");
  }
  const std::uint64_t rows = tensor.shape.size() < 2 ? 1 : tensor.shape[0];
  std::vector<float> scales;
  reader.floats(scales, rows, "scales");
  const std::string_view raw = reader.take(count * bits / 8, "values");
  tensor.values.resize(static_cast<std::size_t>(count));
  const std::size_t width = rows == 0 ? 0 : static_cast<std::size_t>(count / rows);
  for (std::size_t k = 0; k < tensor.values.size(); ++k) {
    std::int32_t value = static_cast<std::int8_t>(raw[bits == 8 ? k : 2 * k + 1]);
    if (bits == 16) value = value * 256 + static_cast<std::uint8_t>(raw[2 * k]);
    tensor.values[k] = static_cast<float>(value) * scales[k / width];
  }
}

inline Weights read_tensors(std::string_view bytes, bool packed) {
  Reader reader(bytes);
  Weights found;
  const std::uint32_t tensors = reader.number("number of tensors");
  for (std::uint32_t k = 0; k < tensors; ++k) {
    const std::string name(reader.take(reader.number("length of a name"), "name"));
    Tensor tensor;
    const std::uint32_t dimensions = reader.number("number of dimensions");
    if (dimensions > kMostDimensions) {
      throw WeightsError(name.substr(0, 60) + ": got " + std::to_string(dimensions) +
                         " dimensions, wanted at most " + std::to_string(kMostDimensions));
    }
    for (std::uint32_t d = 0; d < dimensions; ++d) tensor.shape.push_back(reader.number("dimension"));
    const std::uint64_t count = volume(tensor.shape);
    if (packed) {
      read_packed(reader, tensor, count);
    } else {
      reader.floats(tensor.values, count, "values");
    }
    if (!found.emplace(name, std::move(tensor)).second) {
      throw WeightsError(name.substr(0, 60) + ": is given twice");
    }
  }
  if (!reader.at_end()) throw WeightsError("got more bytes after the last tensor, wanted the end");
  return found;
}

}  // namespace detail

inline Weights parse_weights(std::string_view bytes) { return detail::read_tensors(bytes, false); }
inline Weights parse_packed(std::string_view bytes) { return detail::read_tensors(bytes, true); }

inline std::string weights_bytes(const Weights& weights) {
  std::string bytes;
  const auto number = [&](std::size_t value) {
    for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> (8 * k));
  };
  number(weights.size());
  for (const auto& [name, tensor] : weights) {
    number(name.size());
    bytes += name;
    number(tensor.shape.size());
    for (const std::uint32_t size : tensor.shape) number(size);
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()), 4 * tensor.values.size());
  }
  return bytes;
}

inline Weights load_weights(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw WeightsError(path + ": cannot be read");
  const auto size = file.tellg();
  if (size < 0 || static_cast<std::uint64_t>(size) > kMostBytes) {
    throw WeightsError(path + ": wanted a file of at most " + std::to_string(kMostBytes) + " bytes");
  }
  std::string bytes(static_cast<std::size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(bytes.data(), size)) throw WeightsError(path + ": cannot be read");
  try {
    return parse_weights(bytes);
  } catch (const WeightsError& error) {
    throw WeightsError(path + ": " + error.what());
  }
}

// Base 64, as it stands in a source file; what is none of its letters is an error.
inline std::string from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    const bool upper = letter >= 'A' && letter <= 'Z', lower = letter >= 'a' && letter <= 'z',
               digit = letter >= '0' && letter <= '9';
    if (!upper && !lower && !digit && letter != '+' && letter != '/') {
      throw WeightsError("base 64: got something else");
    }
    bits = bits << 6 | static_cast<std::uint32_t>(upper   ? letter - 'A'
                                                  : lower ? letter - 'a' + 26
                                                  : digit ? letter - '0' + 52
                                                          : (letter == '+' ? 62 : 63));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

// The tensor of that name and shape.
inline const Tensor& wanted(const Weights& weights, const std::string& name,
                            const std::vector<std::uint32_t>& shape) {
  const auto found = weights.find(name);
  if (found == weights.end()) throw WeightsError(name + ": is missing");
  if (found->second.shape != shape) {
    std::string got, want;
    for (const std::uint32_t size : found->second.shape) got += ' ' + std::to_string(size);
    for (const std::uint32_t size : shape) want += ' ' + std::to_string(size);
    throw WeightsError(name + ": got the shape" + got + ", wanted" + want);
  }
  return found->second;
}

}  // namespace zerosum::nn
