#include "reporters/cluster/fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>

#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"

namespace roofline::cluster {
namespace fs = std::filesystem;
namespace {

constexpr double lacking = std::numeric_limits<double>::quiet_NaN();

/// "n1" of "n1.cluster.org", empty of what has no domain: "n1", "10.0.0.1".
std::string short_name(const std::string& host) {
  const auto dot = host.find('.'), last = host.rfind('.');
  const bool has_domain = dot != host.npos && dot > 0 && host.find_first_not_of("0123456789", last + 1) != host.npos;
  return has_domain ? host.substr(0, dot) : "";
}

std::string name_of(const std::string& host, const std::optional<int>& rank) {
  return rank ? fmt::format("{}.{}", host, *rank) : host;
}

/// Takes in runs as they are read, in any order.
class Gathering {
 public:
  void add(NodeRun run, const std::string& file, std::size_t hash) {
    const std::lock_guard guard(mutex_);
    const auto name = name_of(run.node, run.local_rank);
    auto [node, is_new] = nodes_.try_emplace(name, fleet_.nodes.size());
    if (is_new) fleet_.nodes.push_back({name, run.node, {}, {}});
    Fleet::Run kept{std::move(run), file, {}, {}, hash};
    for (const auto& row : std::exchange(kept.rows, {})) {
      const auto at = place_of(row);
      if (kept.logs.size() <= at) kept.logs.resize(at + 1, lacking), kept.bound_by_dram.resize(at + 1);
      kept.logs[at] = std::log(row.rate), kept.bound_by_dram[at] = row.part == Part::memory;
    }
    fleet_.nodes[node->second].runs.push_back(std::move(kept));
  }
  void add_unread(const std::string& file, const std::string& why) {
    const std::lock_guard guard(mutex_);
    fleet_.unread.push_back({printable(file), why});
  }

  /// Everything in an order that does not depend on that of reading.
  Fleet finished() {
    auto& rows = fleet_.rows;
    std::vector<std::size_t> order(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return rows[a].name < rows[b].name; });
    std::vector<Fleet::Row> sorted;
    for (const auto at : order) sorted.push_back(std::move(rows[at]));
    rows = std::move(sorted);
    join_names();
    for (auto& node : fleet_.nodes) {
      drop_copies(node.runs);
      for (auto& run : node.runs) reorder(run, order);
    }
    const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
    std::sort(fleet_.nodes.begin(), fleet_.nodes.end(), by_name);
    std::sort(fleet_.unread.begin(), fleet_.unread.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
    std::sort(fleet_.copies.begin(), fleet_.copies.end());
    return std::move(fleet_);
  }

 private:
  /// A node that some runs call by its short name and others by its full one is one node, unless two full names have
  /// this short one. It keeps the short one, which schedulers know.
  void join_names() {
    std::map<std::string, std::set<std::string>> full_names;
    for (const auto& node : fleet_.nodes)
      if (const auto name = short_name(node.host); !name.empty()) full_names[name].insert(node.host);
    std::set<std::string> hosts;
    for (const auto& node : fleet_.nodes) hosts.insert(node.host);
    std::vector<Fleet::Node> joined;
    std::map<std::string, std::size_t> places;
    for (auto& node : fleet_.nodes) {
      const auto name = short_name(node.host);
      if (hosts.contains(name) && full_names[name].size() == 1) node.also_called = std::exchange(node.host, name);
      node.name = name_of(node.host, node.runs.front().local_rank);
      const auto [place, is_new] = places.try_emplace(node.name, joined.size());
      if (is_new) {
        joined.push_back(std::move(node));
        continue;
      }
      auto& other = joined[place->second];
      std::move(node.runs.begin(), node.runs.end(), std::back_inserter(other.runs));
      if (other.also_called.empty()) other.also_called = node.also_called;
    }
    fleet_.nodes = std::move(joined);
  }
  std::size_t place_of(const RowRate& row) {
    const auto [found, is_new] = rows_.try_emplace(row.name, fleet_.rows.size());
    if (is_new) fleet_.rows.push_back({row.name, row.sum, row.headline});
    return found->second;
  }
  void drop_copies(std::vector<Fleet::Run>& runs) {
    std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
    std::set<std::size_t> seen;
    std::erase_if(runs, [&](const auto& run) {
      const bool copy = !seen.insert(run.hash).second;
      if (copy) fleet_.copies.push_back(run.file);
      return copy;
    });
    std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.date < b.date; });
  }
  static void reorder(Fleet::Run& run, const std::vector<std::size_t>& order) {
    std::vector<double> logs(order.size(), lacking);
    std::vector<bool> bound(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      if (order[i] < run.logs.size()) logs[i] = run.logs[order[i]], bound[i] = run.bound_by_dram[order[i]];
    run.logs = std::move(logs), run.bound_by_dram = std::move(bound);
  }

  std::mutex mutex_;
  Fleet fleet_;
  std::unordered_map<std::string, std::size_t> nodes_, rows_;
};

/// A complaint names its file once.
std::string without_name(const std::string& why, const std::string& file) {
  if (why.starts_with(file + ": ")) return why.substr(file.size() + 2);
  return why.starts_with(file + ":") ? "line " + why.substr(file.size() + 1) : why;
}

/// Every run.json below a folder, and the one that is missing in a folder next to those that have one: a node whose run
/// never wrote anything is the likeliest bad one. Returns whether one was found.
bool add_folder(const fs::path& folder, std::set<std::string>& files) {
  std::error_code error;
  std::vector<fs::path> without;
  bool found = false, one_has_its_own = false;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    std::error_code ignored;
    const auto run = at->path() / "run.json";
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) {
      const bool has = add_folder(at->path(), files);
      found |= has, one_has_its_own |= has && fs::exists(run, ignored);
      if (!has) without.push_back(run);
    } else if (at->path().filename() == "run.json") {
      files.insert(at->path().string());
      found = true;
    }
  }
  if (error) throw FileError(fmt::format("{}: cannot read: {}", folder.string(), error.message()));
  // Within the folder of a run there is more than runs.
  if (one_has_its_own && !files.contains((folder / "run.json").string()))
    for (const auto& run : without) files.insert(run.string());
  return found;
}

}  // namespace

Fleet read_fleet(const std::vector<std::string>& files, const std::string& group_by,
                 const std::function<void(std::size_t)>& progress) {
  Gathering gathering;
  std::atomic<std::size_t> next{0};
  const auto work = [&](bool tells) {
    for (std::size_t at; (at = next++) < files.size();) {
      const auto& file = files[at];
      if (tells && progress) progress(at);
      try {
        const auto text = read_plain_text(file);
        gathering.add(read_node_run(text, file, group_by), file, std::hash<std::string>{}(text));
      } catch (const std::exception& error) {
        gathering.add_unread(file, printable(without_name(error.what(), file)));
      }
    }
  };
  {
    constexpr unsigned most = 16;
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < std::min(most, std::thread::hardware_concurrency()); ++i) others.emplace_back(work, false);
    work(true);
  }
  auto fleet = gathering.finished();
  fleet.files = files.size();
  return fleet;
}

std::vector<std::string> files_named(const std::vector<std::string>& arguments) {
  std::set<std::string> files, without;
  for (const auto& argument : arguments) {
    std::error_code ignored;
    if (argument == "-") {
      for (std::string line; std::getline(std::cin, line);)
        if (!line.empty()) files.insert(line);
    } else if (fs::is_directory(argument, ignored)) {
      if (!add_folder(argument, files)) without.insert((fs::path(argument) / "run.json").string());
    } else {
      files.insert(argument);
    }
  }
  if (!files.empty()) files.merge(without);  // one folder of several, which is not the run of a node
  return {files.begin(), files.end()};
}

}  // namespace roofline::cluster
