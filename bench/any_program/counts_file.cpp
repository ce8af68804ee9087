#include "bench/any_program/counts_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"

namespace roofline::any_program {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("counts.") && name.ends_with(".json")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

CountedFunction function_of(const Json& it) {
  CountedFunction f;
  f.name = it.at("name"), f.module = it.at("module"), f.source = it.at("source");
  f.loop = it.value("loop", std::string()), f.hottest = it.value("hottest", std::string());
  if (it.contains("ranges"))
    for (const auto& range : it["ranges"]) f.ranges.emplace_back(range.at(0), range.at(1));
  f.instructions = it.at("instructions").get<std::vector<std::uint64_t>>();
  if (it.contains("operations"))
    for (const auto& [precision, kinds] : it["operations"].items()) {
      auto& o = f.operations[precision];
      const auto of = [&](const char* kind) { return kinds.value(kind, std::uint64_t{0}); };
      o = {of("add"), of("mul"), of("fma"), of("div"), of("sqrt"), of("logic")};
      f.other += of("other");
    }
  if (it.contains("flops_by_width")) f.by_width = it["flops_by_width"].get<std::map<std::string, std::uint64_t>>();
  f.flops_below = it.value("flops_in_libraries", std::uint64_t{0});
  f.has_bytes = it.contains("bytes");
  if (!f.has_bytes) return f;
  for (const auto& [level, bytes] : it["bytes"].items()) f.bytes[level_of(level).value()] = {bytes.at(0), bytes.at(1)};
  if (it.contains("half_widths"))
    for (const auto& [level, bytes] : it["half_widths"].items()) f.half_widths[level_of(level).value()] = bytes;
  f.overwritten = it.at("overwritten"), f.streamed = it.at("streamed"), f.paired = it.at("paired");
  f.local = it.at("local");
  return f;
}

void read(const fs::path& path, CountedRun& run, std::set<std::string>& notes) {
  const auto document = parse_json(read_file(path, std::size_t{1} << 30), path.string());
  run.complete = run.complete && document.at("complete").get<bool>();
  if (run.program.empty()) run.program = document.at("program");
  for (const auto& note : document.at("notes")) notes.insert(note.get<std::string>());
  if (document.contains("refused") && !run.refused) {
    const auto& refused = document["refused"];
    run.refused = {refused.at("why"), refused.at("function"), refused.at("module")};
  }
  for (const auto& function : document.at("functions")) run.functions.push_back(function_of(function));
  for (const auto& region : document.at("regions")) run.regions.push_back(function_of(region));
  ++run.processes;
}

}  // namespace

bool CountedFunction::has_unknown_bytes() const {
  constexpr double next_to_nothing = 1e-3;  // of L1's
  return std::any_of(half_widths.begin(), half_widths.end(), [&](const auto& half) {
    return half.second > std::max(bytes.at(half.first).total(), next_to_nothing * bytes.at(MemoryLevel::L1).total());
  });
}

std::uint64_t CountedFunction::flops() const {
  std::uint64_t sum = 0;
  for (const auto& [precision, o] : operations) sum += o.flops();
  return sum;
}

std::uint64_t CountedFunction::all_instructions() const {
  std::uint64_t sum = 0;
  for (const auto of_thread : instructions) sum += of_thread;
  return sum;
}

void CountedFunction::add(const CountedFunction& more) {
  instructions.resize(std::max(instructions.size(), more.instructions.size()));
  for (std::size_t i = 0; i < more.instructions.size(); ++i) instructions[i] += more.instructions[i];
  for (const auto& [precision, o] : more.operations) operations[precision] += o;
  for (const auto& [width, flops] : more.by_width) by_width[width] += flops;
  for (const auto& [level, traffic] : more.bytes)
    bytes[level].read += traffic.read, bytes[level].written += traffic.written;
  for (const auto& [level, bytes] : more.half_widths) half_widths[level] += bytes;
  other += more.other, flops_below += more.flops_below;
  overwritten += more.overwritten, streamed += more.streamed, paired += more.paired, local += more.local;
  has_bytes = has_bytes || more.has_bytes;
}

CountedRun read_counts(const fs::path& folder) {
  CountedRun run;
  std::set<std::string> notes;
  for (const auto& path : files_in(folder)) try {
      read(path, run, notes);
    } catch (const std::exception& error) {
      throw FileError(fmt::format("{}: not the counts of a program: {}", path.string(), error.what()));
    }
  run.notes.assign(notes.begin(), notes.end());
  return run;
}

}  // namespace roofline::any_program
