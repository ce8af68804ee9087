#include "bench/storage/stored_run.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/result/assess.hpp"
#include "bench/storage/json_fields.hpp"
#include "bench/storage/run_fields.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/text/plain_text.hpp"

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

void read_points(const Json& run, Results& results) {
  if (const auto points = run.find("points"); points != run.end())
    Reader::read(*points, "/roofline/points", results.points);
  for (auto& point : results.points) take_from_details(point.counts);
  std::vector<Ceiling> ceilings;
  int threads = 1;
  // Without ceilings the list is null, as everything that is empty.
  if (const auto list = run.find("ceilings"); list != run.end() && !list->is_null())
    Reader::read(*list, "/roofline/ceilings", ceilings);
  if (const auto number = run.find("threads"); number != run.end()) Reader::read(*number, "/roofline/threads", threads);
  results.roofline = Roofline(std::move(ceilings), threads);
}

}  // namespace

Json stored_run(const Results& results) {
  Json run = {{"schema", run_schema}};
  run.update(Writer::write(results));
  run["threads"] = results.roofline.threads();
  if (auto ceilings = Writer::write(results.roofline.ceilings()); !ceilings.is_null())
    run["ceilings"] = std::move(ceilings);
  auto points = Json::array();
  for (const auto& point : results.points) {
    auto json = Writer::write(point);
    json.update(Writer::write(point.assessment));
    points.push_back(std::move(json));
  }
  run["points"] = std::move(points);
  return run;
}

namespace {

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
    read_points(*run, results);
    require_rounds(results), require_stores(results.stores);
    assess(results);
    // Version 1 has no probes: its shares are as that program found them.
    if (const auto points = run->find("points"); version == 1 && points != run->end())
      for (std::size_t i = 0; i < results.points.size(); ++i)
        Reader::read((*points)[i], fmt::format("/roofline/points/{}", i), results.points[i].assessment);
    return results;
  } catch (const BadField& bad) {
    throw FileError(fmt::format("{}: {}", origin, bad.what()));
  }
}

Results read_run(const std::filesystem::path& path) { return parse_run(read_plain_text(path), path.string()); }

std::vector<StoredField> stored_fields() {
  std::vector<StoredField> all;
  const auto add = [&](const stored::Describer& describer) {
    for (const auto& [pointer, meaning] : describer.all()) all.push_back({pointer, meaning});
  };
  stored::Describer run, ceiling("/ceilings/*"), point("/points/*");
  Results results;
  Ceiling one_ceiling;
  KernelPoint one_point;
  Assessment assessment;
  fields(run, results), fields(ceiling, one_ceiling), fields(point, one_point), fields(point, assessment);
  all.push_back({"/schema", "version of this block"});
  add(run);
  all.push_back({"/threads", "of the roofs: only kernels with as many are compared with them"});
  all.push_back({"/ceilings", "every ceiling of the run, roofs and others"});
  add(ceiling);
  all.push_back({"/points", "every kernel that has a result"});
  add(point);
  return all;
}

}  // namespace roofline
