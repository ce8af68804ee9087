// Made-up runs for the browser test: samples DIR writes run.json, page and plots of each into a folder of its own.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/run/reports.hpp"
#include "bench/run/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tests/full_results.hpp"

namespace roofline {
namespace {

/// As many points as the largest run has.
Results many() {
  auto results = example::full_results();
  const auto once = results.points;
  for (std::size_t i = 0; results.points.size() < 500; ++i) {
    auto point = once[i % once.size()];
    point.name += "/again:1";
    point.time.median *= 1.03, point.time.low *= 1.03, point.time.high *= 1.03;
    results.points.push_back(std::move(point));
  }
  conclude(results);
  return results;
}

/// Names that would be markup, formulas or control sequences if they were not escaped.
Results hostile() {
  auto results = example::results(false);
  const char* const names[] = {"<script>window.injected=1</script>",
                               "</script><script>window.injected=1</script>",
                               "<img src=x onerror=window.injected=1>",
                               "a\"b'c`d|e&amp;f<!--",
                               "[x](javascript:alert(1))",
                               "\x1b[31mred\nsecond line",
                               "\xff\xfe not UTF-8",
                               "${window.injected=1}"};
  for (std::size_t i = 0; i < std::size(names); ++i) results.points[i].name = results.points[i].family + "/" + names[i];
  results.points[9].family = "<b>family</b>";
  results.machine.name = "</title><script>window.injected=1</script>";
  results.warnings = {"<script>window.injected=1</script>"};
  conclude(results);
  return results;
}

/// A device that is not there.
Results modelled() {
  auto results = example::results(false);
  results.model = ModelledRun{"v100", "Tesla V100 16 GB, 80 SMs, 1.53 GHz", "be86176160fbc8d9", true, {{"SMs", "80"}}};
  for (auto& point : results.points) point.bound_by = "DRAM";
  conclude(results);
  return results;
}

void write(const std::filesystem::path& folder, const Results& results) {
  std::filesystem::create_directories(folder);
  nlohmann::ordered_json document;
  document["roofline"] = stored_run(results);
  write_file(folder / "run.json", document.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  for (const auto& [name, content] : reports().files) write_file(folder / name, content(results));
}

}  // namespace
}  // namespace roofline

int main(int argc, char** argv) {
  using namespace roofline;
  if (argc != 2) return 2;
  const std::filesystem::path out(argv[1]);
  write(out / "default", example::results(true));
  write(out / "full", example::full_results());
  write(out / "many", many());
  write(out / "model", modelled());
  write(out / "hostile", hostile());
  Results nothing;
  conclude(nothing);
  write(out / "empty", nothing);
}
