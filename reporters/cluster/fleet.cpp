#include "reporters/cluster/fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
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

/// Takes in runs as they are read, in any order.
class Gathering {
 public:
  void add(NodeRun run, const std::string& file, std::size_t hash) {
    const std::lock_guard guard(mutex_);
    const auto name = run.local_rank ? fmt::format("{}.{}", run.node, *run.local_rank) : run.node;
    auto [node, is_new] = nodes_.try_emplace(name, fleet_.nodes.size());
    if (is_new) fleet_.nodes.push_back({name, run.node, {}});
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
  return why.starts_with(file + ": ") ? why.substr(file.size() + 2) : why;
}

void add_folder(const fs::path& folder, std::set<std::string>& files) {
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end; at.increment(error))
    if (std::error_code ignored; at->path().filename() == "run.json" && !at->is_directory(ignored))
      files.insert(at->path().string());
  if (error) throw FileError(fmt::format("{}: cannot read: {}", folder.string(), error.message()));
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
  std::set<std::string> files;
  for (const auto& argument : arguments) {
    std::error_code ignored;
    if (argument == "-") {
      for (std::string line; std::getline(std::cin, line);)
        if (!line.empty()) files.insert(line);
    } else if (fs::is_directory(argument, ignored)) {
      add_folder(argument, files);
    } else {
      files.insert(argument);
    }
  }
  return {files.begin(), files.end()};
}

}  // namespace roofline::cluster
