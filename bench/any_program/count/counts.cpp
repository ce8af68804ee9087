// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "bench/any_program/count/state.hpp"
#include "bench/any_program/readable.hpp"

namespace roofline::any_program {
namespace {

using Json = nlohmann::ordered_json;

/// The counts of a function, or of everything within a region, in all threads.
struct Total {
  std::array<std::uint64_t, precisions * kinds> operations{};
  std::array<std::uint64_t, widths> flops{};
  std::vector<std::uint64_t> instructions;  ///< by thread
  std::uint64_t flops_below = 0;
  Bytes bytes;

  void add(const Piece& piece, std::uint64_t times) {
    for (std::size_t i = 0; i < operations.size(); ++i) operations[i] += times * piece.operations[i];
    for (std::size_t i = 0; i < flops.size(); ++i) flops[i] += times * piece.flops[i];
  }
  void add_instructions(std::uint64_t number, std::size_t thread) {
    instructions.resize(std::max(instructions.size(), thread + 1));
    instructions[thread] += number;
  }
  void add(const Total& more) {
    instructions.resize(std::max(instructions.size(), more.instructions.size()));
    for (std::size_t i = 0; i < more.instructions.size(); ++i) instructions[i] += more.instructions[i];
    for (std::size_t i = 0; i < operations.size(); ++i) operations[i] += more.operations[i];
    for (std::size_t i = 0; i < flops.size(); ++i) flops[i] += more.flops[i];
    bytes += more.bytes;
  }
};

constexpr int everywhere = -1;

/// Adds what a counter of a thread stands for.
void add(std::vector<Total>& all, State& state, std::uint32_t number, std::uint64_t times, std::size_t thread) {
  const auto& record = state.ledger.record[number];
  const auto& block = state.block_of(record.block);
  all.resize(state.symbols.functions().size());
  const auto total = [&](const Piece& piece) -> Total& { return all[static_cast<std::size_t>(piece.function)]; };
  if (record.kind == RecordKind::block)
    for (const auto& piece : block.pieces) {
      total(piece).add(piece, times);
      total(piece).add_instructions(times * piece.instructions, thread);
    }
  if (record.kind == RecordKind::lanes && record.instruction < block.instructions.size())
    total(block.instructions[record.instruction]).add(block.instructions[record.instruction], times);
  if (record.kind == RecordKind::tail)
    for (std::size_t i = record.instruction; i < block.instructions.size(); ++i) {
      const auto& piece = block.instructions[i];
      if (!block.masked[i]) total(piece).add(piece, -times);
      total(piece).add_instructions(-times, thread);
    }
}

/// Adds what is known by words, of which some were left out, and by how often blocks were executed. Which function
/// called a library is not.
void add_estimates(std::vector<Total>& all, State& state, const Tally& tally) {
  std::map<int, Accessed> accessed;
  for (const auto& [function, its] : tally.bytes) accessed[function] = {};
  for (std::uint32_t r = 1; r < tally.counters.size(); ++r) {
    if (tally.counters[r] == 0 || state.ledger.record[r].kind != RecordKind::block) continue;
    const auto& block = state.block_of(r);
    for (const auto& [function, its] : block.accessed) accessed[function].add(its, tally.counters[r]);
  }
  for (const auto& [function, its] : accessed) {
    const auto known = tally.bytes.find(function);
    all[static_cast<std::size_t>(function)].bytes +=
        (known == tally.bytes.end() ? WindowedBytes{} : known->second).estimate(its);
  }
}

/// Totals by function, of the whole program or for the time that a region was open.
std::vector<Total> totals(State& state, int region) {
  std::vector<Total> all;
  for (std::size_t c = 0; c < state.cpus.size(); ++c)
    for (const auto& [set, tally] : state.cpus[c]->tallies) {
      if (region != everywhere && !state.regions.contains(set, region)) continue;
      for (std::uint32_t r = 1; r < tally.counters.size(); ++r)
        if (tally.counters[r]) add(all, state, r, tally.counters[r], c);
      all.resize(state.symbols.functions().size());
      if (state.ledger.slot[c].windows.state == Windows::State::whole) {
        for (const auto& [function, flops] : tally.flops_below)
          all[static_cast<std::size_t>(function)].flops_below += flops;
        for (const auto& [function, its] : tally.bytes) all[static_cast<std::size_t>(function)].bytes += its.all();
      } else {
        add_estimates(all, state, tally);
      }
    }
  return all;
}

/// The lines of most FLOPs of the functions that share their names and sources with others, by number.
std::map<int, std::string> hottest_lines(State& state) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<int>> alike;
  const auto& functions = state.symbols.functions();
  for (int f = 0; f < static_cast<int>(functions.size()); ++f)
    if (const auto& function = functions[static_cast<std::size_t>(f)]; !function.source.empty())
      alike[{function.module, readable(function.name, function.source) + function.loop, function.source}].push_back(f);
  std::map<int, std::map<std::string, std::uint64_t>> flops;
  for (const auto& [name, all] : alike)
    if (all.size() > 1)
      for (const int f : all) flops[f];
  if (flops.empty()) return {};
  for (const auto& cpu : state.cpus)
    for (const auto& [set, tally] : cpu->tallies)
      for (std::uint32_t r = 1; r < tally.counters.size(); ++r) {
        const auto& record = state.ledger.record[r];
        if (tally.counters[r] == 0 || record.kind != RecordKind::block) continue;
        const auto& block = state.block_of(r);
        for (std::size_t i = 0; i < block.instructions.size(); ++i)
          if (const auto of = flops.find(block.instructions[i].function); of != flops.end())
            if (const auto each = block.instructions[i].flops; each != decltype(each){})
              of->second[state.symbols.line_of(state.ledger.module[record.module].path,
                                               record.offset + block.offsets[i])] +=
                  tally.counters[r] * std::accumulate(each.begin(), each.end(), std::uint64_t{0});
      }
  std::map<int, std::string> lines;
  for (const auto& [function, by_line] : flops)
    if (!by_line.empty())
      lines[function] = std::max_element(by_line.begin(), by_line.end(), [](const auto& a, const auto& b) {
                          return a.second < b.second;
                        })->first;
  return lines;
}

/// Half the width of a level's range: of the mean of the samples by Student's t, 95 %, and at least the part of the
/// loads and stores by which the samples have more or fewer than they should. Each access that goes from page to page
/// may have brought in a line for four bytes, and so may those that are missing where the samples have not half of
/// them. Four samples may agree by chance, and dirty lines of the functions before do not lie evenly, so no range is
/// narrower than a thousandth to each side.
double half_width(const Bytes& bytes, std::size_t level) {
  constexpr double t = 3.182, n = Caches::samples, unseen_of_all = 1 - n / Caches::strata;
  const auto mean_of = [](const Caches::OfSamples& all) { return std::accumulate(all.begin(), all.end(), 0.0) / n; };
  const auto& all = bytes.moved.samples[level];
  const double mean = mean_of(all);
  double squares = 0;
  for (const double one : all) squares += (one - mean) * (one - mean);
  const double spread = bytes.moved.spread, seen = mean_of(bytes.moved.samples[0]);
  const double by_accesses = spread > 0 ? std::abs(seen / spread - 1) * mean : 0;
  const double not_seen = std::max(bytes.moved.in_one_stratum, seen < spread / 2 ? spread - seen : 0) * 16;
  constexpr double a_line = 64.0 * Caches::strata;  // more or less in a sample, at the ends of arrays
  const double of_sets =
      std::max({t * std::sqrt(squares / (n - 1) / n * unseen_of_all), by_accesses, not_seen, a_line, mean / 1000});
  return bytes.biases[level] + std::hypot(of_sets, 2 * std::sqrt(bytes.variances[level]));
}

void put(Json& it, const Total& total, bool with_bytes, bool sampled) {
  it["instructions"] = total.instructions;
  for (std::size_t p = 0; p < precisions; ++p)
    for (std::size_t k = 0; k < kinds; ++k)
      if (const auto count = total.operations[p * kinds + k])
        it["operations"][std::string(precision_names[p])][std::string(kind_names[k])] = count;
  for (std::size_t w = 0; w < widths; ++w)
    if (total.flops[w]) it["flops_by_width"][std::string(width_names[w])] = total.flops[w];
  if (total.flops_below) it["flops_in_libraries"] = total.flops_below;
  if (!with_bytes) return;
  const auto& accessed = total.bytes.accessed;
  const auto& moved = total.bytes.moved;
  auto& bytes = it["bytes"];
  bytes["L1"] = {accessed.loaded, accessed.stored};
  for (std::size_t i = 1; i < memory_levels.size(); ++i) {
    const auto past = memory_levels[i] == MemoryLevel::DRAM ? static_cast<double>(accessed.streamed) : 0;
    bytes[std::string(name(memory_levels[i]))] = {moved.levels[i].read, moved.levels[i].written + past};
  }
  if (sampled)
    for (std::size_t i = 1; i < memory_levels.size(); ++i)
      it["half_widths"][std::string(name(memory_levels[i]))] = half_width(total.bytes, i);
  it["overwritten"] = moved.overwritten, it["paired"] = moved.paired;
  it["streamed"] = accessed.streamed, it["local"] = accessed.local;
}

Json json_of(const Function& function) {
  Json it = {{"name", function.name}, {"module", function.module}, {"source", function.source}};
  if (!function.loop.empty()) it["loop"] = function.loop;
  for (const auto& [from, to] : function.ranges) it["ranges"].push_back({from, to});
  return it;
}

}  // namespace

void write_counts(State& state, bool complete) {
  const bool with_bytes = !state.options.levels.empty();
  std::uint64_t instructions = 0;
  Json functions = Json::array(), regions = Json::array();
  const auto all = totals(state, everywhere);
  const auto hottest = hottest_lines(state);
  for (std::size_t f = 0; f < all.size(); ++f) {
    for (const auto of_thread : all[f].instructions) instructions += of_thread;
    if (all[f].instructions.empty()) continue;
    auto& it = functions.emplace_back(json_of(state.symbols.functions()[f]));
    if (const auto line = hottest.find(static_cast<int>(f)); line != hottest.end()) it["hottest"] = line->second;
    put(it, all[f], with_bytes, state.options.sampled);
  }
  for (std::size_t r = 0; r < state.regions.names().size(); ++r) {
    Total sum;
    for (const auto& of_function : totals(state, static_cast<int>(r))) sum.add(of_function);
    put(regions.emplace_back(
            Json{{"name", state.regions.names()[r]}, {"module", state.symbols.program}, {"source", ""}}),
        sum, with_bytes, state.options.sampled);
  }
  Json document = {{"format", 1},
                   {"program", state.symbols.program},
                   {"complete", complete},
                   {"instructions", instructions},
                   {"notes", state.notes}};
  if (!state.refused.empty())
    document["refused"] = {{"why", state.refused[0]}, {"function", state.refused[1]}, {"module", state.refused[2]}};
  document["functions"] = std::move(functions);
  document["regions"] = std::move(regions);
  const auto file = state.options.folder / "counts.1.json";
  const auto fresh = file.string() + "~";
  std::ofstream stream(fresh);
  stream << document.dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
  stream.close();
  if (!stream) throw std::runtime_error(file.string() + ": cannot be written");
  std::rename(fresh.c_str(), file.c_str());
}

}  // namespace roofline::any_program
