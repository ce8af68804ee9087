#include "bench/model/ceiling.hpp"

#include <charconv>
#include <vector>

namespace roofline {
namespace {

constexpr std::string_view warps_key = "warps:", threads_key = "threads:", front_end = "front_end", issue = "issue",
                           fork_join = "fork_join";

std::vector<std::string_view> parts_of_name(std::string_view name) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = name.find('/');
    parts.push_back(name.substr(0, end));
    if (end == name.npos) return parts;
    name.remove_prefix(end + 1);
  }
}

std::optional<int> value_after(std::string_view key, std::string_view part) {
  int value = 0;
  if (part.substr(0, key.size()) != key) return std::nullopt;
  const auto [end, error] = std::from_chars(part.data() + key.size(), part.data() + part.size(), value);
  return error == std::errc{} && end == part.data() + part.size() && value > 0 ? std::optional(value) : std::nullopt;
}

/// The resource, parts[1..3], of instructions parts[1..2]; three parts at least.
std::optional<Ceiling> resource_of(const std::vector<std::string_view>& parts) {
  Ceiling ceiling;
  if (parts[1] == "instructions" && (parts[2] == front_end || parts[2] == issue)) {
    ceiling.kind = Ceiling::Kind::instructions;
    return ceiling;
  }
  if (parts[1] == "rate" && !parts[2].empty()) {
    ceiling.kind = Ceiling::Kind::rate;
    ceiling.resource = parts[2];
    return ceiling;
  }
  if (parts.size() < 4) return std::nullopt;
  if (parts[1] == "flops") {
    const auto operation = operation_of(parts[3]);
    if (!operation || parts[2].empty()) return std::nullopt;
    ceiling.kind = Ceiling::Kind::compute;
    ceiling.precision = parts[2], ceiling.operation = *operation;
    return ceiling;
  }
  if (parts[1] == "overhead" && parts[2] == fork_join) {
    ceiling.kind = Ceiling::Kind::overhead;
    return ceiling;
  }
  const auto level = level_of(parts[2]);
  const auto mix = mix_of(parts[3]);
  if (parts[1] != "bandwidth" || !level || !mix) return std::nullopt;
  ceiling.kind = Ceiling::Kind::bandwidth;
  ceiling.level = *level, ceiling.mix = *mix;
  return ceiling;
}

}  // namespace

std::string ceiling_name(const Ceiling& c) {
  const bool compute = c.kind == Ceiling::Kind::compute;
  std::string text = "ceiling/";
  if (c.kind == Ceiling::Kind::instructions)
    text += "instructions/" + std::string(c.whole_device ? issue : front_end);
  else if (c.kind == Ceiling::Kind::overhead)
    text += "overhead/" + std::string(fork_join);
  else if (c.kind == Ceiling::Kind::rate)
    text += "rate/" + c.resource;
  else if (compute)
    text += "flops/" + c.precision + "/" + std::string(name(c.operation));
  else
    text += "bandwidth/" + std::string(name(c.level)) + "/" + std::string(name(c.mix));
  if (!c.isa.empty()) text += "/" + c.isa;
  if (compute && !c.ilp) text += "/chain";
  if (c.warps > 0) text += "/" + std::string(warps_key) + std::to_string(c.warps);
  if (c.sustained) text += "/sustained";
  if (!c.whole_device) text += "/" + std::string(threads_key) + std::to_string(c.threads);
  return text;
}

std::optional<Ceiling> parse_ceiling_name(std::string_view row) {
  const auto parts = parts_of_name(row);
  if (parts.size() < 3 || parts[0] != "ceiling") return std::nullopt;
  auto ceiling = resource_of(parts);
  if (!ceiling) return std::nullopt;
  ceiling->name = row;
  ceiling->whole_device = true;
  const bool rate = ceiling->kind == Ceiling::Kind::rate;
  const bool short_name =
      rate || ceiling->kind == Ceiling::Kind::instructions || ceiling->kind == Ceiling::Kind::overhead;
  const std::size_t first = short_name ? 3 : 4;
  for (std::size_t i = first; i < parts.size(); ++i) {
    const auto part = parts[i];
    if (part == "chain") {
      ceiling->ilp = false;
    } else if (part == "sustained") {
      ceiling->sustained = true;
    } else if (const auto warps = value_after(warps_key, part)) {
      ceiling->warps = *warps;
    } else if (const auto threads = value_after(threads_key, part)) {
      ceiling->threads = *threads, ceiling->whole_device = false;
    } else if (i == 4 && first == 4 && !part.empty()) {
      ceiling->isa = part;
    } else {
      return std::nullopt;
    }
  }
  if (short_name && !rate && ceiling->whole_device != (parts[2] == issue)) return std::nullopt;
  return ceiling;
}

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
