#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "reporters/view/explain.hpp"

namespace roofline {
namespace {

/// What all notes begin with, up to a comma: the model. Notes without such a part are listed, three at most.
std::string common_note(const std::vector<std::string>& notes) {
  const std::string& first = notes.front();
  std::size_t same = first.size();
  for (const auto& note : notes)
    same = std::min<std::size_t>(
        same, std::mismatch(first.begin(), first.end(), note.begin(), note.end()).first - first.begin());
  const auto ends_there = [&](const std::string& note) { return same == note.size() || note[same] == ','; };
  if (!std::all_of(notes.begin(), notes.end(), ends_there)) {
    const auto comma = first.substr(0, same).rfind(',');
    same = comma == first.npos ? 0 : comma;
  }
  if (same > 0) return first.substr(0, same);
  constexpr std::size_t shown = 3;
  const std::vector<std::string> some(notes.begin(), notes.begin() + std::min(shown, notes.size()));
  return fmt::format("{}{}", fmt::join(some, "; "), notes.size() > shown ? "; ..." : "");
}

}  // namespace

std::vector<std::string> source_lines(const Results& results) {
  std::vector<std::string> flops;
  std::map<std::string, std::vector<std::string>> bytes;  // notes by source
  const auto add_once = [](std::vector<std::string>& list, std::string text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
  };
  for (const auto& point : results.points) {
    add_once(flops, std::string(name(point.counts.operations_source)));
    const auto& traffic = point.counts.traffic;
    if (std::none_of(traffic.begin(), traffic.end(), [](const auto& t) { return t.has_value(); })) continue;
    auto& notes = bytes[point.counts.traffic_label()];
    if (!point.counts.traffic_note.empty()) add_once(notes, point.counts.traffic_note);
  }
  std::vector<std::string> lines;
  if (!flops.empty())
    lines.push_back(fmt::format(
        "FLOPs: {}, source: {}",
        results.flop_convention.empty() ? "canonical account (FMA = 2, division = 1)" : results.flop_convention,
        fmt::join(flops, ", ")));
  for (const auto& [source, notes] : bytes) {
    std::string line = "bytes: " + source;
    if (!notes.empty()) line += " (" + common_note(notes) + ")";
    if (notes.size() > 1) line += ", each kernel's sampling in efficiency.csv";
    lines.push_back(line);
  }
  return lines;
}

}  // namespace roofline
