#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/table.hpp"
#include "tools/roofline/gate_flags.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::baseline_command {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string folder, file;
  int stale_days = 90;
  GateFlags flags;
};

/// Days since an ISO 8601 date; absent if the text is not one.
std::optional<int> age_in_days(const std::string& date) {
  std::tm then{};
  if (!::strptime(date.c_str(), "%Y-%m-%dT%H:%M:%S", &then)) return std::nullopt;
  return static_cast<int>(std::difftime(std::time(nullptr), ::timegm(&then)) / 86400);
}

std::string age_text(const Side& side) {
  const auto days = age_in_days(side.results.date);
  return days ? fmt::format("{} day{}", *days, *days == 1 ? "" : "s") : "unknown";
}

/// The file for one machine and number of threads: 64 bits of FNV-1a of the facts that must be equal.
std::string file_name(const Side& side) {
  std::uint64_t hash = 14695981039346656037ull;
  const auto key =
      fmt::format("{}|{}|{}", side.fingerprint, side.results.machine.name, side.results.roofline.threads());
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return fmt::format("{:016x}.json", hash);
}

int save(const Arguments& arguments) {
  const auto text = read_file(arguments.file);
  const auto side = parse_side(text, arguments.file);
  if (side.results.interrupted) throw Inconclusive(arguments.file + ": an interrupted run cannot be a baseline");
  if (side.results.points.empty()) throw Inconclusive(arguments.file + ": has no row");
  const auto path = fs::path(arguments.folder) / file_name(side);
  require_writable(path);
  std::string replaced;
  if (fs::exists(path)) try {
      replaced = fmt::format(", which replaces one of {} ago", age_text(read_side(path)));
    } catch (const FileError&) {
      replaced = ", which replaces one that could not be read";
    }
  write_file(path, text);
  print(printable(fmt::format("baseline of {}: {}{}\n", side.fingerprint, path.string(), replaced)));
  return exit_ok;
}

int list(const Arguments& arguments) {
  Table table{"Baselines in " + arguments.folder, table_columns("<machine|rows|age|<state|<compiler|<file")};
  bool unreadable = false;
  for (const auto& path : files_in(arguments.folder, ".json")) try {
      const auto side = read_side(path);
      const auto days = age_in_days(side.results.date);
      const bool foreign = path.filename() != file_name(side);
      table.rows.push_back({{side.fingerprint, std::to_string(side.results.points.size()), age_text(side),
                             foreign                                 ? "not saved by this program"
                             : !days || *days > arguments.stale_days ? "stale"
                                                                     : "",
                             side.compiler, path.filename().string()}});
    } catch (const FileError& failure) {
      unreadable = true;
      table.notes.push_back(failure.what());
    }
  if (table.empty()) table.notes.push_back("none");
  print(printable(to_text(table, output_width())));
  return unreadable ? exit_io : exit_ok;
}

/// The baseline of the same machine, else the youngest of another one, with which counts can still be compared.
Side baseline_for(const Side& side, const Arguments& arguments) {
  const auto own = fs::path(arguments.folder) / file_name(side);
  if (fs::exists(own)) return read_side(own);
  std::optional<Side> youngest;
  for (const auto& path : files_in(arguments.folder, ".json")) {
    auto other = read_side(path);
    if (!youngest || other.results.date > youngest->results.date) youngest = std::move(other);
  }
  if (!youngest)
    throw Inconclusive(fmt::format("{}: holds no baseline; roofline baseline save {} {} makes this run one",
                                   arguments.folder, arguments.folder, arguments.file));
  return *youngest;
}

int check(const Arguments& arguments) {
  arguments.flags.require_writable_files();
  auto next = read_side(arguments.file);
  auto base = baseline_for(next, arguments);
  const auto days = age_in_days(base.results.date);
  const std::string notes[] = {
      fmt::format("the baseline is {} old{}", age_text(base), !days || *days > arguments.stale_days ? ": stale" : ""),
      fmt::format("to accept the changes: roofline baseline save {} {}", arguments.folder, arguments.file)};
  std::vector<SidePair> pairs;
  pairs.push_back({std::move(base), std::move(next)});
  auto comparison = compare(pairs, arguments.flags.options());
  comparison.notes.insert(comparison.notes.end(), std::begin(notes), std::end(notes));
  return arguments.flags.finish(comparison);
}

Action define(CLI::App& flags) {
  const auto arguments = std::make_shared<Arguments>();
  const auto part = [&](const char* name, const char* about, bool with_file) {
    auto* const sub = flags.add_subcommand(name, about);
    sub->add_option("DIR", arguments->folder, "folder of the baselines, one file per machine")->required();
    if (with_file) sub->add_option("run.json", arguments->file, "run.json of a stored run")->required();
    return sub;
  };
  flags.require_subcommand(1);
  auto* const saves = part("save", "makes a run the baseline of its machine, in place of an older one", true);
  auto* const lists = part("list", "which machines have a baseline, and how old it is", false);
  auto* const checks = part("check", "holds a run against the baseline of its machine", true);
  for (auto* const sub : {lists, checks})
    sub->add_option("--stale-days", arguments->stale_days, "an older baseline is called stale")
        ->capture_default_str()
        ->check(between(1, 100000));
  arguments->flags.define(*checks);
  flags.footer(
      "Example: roofline baseline save baselines roofline-out/run.json; later: roofline baseline check baselines "
      "roofline-out/run.json --gate=exact");
  return [=] { return saves->parsed() ? save(*arguments) : lists->parsed() ? list(*arguments) : check(*arguments); };
}

const Subcommand registered("baseline", "runs to compare with, one per machine: save, list, check", define);

}  // namespace
}  // namespace roofline::cli::baseline_command
