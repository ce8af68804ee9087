#include "reporters/comparison/side.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "bench/run/stored_run.hpp"
#include "bench/text/json_reader.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/text/plain_text.hpp"

namespace roofline {
namespace {

void read_context(const nlohmann::ordered_json& document, Side& side) {
  const JsonReader reader(document, side.origin);
  if (!reader.has("context")) return;
  const auto context = reader.at("context");
  side.fingerprint = context.text("fingerprint").value_or("");
  side.model_hash = context.text("model_hash").value_or("");
  side.compiler = context.text("compiler").value_or("");
  side.suite_version = context.text("suite_version").value_or("");
}

void require_unique(const Side& side) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < side.results.points.size(); ++i)
    if (!names.insert(side.results.points[i].name).second)
      throw FileError(fmt::format("{}: /roofline/points/{}/name: '{}' is given twice", side.origin, i,
                                  side.results.points[i].name));
}

}  // namespace

Side parse_side(std::string_view text, const std::string& origin) {
  Side side;
  side.origin = origin;
  const auto document = parse_json(text, origin);
  side.results = run_of(document, origin);
  read_context(document, side);
  require_unique(side);
  if (side.fingerprint.empty()) side.fingerprint = side.results.machine.fingerprint;
  if (side.results.model) side.model_hash = side.results.model->hash;
  return side;
}

Side read_side(const std::filesystem::path& path) { return parse_side(read_plain_text(path), path.string()); }

}  // namespace roofline
