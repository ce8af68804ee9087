#include "bench/any_program/program_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/any_program/program_file.hpp"
#include "bench/any_program/readable.hpp"

namespace roofline::any_program {
namespace {

constexpr double worth_mentioning = 0.1;

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Where a function stands, or a loop of it: "/loop@34" in "solve.f90:1" is solve.f90:34.
std::string place_of(const CountedFunction& function) {
  const auto line = function.loop.rfind('@'), colon = function.source.rfind(':');
  const bool is_known = line != std::string::npos && colon != std::string::npos && function.loop[line + 1] != '+';
  return is_known ? function.source.substr(0, colon + 1) + function.loop.substr(line + 1) : function.source;
}

/// Seconds in which at least one sample's period lay: threads side by side count once, one after another each.
double covered(std::vector<std::uint64_t> times, double period) {
  std::sort(times.begin(), times.end());
  const auto length = static_cast<std::uint64_t>(std::llround(1e9 * period));
  std::uint64_t sum = 0, end = 0;
  for (const auto time : times) {
    sum += std::min(length, time - std::min(time, end));
    end = time;
  }
  return 1e-9 * static_cast<double>(sum);
}

/// Rows under way. Two functions of one name in different files are two rows, and so are two instances of a template; a
/// compiler's parts of a function are that function.
class Rows {
 public:
  Rows(const CountedRun& counted, const RowChoice& choice)
      : choice_(choice), program_(counted.program), timed_(choice.timed.empty() ? counted.program : choice.timed) {
    for (const auto& function : counted.functions) {
      const auto key = key_of(function);
      auto& row = rows_[key];
      row.name = name_of(function), row.was_counted = true;
      const auto first = function.ranges.empty() ? 0 : function.ranges.front().first;
      if (row.source.empty() || first < first_[key]) row.source = place_of(function), first_[key] = first;
      if (row.counted.hottest.empty()) row.counted.hottest = function.hottest;
      row.counted.add(function);
      if (function.name.front() != '[')
        for (const auto& [from, to] : function.ranges) places_[function.module].push_back({key, from, to});
    }
    for (auto& [module, parts] : places_)
      std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
    if (program_ != timed_ || places_[program_].empty()) timed_symbols_ = symbols_of(timed_);
  }

  void add(const Samples::Place& place, const std::map<pid_t, std::uint64_t>& threads, const Samples& samples) {
    const auto key = key_at(place);
    auto& row = rows_[key];
    if (row.name.empty()) row.name = key;
    row.was_timed = true;
    for (const auto& [thread, number] : threads) {
      row.samples += number;
      threads_[key][thread] += static_cast<double>(number) * samples.period;
    }
    if (const auto times = samples.times.find(place); times != samples.times.end())
      times_[key].insert(times_[key].end(), times->second.begin(), times->second.end());
  }

  std::vector<ProgramRow> all(double period) {
    tell_apart();
    std::vector<ProgramRow> rows;
    for (auto& [key, row] : rows_) {
      for (const auto& [thread, seconds] : threads_[key]) {
        row.cpu_seconds += seconds;
        row.seconds = std::max(row.seconds, seconds);
      }
      // Threads that follow one another work as long as all of them together.
      if (const auto& times = times_[key]; !times.empty()) row.seconds = std::max(row.seconds, covered(times, period));
      if (choice_.cores > 0) row.seconds = std::max(row.seconds, row.cpu_seconds / choice_.cores);
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  static std::string file_of(const CountedFunction& function) {
    return function.source.substr(0, function.source.rfind(':'));
  }

  /// Compilers' parts of a function are that function; code without a name is the program's own rest.
  std::string name_of(const CountedFunction& function) const {
    if (function.module == program_ && function.name.front() != '[')
      return readable(function.name, function.source) + function.loop;
    if (function.module == program_ || function.module.empty()) return "[unknown]";
    if (!choice_.libraries || function.name.front() == '[') return file_name(function.module);
    return file_name(function.module) + ":" + readable(function.name, function.source) + function.loop;
  }

  /// The key of a row. It is not the name, which is shortened for tables.
  std::string key_of(const CountedFunction& function) const {
    const auto name = name_of(function);
    if (name == "[unknown]" || name == file_name(function.module)) return name;
    return name + "\n" + whole_name(function.name) + "\n" + file_of(function);
  }

  /// Adds to names that several rows have where these are: the line, else that of most FLOPs, else a number.
  void tell_apart() {
    const auto by = [&](auto addition) {
      std::map<std::string, std::vector<ProgramRow*>> of_name;
      for (auto& [key, row] : rows_) of_name[row.name].push_back(&row);
      for (const auto& [name, same] : of_name) {
        int number = 0;
        if (same.size() > 1)
          for (auto* const row : same) row->name += addition(*row, ++number);
      }
    };
    const auto in_brackets = [](const std::string& text) { return text.empty() ? text : " (" + text + ")"; };
    by([&](const ProgramRow& row, int) {
      return in_brackets(row.counted.hottest.empty() ? row.source : row.counted.hottest);
    });
    by([&](const ProgramRow&, int number) { return in_brackets(std::to_string(number)); });
  }

  std::string key_at(const Samples::Place& place) {
    const auto& [module, offset] = place;
    const bool own = module == timed_;
    if (const auto found = places_.find(module); found != places_.end() && (own || choice_.libraries))
      if (const auto* const part = symbol_at(found->second, offset)) return part->name;
    // "[vdso]", and "//anon" of code that the program made itself.
    if (!own) return !module.starts_with('/') || module.starts_with("//") ? "[unknown]" : file_name(module);
    if (timed_symbols_.empty()) timed_symbols_ = symbols_of(timed_);
    const auto* const symbol = symbol_at(timed_symbols_, offset);
    return symbol ? key_in_other_build(symbol->name) : "[unknown]";
  }

  /// The row of a function of another build, by its name. The body of a parallel region has its line in one build and
  /// its number in another.
  std::string key_in_other_build(const std::string& symbol) const {
    const auto name = readable(symbol, ""), whole = whole_name(symbol);
    const bool is_body = symbol.find("._omp_fn.") != std::string::npos;
    const auto begin = name.substr(0, name.find("/omp@"));
    for (const auto& [key, row] : rows_) {
      const bool same = row.name == name && key.find("\n" + whole + "\n") != key.npos;
      if (same || (is_body && row.name.starts_with(begin) && row.name.find("/omp@") != std::string::npos)) return key;
    }
    return name;
  }

  const RowChoice& choice_;
  std::string program_, timed_;
  std::map<std::string, ProgramRow> rows_;  ///< by key
  std::map<std::string, std::uint64_t> first_;
  std::map<std::string, std::vector<Symbol>> places_;  ///< by file: keys of rows
  std::map<std::string, std::map<pid_t, double>> threads_;
  std::map<std::string, std::vector<std::uint64_t>> times_;
  std::vector<Symbol> timed_symbols_;
};

void add(ProgramRow& to, const ProgramRow& row) {
  to.counted.add(row.counted);
  to.was_counted |= row.was_counted, to.was_timed |= row.was_timed;
  to.seconds += row.seconds, to.cpu_seconds += row.cpu_seconds;
  to.samples += row.samples, to.share += row.share;
}

/// The precision of nine tenths of the FLOPs; else there is none.
std::string precision_of(const CountedFunction& function) {
  const auto all = static_cast<double>(function.flops());
  constexpr double most = 0.9;
  for (const auto& [precision, operations] : function.operations)
    if (precision != "x87" && static_cast<double>(operations.flops()) >= most * all) return precision;
  return "unknown";
}

}  // namespace

int ProgramRow::threads() const {
  const auto& by = counted.instructions;
  if (by.empty()) return 1;
  const auto most = static_cast<double>(*std::max_element(by.begin(), by.end()));
  return static_cast<int>(std::count_if(by.begin(), by.end(), [&](std::uint64_t of_thread) {
    return of_thread > 0 && static_cast<double>(of_thread) >= worth_mentioning * most;
  }));
}

std::vector<ProgramRow> program_rows(const CountedRun& counted, const Samples& samples, const RowChoice& choice) {
  Rows rows(counted, choice);
  for (const auto& [place, threads] : samples.threads) rows.add(place, threads, samples);
  auto all = rows.all(samples.period);
  double time = 0, flops = 0, instructions = 0;
  for (const auto& row : all) {
    time += row.cpu_seconds;
    flops += static_cast<double>(row.counted.flops());
    instructions += static_cast<double>(row.counted.all_instructions());
  }
  std::vector<ProgramRow> shown;
  ProgramRow others;
  others.name = others_name;
  for (auto& row : all) {
    row.share = time > 0           ? row.cpu_seconds / time
                : instructions > 0 ? static_cast<double>(row.counted.all_instructions()) / instructions
                                   : 0;
    const bool computes = flops > 0 && static_cast<double>(row.counted.flops()) >= choice.least_share * flops;
    if (row.share >= choice.least_share || computes)
      shown.push_back(std::move(row));
    else
      add(others, row);
  }
  std::stable_sort(shown.begin(), shown.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  if (others.was_counted || others.was_timed) shown.push_back(std::move(others));
  return shown;
}

KernelPoint point_of(const ProgramRow& row, const std::string& program, const std::string& caches, int cores) {
  KernelPoint point;
  const auto& counted = row.counted;
  point.name = program + "/" + row.name;
  point.family = program;
  point.threads = std::clamp(row.threads(), 1, std::max(1, cores));
  auto& counts = point.counts;
  counts.precision = precision_of(counted);
  counts.operations_source = Source::emulated;
  for (const auto& [precision, operations] : counted.operations) {
    counts.operations += operations;
    if (operations.flops() > 0) counts.details["flops_" + precision] = static_cast<double>(operations.flops());
  }
  point.declared_flops = counts.operations.flops();
  for (const auto& [width, flops] : counted.by_width)
    counts.details["flops_" + (width == "scalar" ? width : width + "_bit")] = static_cast<double>(flops);
  if (counted.flops_below > 0) counts.details["flops_in_libraries"] = static_cast<double>(counted.flops_below);
  if (counted.other > 0) counts.details["operations_without_flops"] = static_cast<double>(counted.other);
  if (row.was_timed && !row.by_clock) counts.details["time_samples"] = static_cast<double>(row.samples);
  counts.details["share_of_time"] = row.share;
  counts.instructions = static_cast<double>(counted.all_instructions());
  if (counted.has_bytes && !counted.has_unknown_bytes()) {
    constexpr double next_to_nothing = 1e-3;
    const auto l1 = counted.bytes.find(MemoryLevel::L1);
    const double loaded = l1 == counted.bytes.end() ? 0 : l1->second.total();
    for (const auto& [level, bytes] : counted.bytes) {
      if (bytes.total() <= next_to_nothing * loaded) continue;
      counts.at(level) = bytes;
      if (const auto half = counted.half_widths.find(level); half != counted.half_widths.end())
        counts.range[static_cast<std::size_t>(level)] =
            Span{bytes.total() - half->second, bytes.total() + half->second};
    }
    counts.details["bytes_L1_local"] = counted.local;
    counts.traffic_source = Source::modelled, counts.modelled_device = "host";
    counts.traffic_note =
        caches + ", an equal share for each thread, no prefetch, without fetches of code" +
        (counted.half_widths.empty() ? "" : ", an eighth of the sets of each and windows of a long run");
    if (const auto& dram = counts.at(MemoryLevel::DRAM)) {
      counts.overwritten = counted.overwritten, counts.streamed = counted.streamed;
      counts.unpaired = std::max(0.0, dram->read - counted.paired);
    }
  }
  if (row.was_timed && row.seconds > 0) {
    // The error of n samples is the error of counting them: two standard deviations.
    constexpr double most = 0.99;  // four samples say hardly more than that there was some time
    const double error =
        row.by_clock ? 0 : std::min(most, 2 / std::sqrt(static_cast<double>(std::max<std::uint64_t>(1, row.samples))));
    point.time = {row.seconds, row.seconds * (1 - error), row.seconds * (1 + error)};
  }
  return point;
}

int threads_of(const Samples& samples, const Ending& native) {
  std::map<pid_t, double> threads;
  for (const auto& [place, by_thread] : samples.threads)
    for (const auto& [thread, number] : by_thread) threads[thread] += static_cast<double>(number);
  if (threads.empty())
    return std::max(1, static_cast<int>(std::lround((native.user + native.system) / std::max(1e-3, native.elapsed))));
  double most = 0;
  for (const auto& [thread, number] : threads) most = std::max(most, number);
  return static_cast<int>(std::count_if(threads.begin(), threads.end(),
                                        [&](const auto& t) { return t.second >= worth_mentioning * most; }));
}

}  // namespace roofline::any_program
