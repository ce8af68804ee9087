#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "bench/any_program/runs.hpp"
#include "bench/machine/clock.hpp"
#include "bench/text/output.hpp"
#include "reporters/comparison/outputs.hpp"
#include "tools/roofline/ab_runs.hpp"
#include "tools/roofline/gate_flags.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::ab_command {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string base, next, control, filter, keep;
  int pairs = 0;
  double budget = 600, timeout = 1800;
  GateFlags flags;
};

/// The runs of one comparison, in ABBA order.
class Trial {
 public:
  Trial(const Arguments& arguments, const fs::path& folder)
      : arguments_(arguments), base_(arguments.base, folder, 'a'), next_(arguments.next, folder, 'b') {
    if (!arguments.control.empty()) control_.emplace(arguments.control, folder, 'c');
  }

  /// One more pair; `open` rows are undecided, -1: nobody has looked.
  void run_pair(int open) {
    const auto start = Clock::now();
    const bool forward = base_.runs() % 2 == 0;
    std::optional<Side> base, next, third;
    std::vector<std::pair<AbSide*, std::optional<Side>*>> order{{&base_, &base}, {&next_, &next}};
    if (control_) order.emplace_back(&*control_, &third);
    if (!forward) std::reverse(order.begin(), order.end());
    tell(open);
    for (const auto& [side, result] : order) {
      *result = side->run(arguments_.filter, arguments_.timeout);
      // Once is enough, because ceilings that could bind a row are sampled next to it in every run.
      if (side == &base_ && base_.runs() == 1) {
        base_.use_ceilings(base_.run_json()), next_.use_ceilings(base_.run_json());
        if (control_) control_->use_ceilings(base_.run_json());
      }
    }
    pairs_.push_back({std::move(*base), std::move(*next)});
    if (third) controls_.push_back(std::move(*third));
    last_pair_ = seconds_since(start);
  }

  const std::vector<SidePair>& pairs() const { return pairs_; }
  const std::vector<Side>& controls() const { return controls_; }

  double spent() const { return seconds_since(start_); }
  /// Whether another pair fits the budget; with --pairs their number decides.
  bool goes_on() const {
    if (arguments_.pairs) return base_.runs() < arguments_.pairs;
    return base_.runs() == 0 || spent() + last_pair_ <= arguments_.budget;
  }
  /// Removes the line of status.
  void clear_status() { progress_.clear(); }

 private:
  void tell(int open) {
    const double left = arguments_.pairs ? last_pair_ * (arguments_.pairs - base_.runs()) : arguments_.budget - spent();
    std::string line = fmt::format("pair {}", base_.runs() + 1);
    if (open >= 0) line += fmt::format(", {} rows open", open);
    if (left > 0) line += fmt::format(", at most {:.0f} s left", left);
    progress_.show(line);
  }

  const Arguments& arguments_;
  AbSide base_, next_;
  std::optional<AbSide> control_;
  std::vector<SidePair> pairs_;
  std::vector<Side> controls_;
  Clock::time_point start_ = Clock::now();
  double last_pair_ = 0;
  Progress progress_;
};

/// Verdicts after some of the pairs, and after the last.
class Looks {
 public:
  explicit Looks(ComparisonOptions options) : options_(std::move(options)) { options_.commands = true; }

  /// Each look takes half of the chance of a false verdict that the looks before it left, the last one all of it: so
  /// looking often does not find more.
  Comparison look(const Trial& trial, bool last) {
    auto options = options_;
    options.alpha = last ? left_ : left_ / 2;
    left_ -= options.alpha;
    looked_at_ = trial.pairs().size();
    options.row_floors = placement_floors(trial.pairs(), trial.controls());
    return compare(trial.pairs(), options);
  }
  /// Whether there is enough that is new: after 4 pairs, then with half as many again.
  bool is_due(const Trial& trial) const {
    const auto pairs = trial.pairs().size();
    return pairs >= pairs_that_tell_drift && 2 * pairs >= 3 * looked_at_;
  }
  std::size_t looked_at() const { return looked_at_; }

 private:
  ComparisonOptions options_;
  double left_ = options_.alpha;
  std::size_t looked_at_ = 0;
};

int decide(const Arguments& arguments, Trial& trial) {
  const bool exact_only = arguments.flags.gate == "exact";
  Looks looks(arguments.flags.options());
  std::optional<Comparison> latest;
  int signal = 0;
  std::string failed;
  try {
    while (trial.goes_on()) {
      trial.run_pair(latest ? open_rows(*latest) : -1);
      if (exact_only && arguments.pairs == 0) break;
      if (arguments.pairs || !looks.is_due(trial)) continue;
      latest = looks.look(trial, !trial.goes_on());
      if (open_rows(*latest) == 0) break;
    }
  } catch (const Interrupted& interrupt) {
    signal = interrupt.signal;
  } catch (const FileError& failure) {
    if (trial.pairs().empty()) throw;
    failed = failure.what();
  }
  trial.clear_status();
  const auto pairs = trial.pairs().size();
  if (pairs == 0) return 128 + signal;
  if (!latest || looks.looked_at() != pairs) latest = looks.look(trial, true);
  latest->notes.push_back(fmt::format("{} pairs of runs, base new new base ..., took {:.0f} s", pairs, trial.spent()));
  if (signal)
    latest->notes.push_back("interrupted: the pair that ran then is left out");
  else if (!failed.empty())
    latest->notes.push_back("ended by a failed run; its pair is left out: " + failed);
  else if (const int open = open_rows(*latest); open && !arguments.pairs && !exact_only)
    latest->notes.push_back(fmt::format("{} rows are open: the budget of {:.0f} s is spent", open, arguments.budget));
  const int code = arguments.flags.finish(*latest);
  return signal ? 128 + signal : failed.empty() ? code : exit_io;
}

int run(const Arguments& arguments) {
  arguments.flags.require_writable_files();
  const any_program::Workplace unkept;
  const auto folder = arguments.keep.empty() ? unkept.path() : fs::absolute(arguments.keep);
  if (fs::exists(folder / "a"))
    throw std::invalid_argument(arguments.keep + ": holds the runs of an earlier ab; --keep takes another folder");
  if (!arguments.keep.empty()) require_writable(folder / "a");
  Trial trial(arguments, folder);
  any_program::catch_stops();
  return decide(arguments, trial);
}

void define(CLI::App& flags, Arguments& arguments) {
  flags.add_option("--base", arguments.base, "program and flags of the base, quoted as one word")
      ->required()
      ->type_name("CMD");
  flags.add_option("--new", arguments.next, "command of the new side; the same flags")->required()->type_name("CMD");
  flags
      .add_option("--control", arguments.control,
                  "a second build of the base with a different link order; a difference between the two is noise")
      ->type_name("CMD");
  flags.add_option("--budget", arguments.budget, "stop when this is spent: 600, 90s, 10min, 1h")
      ->transform(as_seconds())
      ->check(between(1, 1e6))
      ->default_str("10min");
  flags
      .add_option("--pairs", arguments.pairs,
                  "exactly so many pairs of runs, whatever they say and however long they take")
      ->check(between(1, 200));
  flags.add_option("--filter", arguments.filter, "run only rows that match: becomes --benchmark_filter of both")
      ->type_name("REGEX");
  flags.add_option("--timeout", arguments.timeout, "seconds after which one run is stopped")
      ->check(between(1, 1e6))
      ->capture_default_str();
  flags.add_option("--keep", arguments.keep, "keep every run in this folder")->type_name("DIR");
  arguments.flags.define(flags);
  flags.footer(
      "Runs both programs alternately on this machine (base new new base ...) until every row is decided or the budget "
      "is spent; with --gate=exact once, because counts do not vary.\nExample: roofline ab "
      "--base='base/bin/roofline_bench --quick' "
      "--new='build/release/bin/roofline_bench --quick' --filter=stencil --budget=10min --markdown=comment.md");
}

const Subcommand registered("ab", "run two builds alternately on this machine until the changes are decided", define,
                            run);

}  // namespace
}  // namespace roofline::cli::ab_command
