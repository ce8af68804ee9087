#include "tools/roofline/inputs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <stdexcept>

#include "bench/run/ceilings_file.hpp"
#include "bench/run/conclude.hpp"
#include "bench/text/output.hpp"
#include "bench/text/split.hpp"
#include "reporters/formats/second_opinion.hpp"
#include "reporters/precision_text.hpp"

namespace roofline::cli {
namespace {

/// "a/run.json" is called "a", other files by their own name.
std::string name_of(const std::string& file) {
  const std::filesystem::path path(file);
  if (path.stem() != "run" || !path.has_parent_path()) return path.stem().string();
  return path.parent_path().filename().string();
}

}  // namespace

void Inputs::define(Flags& flags) {
  flags.add("FILE", files, "run.json, efficiency.csv, ERT's roofline.json, data.txt, or Google Benchmark's JSON")
      .required();
  flags.add("--ceilings", ceilings, "take the roofs from this file").type_name("FILE");
  flags
      .add("--second-opinion", opinions,
           "show ceilings of another tool next to the roofs: CARM or rocprof CSV, likwid-bench output, nvbench JSON, "
           "BabelStream CSV")
      .type_name("FILE");
  flags.add("--levels", levels, "of ERT's roofline.json, near to far: L2,DRAM").type_name("LIST");
  flags.add("--flops", options.flops, "counter of Google Benchmark's JSON that holds FLOPs").type_name("COUNTER");
  flags.add("--bytes", options.bytes, "counter that holds bytes").type_name("COUNTER");
  flags.add("--level", options.level, "whose bytes they are").shows_default();
  flags.add("--per-iteration", options.per_iteration, "the counters are of one iteration, not per second");
}

std::vector<Results> Inputs::read_each() {
  options.levels = split(levels, ',');
  std::vector<Results> all;
  for (const auto& file : files) all.push_back(read_input(file, options));
  return all;
}

Results Inputs::read() {
  options.levels = split(levels, ',');
  auto all = read_input(files.front(), options);
  if (files.size() > 1)
    for (auto& point : all.points) point.name = name_of(files.front()) + ": " + point.name;
  for (std::size_t i = 1; i < files.size(); ++i) {
    auto more = read_input(files[i], options);
    for (auto& point : more.points) {
      point.name = name_of(files[i]) + ": " + point.name, point.family = name_of(files[i]) + ": " + point.family;
      all.points.push_back(std::move(point));
    }
    for (auto& warning : more.warnings) all.warnings.push_back(std::move(warning));
  }
  if (!ceilings.empty()) {
    const auto earlier = roofs_of_rows(ceilings);
    const auto other = earlier ? *earlier : read_input(ceilings, options);
    if (other.roofline.empty()) throw std::invalid_argument(ceilings + ": has no ceilings");
    all.roofline = other.roofline, all.ceilings_origin = {CeilingsOrigin::Kind::imported, origin_text(ceilings, other)};
    // Origins of imported points stand where a machine's name would.
    if (all.machine.fingerprint.empty()) all.machine = other.machine, all.date = other.date;
    // A foreign file does not say how many threads its rows had.
    for (auto& point : all.points)
      if (point.counts.operations_source == Source::imported) point.threads = other.roofline.threads();
  }
  auto with_opinions = all.roofline.ceilings();
  for (const auto& file : opinions)
    for (auto& ceiling : parse_second_opinion(read_file(file), file)) {
      ceiling.threads = all.roofline.threads();
      with_opinions.push_back(std::move(ceiling));
    }
  all.roofline = Roofline(std::move(with_opinions), all.roofline.threads());
  conclude(all);
  return all;
}

}  // namespace roofline::cli
