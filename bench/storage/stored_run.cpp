#include "bench/storage/stored_run.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/result/results.hpp"
#include "bench/storage/json_fields.hpp"
#include "bench/storage/run_fields.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"

namespace roofline {
namespace {

using stored::BadField;
using stored::Json;
using stored::Reader;
using stored::Writer;

/// Files were written with these among the details.
void take_from_details(Counts& counts) {
  const auto take = [&](const char* key) {
    const auto detail = counts.details.extract(key);
    return detail.empty() ? std::nullopt : std::optional(detail.mapped());
  };
  if (const auto instructions = take("counted_instructions")) counts.instructions = instructions;
  if (const auto cycles = take("counted_cycles")) counts.cycles = cycles;
  take("instructions_per_cycle");
}

/// Samples come in the order of their rounds; whoever counts rounds relies on it.
void require_rounds(const Results& results) {
  constexpr int most = 1'000'000;
  for (std::size_t i = 0; i < results.points.size(); ++i) {
    int last = 0;
    for (const auto& sample : results.points[i].samples) {
      if (sample.round < last || sample.round >= most)
        throw BadField(fmt::format("/roofline/points/{}/times", i),
                       fmt::format("rounds from 0 on, in order, are expected, one is {}", sample.round));
      last = sample.round;
    }
  }
}

/// A share of the lines that are overwritten; rates of ceilings follow from it.
void require_stores(const std::optional<StorePolicy>& stores) {
  if (!stores) return;
  const double most = stores->outcome == StorePolicy::Outcome::evades ? 1 : 0;
  if (!(stores->evaded >= 0 && stores->evaded <= most))
    throw BadField("/roofline/stores/evaded", fmt::format("0 to {} is expected", most));
}

}  // namespace

Json stored_run(const Results& results) {
  Json run = {{"schema", run_schema}};
  run.update(Writer::write(results));
  if (results.points.empty()) run["points"] = Json::array();  // the one list that every reader looks for
  return run;
}

std::string run_json(const std::string& google_benchmark, const Results& results,
                     const std::map<std::string, std::string>& context) {
  const auto text = [](const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
  };
  const auto block = text(stored_run(assessed(results)), 2);
  if (google_benchmark.empty())
    return fmt::format("{{\n\"context\": {},\n\"benchmarks\": [],\n\"roofline\": {}\n}}\n", text(context, 2), block);
  // Its text stays as the library wrote it; ours goes behind the beginning of the context, and before the end.
  constexpr std::string_view beginning = "\"context\": {";
  const auto entries = google_benchmark.find(beginning) + beginning.size(), end = google_benchmark.rfind('}');
  std::string more;
  for (const auto& [key, value] : context) more += fmt::format("\n    {}: {},", text(key), text(value));
  return google_benchmark.substr(0, entries) + more + google_benchmark.substr(entries, end - entries) +
         ",\n\"roofline\": " + block + "\n}\n";
}

Results parse_run(std::string_view text, const std::string& origin) { return run_of(parse_json(text, origin), origin); }

Results run_of(const Json& document, const std::string& origin) {
  const auto run = document.is_object() ? document.find("roofline") : document.end();
  if (!document.is_object() || run == document.end())
    throw FileError(fmt::format(
        "{}: /roofline is missing: not the run.json of this suite, or of a version before it was stored there",
        origin));
  try {
    Results results;
    Reader reader(*run, "/roofline");
    int version = 0;
    reader.must("schema", version, "the version of the block");
    if (version < 1 || version > run_schema)
      throw BadField("/roofline/schema", fmt::format("version {}, this program reads 1 to {}", version, run_schema));
    fields(reader, results);
    if (bool complete = true; version < 3) reader("complete", complete, ""), results.interrupted = !complete;
    for (auto& point : results.points) take_from_details(point.counts);
    require_rounds(results), require_stores(results.stores);
    assess(results);
    // Version 1 has no probes: its shares are as that program found them.
    for (std::size_t i = 0; version == 1 && i < results.points.size(); ++i)
      Reader::read((*run)["points"][i], fmt::format("/roofline/points/{}", i), results.points[i].assessment);
    return results;
  } catch (const BadField& bad) {
    throw FileError(fmt::format("{}: {}", origin, bad.what()));
  }
}

std::filesystem::path run_file(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::is_directory(path, none)) return path;
  const auto file = (path / "run.json").lexically_normal();
  if (!std::filesystem::exists(file, none))
    throw FileError(
        fmt::format("{}: this folder has no run.json; name a file, or the folder that a run wrote", path.string()));
  return file;
}

Results read_run(const std::filesystem::path& path) {
  const auto file = run_file(path);
  return parse_run(read_plain_text(file), file.string());
}

}  // namespace roofline
