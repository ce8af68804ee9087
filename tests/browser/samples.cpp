// Made-up runs for the browser test: samples DIR writes run.json, page and plots of each into a folder of its own.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/result/reports.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "reporters/plots/plots.hpp"
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
  assess(results);
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
  // So slow that no resource has a share worth a bar.
  auto& slow = results.points[2].time;
  slow.median *= 1e5, slow.low *= 1e5, slow.high *= 1e5;
  results.machine.name = "</title><script>window.injected=1</script>";
  results.warnings = {"<script>window.injected=1</script>"};
  assess(results);
  return results;
}

/// A device that is not there.
Results modelled() {
  auto results = example::results(false);
  results.model = ModelledRun{"v100", "Tesla V100 16 GB, 80 SMs, 1.53 GHz", "be86176160fbc8d9", true, {{"SMs", "80"}}};
  for (auto& point : results.points) point.bound_by = MemoryLevel::DRAM;
  assess(results);
  return results;
}

void write(const std::filesystem::path& folder, const Results& results) {
  std::filesystem::create_directories(folder);
  nlohmann::ordered_json document;
  document["roofline"] = stored_run(results);
  write_file(folder / "run.json", document.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  for (const auto& [name, content] : reports().files) write_file(folder / name, content(results));
}

/// The run with one thread instead of two.
Results one_thread(Results results) {
  auto ceilings = results.roofline.ceilings();
  std::erase_if(ceilings, [](const Ceiling& c) { return c.threads != 2; });
  for (auto& ceiling : ceilings) ceiling.threads = 1, ceiling.rate *= 0.55;
  results.roofline = Roofline(std::move(ceilings), 1);
  for (auto& point : results.points) point.threads = 1, point.time.median *= 1.7;
  return results;
}

/// A GPU's rows with their instructions.
Results with_instructions(Results results) {
  results.model->warp_rate = 489.6e9;
  for (auto& point : results.points)
    point.counts.details["inst_executed"] = static_cast<double>(point.counts.operations.flops()) / 20 + 1e5;
  return results;
}

/// Pictures that a run does not write by itself, of the smallest and the largest run.
void write_views(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& [name, results] :
       {std::pair{"default", example::results(true)}, std::pair{"full", example::full_results()}}) {
    auto timed = results;
    timed.timer.empty_region = 7e-7;
    const auto file = [&](const char* view) { return folder / (std::string(name) + "-" + view + ".svg"); };
    write_file(file("time"), time_plot(timed));
    write_file(file("cache-aware"), cache_aware_plot(results));
    write_file(file("scaling"), scaling_plot({one_thread(results), results}));
  }
  write_file(folder / "model-instructions.svg", instruction_plot(with_instructions(modelled())));
  write_file(folder / "model-time.svg", time_plot(modelled()));
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
  write_views(out / "views");
  Results nothing;
  assess(nothing);
  write(out / "empty", nothing);
}
