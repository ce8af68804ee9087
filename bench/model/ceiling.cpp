#include "bench/model/ceiling.hpp"

#include <charconv>
#include <vector>

namespace roofline {
namespace {

constexpr std::string_view warps_key = "warps:", threads_key = "threads:", issue = "instructions/issue";

bool is_of_flops_or_bytes(Ceiling::Kind kind) {
  return kind == Ceiling::Kind::compute || kind == Ceiling::Kind::bandwidth;
}

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

/// Reads the resource: parts[1..3] for FLOPs and bytes, parts[1..2] for the others. There are three parts at least.
std::optional<Ceiling> resource_of(const std::vector<std::string_view>& parts) {
  Ceiling ceiling;
  const auto row = std::string(parts[1]) + "/" + std::string(parts[2]);
  for (std::size_t kind = 0; kind < ceiling_kinds.size(); ++kind)
    if (ceiling_kinds[kind].row == row || (row == issue && ceiling_kinds[kind].name == "instructions")) {
      ceiling.kind = static_cast<Ceiling::Kind>(kind);
      return ceiling;
    }
  if (parts[1] == facts(Ceiling::Kind::rate).row && !parts[2].empty()) {
    ceiling.kind = Ceiling::Kind::rate;
    ceiling.resource = parts[2];
    return ceiling;
  }
  if (parts.size() < 4) return std::nullopt;
  if (parts[1] == facts(Ceiling::Kind::compute).row) {
    const auto operation = operation_of(parts[3]);
    if (!operation || parts[2].empty()) return std::nullopt;
    ceiling.kind = Ceiling::Kind::compute;
    ceiling.precision = parts[2], ceiling.operation = *operation;
    return ceiling;
  }
  const auto level = level_of(parts[2]);
  const auto mix = mix_of(parts[3]);
  if (parts[1] != facts(Ceiling::Kind::bandwidth).row || !level || !mix) return std::nullopt;
  ceiling.kind = Ceiling::Kind::bandwidth;
  ceiling.level = *level, ceiling.mix = *mix;
  return ceiling;
}

}  // namespace

std::string ceiling_name(const Ceiling& c) {
  const bool compute = c.kind == Ceiling::Kind::compute;
  const bool issues = c.kind == Ceiling::Kind::instructions && c.whole_device;
  std::string text = "ceiling/" + std::string(issues ? issue : facts(c.kind).row);
  if (c.kind == Ceiling::Kind::rate) text += "/" + c.resource;
  if (compute) text += "/" + c.precision + "/" + std::string(name(c.operation));
  if (c.kind == Ceiling::Kind::bandwidth) text += "/" + std::string(name(c.level)) + "/" + std::string(name(c.mix));
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
  const bool short_name = !is_of_flops_or_bytes(ceiling->kind);
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
  if (short_name && !rate && ceiling->whole_device != (parts[2] == "issue")) return std::nullopt;
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
