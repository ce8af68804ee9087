#include "tools/roofline/inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

#include "bench/model/assessment.hpp"
#include "bench/result/results.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/format.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"
#include "reporters/files/imported.hpp"
#include "reporters/imports/input.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/portability.hpp"
#include "tools/roofline/join_halves.hpp"
#include "tools/roofline/machines.hpp"

namespace roofline::cli {
namespace {

/// The folders of a file, outermost first, and its own name where that is not run.json.
std::vector<std::string> parts_of(const std::string& file) {
  const auto path = std::filesystem::absolute(run_file(file)).lexically_normal();
  std::vector<std::string> parts;
  for (const auto& part : path.parent_path()) parts.push_back(part.string());
  if (path.stem() != "run") parts.push_back(path.stem().string());
  return parts;
}

/// Short names that tell files apart: the innermost part of the path in which any two of them differ, with the parts
/// before it where two would have one name. a/out/run.json and b/out/run.json are "a" and "b".
std::vector<std::string> names_of(const std::vector<std::string>& files) {
  std::vector<std::vector<std::string>> parts;
  for (const auto& file : files) parts.push_back(parts_of(file));
  const auto all_end_alike = [&] {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const auto& p) { return p.size() > 1 && p.back() == parts.front().back(); });
  };
  const bool are_apart = std::any_of(parts.begin(), parts.end(), [&](const auto& p) { return p != parts.front(); });
  while (are_apart && all_end_alike())
    for (auto& p : parts) p.pop_back();
  std::vector<std::string> names;
  for (auto& p : parts) {
    names.push_back(p.back());
    p.pop_back();
  }
  const auto is_taken = [&](std::size_t i) { return std::count(names.begin(), names.end(), names[i]) > 1; };
  for (bool longer = true; longer;) {
    std::vector<std::size_t> unclear;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (is_taken(i) && !parts[i].empty()) unclear.push_back(i);
    for (const auto i : unclear) {
      names[i] = parts[i].back() + "/" + names[i];
      parts[i].pop_back();
    }
    longer = !unclear.empty();
  }
  return names;
}

/// The title and the date of several runs: each value once if all agree, else each with the run's name.
std::string joined(const std::vector<std::string>& values, const std::vector<std::string>& names) {
  if (std::all_of(values.begin(), values.end(), [&](const auto& value) { return value == values.front(); }))
    return values.front();
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", values[i].empty() ? "unknown" : values[i], names[i]);
  return text;
}

/// Whether roofs of so many threads bound a point: at least arithmetic and the outermost level that it uses.
bool bounds(const Roofline& roofline, int threads, const KernelPoint& point) {
  const Roofline of(roofline.ceilings(), threads);
  const auto level = outermost_level(point.counts);
  const auto& counts = point.counts;
  return of.compute(Operation::fma, counts.knows_precision() ? counts.precision : "fp64") &&
         (!level || of.bandwidth(*level));
}

std::string names_of(const std::vector<const KernelPoint*>& points) {
  std::string names;
  for (std::size_t i = 0; i < points.size() && i < 3; ++i) names += (i ? ", " : "") + points[i]->name;
  return points.size() > 3 ? fmt::format("{} and {} more", names, points.size() - 3) : names;
}

/// Gives imported points the threads whose roofs they are compared with: their own where there are such.
void choose_threads(Results& all, const std::string& roofs, bool silent, int wanted) {
  const int known = all.roofline.threads();
  std::vector<const KernelPoint*> others;
  for (auto& point : all.points) {
    if (point.counts.operations_source != Source::imported) continue;
    const int own = wanted > 0 ? wanted : point.threads;
    const bool has_own = own > 0 && !silent && bounds(all.roofline, own, point);
    if (own > 0 && !has_own && own != known && !all.roofline.empty()) others.push_back(&point);
    point.threads = has_own || (own > 0 && all.roofline.empty()) ? own : known;
  }
  if (!others.empty())
    all.warnings.push_back(fmt::format("{}: compared with the roofs of {} {}, which has none of their threads",
                                       names_of(others), silent ? "the whole machine of" : threads_text(known) + " of",
                                       roofs));
}

/// Rows of one name are numbered: nothing else would tell them apart.
void tell_apart(Results& all) {
  std::map<std::string, int> rows;
  std::set<std::string> twice;
  for (auto& point : all.points)
    if (const int same = ++rows[point.name]; same > 1 && point.counts.operations_source == Source::imported)
      twice.insert(point.name), point.name += fmt::format(" #{}", same);
  if (!twice.empty())
    all.warnings.push_back(fmt::format("{}: several rows have this name, and get a number", fmt::join(twice, ", ")));
}

/// A stored run brings along what was said when it was imported, which is found again.
void say_once(std::vector<std::string>& warnings) {
  std::vector<std::string> once;
  for (auto& warning : warnings)
    if (std::find(once.begin(), once.end(), warning) == once.end()) once.push_back(std::move(warning));
  warnings = std::move(once);
}

/// Adds warnings about the assessment of imported points.
void say_doubts(Results& all, bool precision_given) {
  std::vector<const KernelPoint*> unknown, above;
  std::map<MemoryLevel, std::vector<const KernelPoint*>> without_roof;
  std::string guessed;
  for (const auto& point : all.points) {
    const auto& counts = point.counts;
    if (counts.operations_source != Source::imported || counts.operations.flops() == 0) continue;
    if (!counts.knows_precision()) unknown.push_back(&point);
    if (!precision_given && counts.traffic_note.find(by_name) != std::string::npos)
      guessed += fmt::format("{}{} as {}", guessed.empty() ? "" : ", ", point.name, counts.precision);
    if (above_roof(point.assessment)) above.push_back(&point);
    for (const auto level : memory_levels)
      if (counts.at(level) && counts.at(level)->total() > 0 && !all.roofline.empty() && !all.roofline.bandwidth(level))
        without_roof[level].push_back(&point);
    if (!all.roofline.empty() && counts.knows_precision() && !all.roofline.compute(Operation::fma, counts.precision))
      all.warnings.push_back(
          fmt::format("{}: the roofs have none for its precision ({})", point.name, counts.precision));
  }
  for (const auto& [level, points] : without_roof)
    all.warnings.push_back(fmt::format("{}: there is no roof for the bytes of {}: {}", names_of(points), name(level),
                                       points.front()->assessment.roof ? "judged by the others" : "not judged"));
  if (!guessed.empty())
    all.warnings.push_back(fmt::format("precision taken from the name: {}; --precision says otherwise", guessed));
  if (!unknown.empty()) {
    std::string roofs;
    for (const auto* const precision : {"fp64", "fp32"})
      if (const auto* const roof = all.roofline.compute(Operation::fma, precision))
        roofs += fmt::format("{}{} {} GFLOP/s", roofs.empty() ? " (" : ", ", precision, significant(giga(roof->rate)));
    all.warnings.push_back(fmt::format(
        "{}: precision is not known, so both roofs{} are kept in view and there is no percentage where they "
        "differ; --precision=fp64 or fp32 says it",
        names_of(unknown), roofs.empty() ? "" : roofs + ")"));
  }
  for (const auto* const point : above) {
    // A kernel of unknown precision may have no roof, but it keeps resources busy.
    const auto &roof = point->assessment.roof, &mix = point->assessment.mix;
    const auto& highest = roof && roof->efficiency > at_roof_limit ? *roof : *mix;
    all.warnings.push_back(
        fmt::format("{}: {} % of {}, which is impossible; check the assumed level (--level), precision (--precision), "
                    "unit and number of threads",
                    point->name, percent(highest.efficiency), name(highest.bound)));
  }
}

}  // namespace

void Inputs::define(CLI::App& flags) {
  flags.add_option("FILE", files, input_formats())->required();
  flags.add_option("--ceilings", ceilings, "take the roofs from this file")->type_name("FILE");
  flags
      .add_option("--external-ceilings", external,
                  "show ceilings of another tool next to the roofs: CARM or rocprof CSV, STREAM, "
                  "TheBandwidthBenchmark or likwid-bench output, nvbench JSON, BabelStream CSV")
      ->type_name("FILE");
  flags.add_option("--levels", options.levels, "levels of ERT's roofline.json, near to far: L2,DRAM")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  flags.add_option("--flops", options.flops, "counter of Google Benchmark's JSON or CSV that holds FLOPs")
      ->type_name("COUNTER");
  flags.add_option("--bytes", options.bytes, "counter that holds bytes")->type_name("COUNTER");
  flags.add_option("--flops-unit", options.flops_unit, "its unit, where its name has none: GFLOP/s")->type_name("UNIT");
  flags.add_option("--bytes-unit", options.bytes_unit, "the same of --bytes: GB/s, MB")->type_name("UNIT");
  flags
      .add_option("--level", options.level,
                  "level of the bytes, or of the bandwidths of --external-ceilings; else DRAM, or a level that fits")
      ->type_name("LEVEL");
  flags.add_option("--precision", options.precision, "precision of imported points; else as in the file")
      ->check(CLI::IsMember({"fp64", "fp32", "fp16"}));
  flags.add_option("--threads", threads, "run with the roofs for imported points")
      ->type_name("N")
      ->check(between(1, 1 << 20));
  flags
      .add_option_function<std::string>(
          "--decimal", [this](const std::string& form) { options.decimal = form == "comma" ? ',' : '.'; },
          "how the numbers of a file are written; else they tell")
      ->check(CLI::IsMember({"point", "comma"}));
  flags.add_flag("--per-iteration", options.per_iteration, "the counters are of one iteration, not per second");
}

std::vector<Results> Inputs::read_each() const {
  std::vector<Results> all;
  for (const auto& file : files) all.push_back(read_input(file, options));
  return all;
}

Results Inputs::read() const {
  auto each = read_each();
  auto names = files;
  if (each.size() > most_apart && ceilings.empty() && are_alike(each)) {
    each = {many_machines(std::move(each))};
    names.resize(1);
  }
  join_halves(each, names);
  const auto with_points = std::count_if(each.begin(), each.end(), [](const auto& r) { return !r.points.empty(); });
  const auto short_names = names_of(names);
  std::vector<std::string> machine_names, dates;
  for (std::size_t i = 0; i < names.size() && with_points > 1; ++i) {
    machine_names.push_back(each[i].machine.name);
    dates.push_back(each[i].date);
    // Rows of one family stay together: a plot of the family shows what differs between the runs.
    for (auto& point : each[i].points) point.name = short_names[i] + ": " + point.name;
  }
  auto all = std::move(each.front());
  if (with_points > 1) {
    all.machine.name = joined(machine_names, short_names);
    all.date = joined(dates, short_names);
    if (all.ceilings_origin.kind != CeilingsOrigin::Kind::none)
      all.ceilings_origin.text += fmt::format(" ({})", short_names.front());
  }
  for (std::size_t i = 1; i < names.size(); ++i) {
    for (auto& point : each[i].points) all.points.push_back(std::move(point));
    for (auto& warning : each[i].warnings) all.warnings.push_back(std::move(warning));
    for (auto& failure : each[i].failures) all.failures.push_back(std::move(failure));
    all.interrupted = all.interrupted || each[i].interrupted;
  }
  tell_apart(all);
  std::string roofs = names.front();
  // A file of roofs that does not say how many threads they have.
  bool silent = all.ceilings_origin.kind == CeilingsOrigin::Kind::described && all.roofline.threads() == 1;
  if (!ceilings.empty()) {
    const auto earlier = roofs_of_rows(ceilings);
    const auto other = earlier ? *earlier : read_input(ceilings, options);
    if (other.roofline.empty()) throw std::invalid_argument(ceilings + ": has no ceilings");
    const bool is_described = other.ceilings_origin.kind == CeilingsOrigin::Kind::described;
    silent = is_described && other.roofline.threads() == 1;
    // A run's warnings are about its own rows.
    if (is_described) all.warnings.insert(all.warnings.end(), other.warnings.begin(), other.warnings.end());
    all.roofline = other.roofline, all.ceilings_origin = {CeilingsOrigin::Kind::imported, origin_text(ceilings, other)};
    // Origins of imported points stand where a machine's name would.
    if (all.machine.fingerprint.empty()) all.machine = other.machine, all.date = other.date;
    roofs = ceilings;
  }
  for (auto& point : all.points)
    if (!options.precision.empty() && point.counts.operations_source == Source::imported)
      point.counts.precision = options.precision;
  choose_threads(all, roofs, silent, threads);
  auto with_external = all.roofline.ceilings();
  for (const auto& file : external) {
    OpinionOptions how{level_wanted(options), {}};
    for (auto& ceiling : parse_external_ceilings(read_plain_text(file), file, how)) {
      ceiling.threads = all.roofline.threads();
      const auto* const roof =
          ceiling.kind == Ceiling::Kind::bandwidth ? all.roofline.bandwidth(ceiling.level) : nullptr;
      constexpr double far_above = 1.3;
      if (roof && ceiling.rate > far_above * roof->rate)
        how.warnings.push_back(
            fmt::format("{}: {} is {} times the roof of {}, so it is from a cache, or from another machine", file,
                        ceiling.label, significant(ceiling.rate / roof->rate), name(ceiling.level)));
      with_external.push_back(std::move(ceiling));
    }
    all.warnings.insert(all.warnings.end(), how.warnings.begin(), how.warnings.end());
  }
  for (const auto& machine : machines)
    for (auto& roof : roofs_of_machine(machine)) {
      roof.threads = all.roofline.threads();
      with_external.push_back(std::move(roof));
    }
  all.roofline = Roofline(std::move(with_external), all.roofline.threads());
  assess(all);
  say_doubts(all, !options.precision.empty());
  say_once(all.warnings);
  return all;
}

}  // namespace roofline::cli
