#include "bench/cache_model/model_hash.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace roofline {

std::string model_hash(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char c : fmt::format("model {} {}", model_version, text)) hash = (hash ^ c) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace roofline
