#include "bench/levels/measured_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/levels/levels.hpp"
#include "bench/machine/cgroup.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/ranks/place.hpp"
#include "bench/text/format.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"

namespace roofline {
namespace {

/// The ladders of one run.
class Ladders {
 public:
  Ladders(const Machine& machine, int threads, const MakeProbe& make)
      : machine_(machine), threads_(threads), make_(make) {
    const double memory = memory_left();
    most_ = largest_rung(memory > 0 ? memory : machine.memory_bytes, threads);
  }

  std::vector<Rung> whole() const { return climb(make_(threads_, most_), {.most = most_}); }

  /// Two rounds up to where the last of these caches has come to an end, in no more memory: most of the time of a short
  /// ladder would go into pages that it never reads.
  std::vector<Rung> brief(const std::vector<CacheLevel>& caches) const {
    const double most = std::min(most_, 4 * cache_share(caches.back(), threads_));
    return climb(make_(threads_, most), {.most = most, .rounds = 2, .sample = 1e-3, .time_limit = 0.4});
  }

  std::vector<CacheLevel> shown_by(const std::vector<Rung>& ladder) const {
    return caches_of(ladder, machine_.declared_caches, threads_);
  }

 private:
  const Machine& machine_;
  int threads_;
  const MakeProbe& make_;
  double most_ = 0;
};

std::string in_words(const std::vector<CacheLevel>& caches) {
  std::string text;
  for (const auto& cache : caches)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name(cache.level),
                        binary_size(static_cast<double>(cache.size)));
  return text;
}

/// A ladder has shown or confirmed these levels a moment ago: one run after the other need not climb again.
bool fresh(const std::filesystem::path& path) {
  constexpr auto moment = std::chrono::minutes(10);
  std::error_code failed;
  const auto age = std::filesystem::file_time_type::clock::now() - std::filesystem::last_write_time(path, failed);
  return !failed && age >= age.zero() && age < moment;
}

using Json = nlohmann::ordered_json;

CacheLevel read_cache(const JsonReader& value) {
  constexpr double largest = 1e15;
  const auto whole = [&](const char* key, double least, double most) {
    const auto entry = value.at(key);
    const double number = entry.number();
    if (!(number >= least && number <= most) || number != static_cast<double>(static_cast<std::uint64_t>(number)))
      entry.fail("is out of range");
    return static_cast<std::uint64_t>(number);
  };
  CacheLevel cache{.level = static_cast<MemoryLevel>(whole("level", 1, 3) - 1),
                   .size = whole("size", 512, largest),
                   .ways = static_cast<unsigned>(whole("ways", 1, 65536)),
                   .line = static_cast<unsigned>(whole("line", 16, 4096)),
                   .shared_by = static_cast<unsigned>(whole("shared_by", 1, 65536))};
  if (cache.size / cache.shared_by < std::uint64_t{cache.ways} * cache.line) value.fail("is smaller than a set");
  return cache;
}

/// Where the threads of a run are: other cores may share another cache.
std::vector<int> cpus_of(const Machine& machine, int threads) {
  auto cpus = machine.cpus;
  if (static_cast<int>(cpus.size()) > threads) cpus.resize(static_cast<std::size_t>(threads));
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

KeptLevels read(const std::filesystem::path& path, const Machine& machine, int threads) {
  const auto file = path.string();
  const auto document = parse_json(read_file(path), file);
  const JsonReader top(document, file);
  if (top.at("fingerprint").text() != machine.fingerprint) top.fail("is of another machine");
  if (top.at("node").text() != node_name()) top.fail("is of another node");
  if (top.at("threads").number() != threads) top.fail("is of another number of threads");
  if (top.at("cpus").text() != format_cpu_list(cpus_of(machine, threads))) top.fail("is of other CPUs");
  KeptLevels kept;
  const auto caches = top.at("caches"), ladder = top.at("ladder");
  for (std::size_t i = 0; i < caches.size(); ++i) {
    kept.caches.push_back(read_cache(caches.at(i)));
    if (i > 0 && kept.caches[i].level <= kept.caches[i - 1].level) caches.at(i).fail("is not behind the one before");
  }
  for (std::size_t i = 0; i < ladder.size(); ++i)
    kept.ladder.push_back({ladder.at(i).at("bytes").number(), ladder.at(i).at("rate").number()});
  if (kept.caches.empty()) caches.fail("has no cache");
  return kept;
}

}  // namespace

void recall_levels(Machine& machine, int threads) {
  share_cores(machine, threads);
  if (auto kept = read_kept_levels(machine, threads))
    set_levels(machine, std::move(kept->caches), threads, "measured in an earlier run");
}

std::vector<std::string> measure_levels(Machine& machine, int threads, const MakeProbe& make) {
  std::vector<std::string> notes;
  share_cores(machine, threads);
  try {
    const Ladders ladders(machine, threads, make);
    auto kept = read_kept_levels(machine, threads);
    const auto denied = [&](const std::vector<Rung>& ladder) {
      return !confirms(ladders.shown_by(ladder), kept->caches, threads);
    };
    const auto path = kept_levels_file(machine, threads);
    if (kept && fresh(*path)) {
      set_levels(machine, kept->caches, threads, "measured in a run a few minutes ago");
      return notes;
    }
    if (kept && !denied(ladders.brief(kept->caches))) {
      set_levels(machine, kept->caches, threads, "measured in an earlier run, confirmed by a short ladder");
      std::error_code none;  // of a file that cannot be touched the next run confirms the levels again
      std::filesystem::last_write_time(*path, std::filesystem::file_time_type::clock::now(), none);
      return notes;
    }
    KeptLevels now{{}, ladders.whole()};
    now.caches = ladders.shown_by(now.ladder);
    // Other programs can disturb a ladder, so a change of the machine needs two ladders that agree on it.
    const bool changed = kept && denied(now.ladder) && confirms(ladders.shown_by(ladders.whole()), now.caches, threads);
    if (kept && !changed) {
      set_levels(machine, kept->caches, threads, "measured in an earlier run, confirmed by a ladder");
      return notes;
    }
    if (kept) {
      auto nearer = kept->caches;  // with the last one as it is now
      if (!now.caches.empty()) nearer.back() = now.caches.back();
      if (confirms(now.caches, nearer, threads)) now.caches = nearer;
      notes.push_back(fmt::format("the caches measured are no longer those of earlier runs: {} now, {} then",
                                  in_words(now.caches), in_words(kept->caches)));
    }
    set_levels(machine, now.caches, threads, "measured");
    if (now.caches.empty())
      notes.emplace_back(
          "a ladder of working sets shows no cache, and the machine tells of none: bytes are of L1 only");
    else if (const auto why = keep_levels(machine, threads, now); !why.empty())
      notes.push_back(why);
  } catch (const std::exception& error) {
    const auto kept = read_kept_levels(machine, threads);
    if (kept) set_levels(machine, kept->caches, threads, "measured in an earlier run");
    notes.push_back(fmt::format("the levels of the memory are {}, not measured now: {}",
                                kept ? "the levels of an earlier run" : "as the machine says", error.what()));
  }
  return notes;
}

std::optional<std::filesystem::path> cache_folder() {
  const auto folder = [](const char* variable) {
    const auto* const value = std::getenv(variable);
    return std::filesystem::path(value ? value : "");
  };
  auto cache = folder("XDG_CACHE_HOME");
  if (cache.empty() && !folder("HOME").empty()) cache = folder("HOME") / ".cache";
  if (cache.empty()) return std::nullopt;
  return cache / "roofline";
}

std::optional<std::filesystem::path> kept_levels_file(const Machine& machine, int threads) {
  const auto folder = cache_folder();
  if (!folder) return std::nullopt;
  std::string host;
  for (const char c : machine.fingerprint + " " + node_name()) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain || (!host.empty() && host.back() != '-')) host += plain ? c : '-';
  }
  const auto cpus = cpus_of(machine, threads);
  const auto place = cpus.empty() ? std::string() : fmt::format("-cpus-{}-{}", cpus.front(), cpus.back());
  return *folder / fmt::format("levels-{}-threads-{}{}.json", host, threads, place);
}

std::optional<KeptLevels> read_kept_levels(const Machine& machine, int threads) {
  const auto path = kept_levels_file(machine, threads);
  std::error_code none;
  if (!path || !std::filesystem::exists(*path, none)) return std::nullopt;
  try {
    return read(*path, machine, threads);
  } catch (const std::exception&) {
    return std::nullopt;  // as if there were none: they are measured again
  }
}

std::string keep_levels(const Machine& machine, int threads, const KeptLevels& levels) {
  const auto path = kept_levels_file(machine, threads);
  if (!path) return "the levels are not kept for the next run: neither XDG_CACHE_HOME nor HOME is set";
  Json caches = Json::array(), ladder = Json::array();
  for (const auto& cache : levels.caches)
    caches.push_back({{"level", static_cast<int>(cache.level) + 1},
                      {"size", cache.size},
                      {"ways", cache.ways},
                      {"line", cache.line},
                      {"shared_by", cache.shared_by}});
  for (const auto& rung : levels.ladder) ladder.push_back({{"bytes", rung.bytes}, {"rate", rung.rate}});
  const Json file = {{"fingerprint", machine.fingerprint},
                     {"node", node_name()},
                     {"threads", threads},
                     {"cpus", format_cpu_list(cpus_of(machine, threads))},
                     {"caches", caches},
                     {"ladder", ladder}};
  try {
    require_writable(*path);
    write_file(*path, file.dump(1) + "\n");
  } catch (const std::exception& error) {
    return fmt::format("the levels are not kept for the next run: {}", error.what());
  }
  return {};
}

}  // namespace roofline
