#include <algorithm>
#include <fstream>

#include "bench/any_program/preloaded_file.hpp"
#include "bench/any_program/program_rows.hpp"

namespace roofline::any_program {

RegionTimes read_region_times(const std::filesystem::path& file) {
  RegionTimes times;
  std::ifstream regions(file, std::ios::binary);
  for (PreloadedRegion region; regions.read(reinterpret_cast<char*>(&region), sizeof region) && region.thread != 0;)
    if (region.calls > 0)
      times[is_cold(region) ? python_region : region.name][region.thread] +=
          1e-9 * static_cast<double>(region.nanoseconds);
  return times;
}

std::vector<ProgramRow> region_rows(const CountedRun& counted, const RegionTimes& times, double program_seconds) {
  double instructions = 0;
  for (const auto& function : counted.functions) instructions += static_cast<double>(function.all_instructions());
  std::vector<ProgramRow> rows;
  for (const auto& region : counted.regions) {
    const auto same = [&](const ProgramRow& row) { return row.name == region.name; };
    auto found = std::find_if(rows.begin(), rows.end(), same);
    if (found == rows.end()) {
      found = rows.insert(rows.end(), ProgramRow{});
      found->name = region.name, found->was_counted = found->by_clock = true;
    }
    found->counted.add(region);  // of another process
  }
  for (auto& row : rows) {
    if (const auto timed = times.find(row.name); timed != times.end())
      for (const auto& [thread, seconds] : timed->second)
        row.was_timed = true, row.cpu_seconds += seconds, row.seconds = std::max(row.seconds, seconds);
    row.share = program_seconds > 0 ? row.cpu_seconds / program_seconds
                : instructions > 0  ? static_cast<double>(row.counted.all_instructions()) / instructions
                                    : 0;
  }
  return rows;
}

}  // namespace roofline::any_program
