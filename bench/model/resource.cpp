#include "bench/model/resource.hpp"

namespace roofline {

std::string name(const Resource& resource) {
  if (!resource.level) return std::string(name(resource.kind));
  const std::string level(name(*resource.level));
  if (resource.kind != Resource::Kind::memory) return level + " " + std::string(name(resource.kind));
  return resource.mix ? level + " " + std::string(name(*resource.mix)) : level;
}

std::optional<Resource> resource_of(std::string_view text) {
  const auto level = level_of(text.substr(0, text.find(' ')));
  if (level) {
    if (name(*level) == text) return Resource(*level);
    text.remove_prefix(name(*level).size() + 1);
    if (const auto mix = mix_of(text)) return Resource(*level, mix);
  }
  for (auto kind = Resource::Kind::fma; kind <= Resource::Kind::unknown;
       kind = static_cast<Resource::Kind>(static_cast<int>(kind) + 1))
    if (name(kind) == text) return Resource(kind, level);
  return std::nullopt;
}

}  // namespace roofline
