#include "bench/any_program/runs.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include "bench/machine/own_program.hpp"
#include "bench/text/format.hpp"
#include "bench/text/output.hpp"

namespace roofline::any_program {
namespace {

constexpr std::size_t most_output = std::size_t{64} << 20;

/// In front of what the user has preloaded.
std::string with_users(const std::string& preloaded) {
  const char* const users = std::getenv("LD_PRELOAD");
  return users && *users ? preloaded + ":" + users : preloaded;
}

std::string caches_option(const std::vector<CacheLevel>& caches) {
  std::string text;
  for (const auto& cache : caches)
    text +=
        fmt::format("{}{}:{}:{}:{}", text.empty() ? "" : "+", name(cache.level), cache.size, cache.ways, cache.line);
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// Asks the program to end, once, and makes it when it does not.
class Stop {
 public:
  explicit Stop(std::filesystem::path file) : file_(std::move(file)) {}
  void ask(double now) {
    constexpr double grace_seconds = 10;
    if (asked_ < 0) asked_ = now, std::ofstream(file_) << "\n";
    if (now - asked_ > grace_seconds) signal_running(SIGKILL);
  }
  bool asked() const { return asked_ >= 0; }

 private:
  std::filesystem::path file_;
  double asked_ = -1;
};

}  // namespace

namespace fs = std::filesystem;

Workplace::Workplace() {
  auto pattern = (fs::temp_directory_path() / "roofline-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw FileError(fmt::format("{}: {}", pattern, std::strerror(errno)));
  path_ = pattern;
}

Workplace::~Workplace() {
  std::error_code none;
  fs::remove_all(path_, none);
}

fs::path installed_folder() { return (own_program().parent_path() / ".." / "lib" / "roofline").lexically_normal(); }

Runner make_runner(const fs::path& folder) {
  Runner runner;
  runner.folder = folder, runner.input = "/dev/null";
  runner.counts = installed_folder() / "roofline_count";
  runner.sampler = installed_folder() / "libroofline_sampler.so";
  runner.markers = installed_folder() / "libroofline_markers.so";
  if (!fs::exists(runner.counts))
    throw NotInstalled(fmt::format("there is no {}: install the packages libzydis-dev and libdw-dev, and build again",
                                   runner.counts.string()));
  return runner;
}

NativeRun run_natively(const Runner& runner, const ProgramFile& program, bool show) {
  NativeRun run;
  std::unique_ptr<PerfSampler> perf;
  Launch launch;
  launch.file = program.path, launch.name = runner.name, launch.arguments = runner.arguments;
  launch.in = runner.input, launch.out = runner.folder / "native.txt", launch.show_output = show;
  // For tests: as if the kernel did not allow them.
  const bool may_perf = !std::getenv("ROOFLINE_NO_PERF_EVENTS") && PerfSampler::attach(::getpid());
  const bool may_preload = !may_perf && !program.is_static && !std::getenv("LD_PRELOAD");
  if (may_perf) launch.before = [&](pid_t child) { perf = PerfSampler::attach(child); };
  std::string preloaded = runner.with_regions ? runner.markers.string() : "";
  if (may_preload) preloaded += (preloaded.empty() ? "" : ":") + runner.sampler.string();
  if (!preloaded.empty())
    launch.environment = {{"ROOFLINE_SAMPLES", runner.folder.string()},
                          {"ROOFLINE_REGIONS_FILE", (runner.folder / "regions").string()},
                          {"LD_PRELOAD", with_users(preloaded)}};
  launch.meanwhile = [&](double) {
    if (perf) perf->drain();
    if (asked_to_stop()) signal_running(asked_to_stop());
  };
  run.ending = any_program::run(launch);
  run.samples = perf          ? perf->samples()
                : may_preload ? preloaded_samples(runner.folder, run.ending.user + run.ending.system)
                              : Samples{};
  // The kernel samples no thread that lives shorter than a period: the others stand for these.
  constexpr double all_but = 0.9;
  if (const auto count = static_cast<double>(run.samples.count());
      perf && count > 0 && count * run.samples.period < all_but * run.ending.user)
    run.samples.period = run.ending.user / count;
  run.regions = read_region_times(runner.folder / "regions");
  run.output = read_file(launch.out, most_output);
  return run;
}

CountedProgram run_counted(const Runner& runner, const ProgramFile& program, const CountingChoice& choice) {
  CountedProgram run;
  Launch launch;
  launch.file = runner.counts, launch.name = runner.counts.string();
  launch.arguments = {"folder=" + runner.folder.string(),
                      "program=" + program.path.string(),
                      "caches=" + caches_option(choice.caches),
                      fmt::format("sampled={}", choice.sampled ? 1 : 0),
                      "by=" + choice.by,
                      "only=" + choice.only,
                      fmt::format("libraries={}", choice.libraries ? 1 : 0),
                      "--",
                      runner.name};
  launch.arguments.insert(launch.arguments.end(), runner.arguments.begin(), runner.arguments.end());
  if (runner.with_regions)
    launch.environment = {{"LD_PRELOAD", with_users(runner.markers.string())},
                          {"ROOFLINE_LINES_FILE", (runner.folder / "regions").string()}};
  launch.in = runner.input, launch.out = runner.folder / "counted.txt", launch.error = runner.folder / "errors.txt";
  Stop stop(runner.folder / "stop");
  Progress progress;
  double shown = 0;
  launch.meanwhile = [&](double now) {
    if (asked_to_stop() || (choice.most_seconds > 0 && now > choice.most_seconds)) stop.ask(now);
    constexpr double seconds_between = 2;
    if (now - shown < seconds_between) return;
    shown = now;
    progress.show("counting, since " + duration(now));
  };
  run.ending = any_program::run(launch);
  run.stopped = stop.asked();
  run.counted = read_counts(runner.folder);
  run.output = read_file(launch.out, most_output), run.complaints = read_file(launch.error, most_output);
  return run;
}

std::optional<std::string> other_result(const std::string& native, const std::string& again,
                                        const std::string& counted) {
  const auto first = lines_of(native), second = lines_of(again), third = lines_of(counted);
  for (std::size_t i = 0; i < std::max(first.size(), third.size()); ++i) {
    const auto at = [i](const auto& lines) { return i < lines.size() ? lines[i] : std::string(); };
    if (at(first) == at(second) && at(first) != at(third)) return at(third);
  }
  return std::nullopt;
}

}  // namespace roofline::any_program
