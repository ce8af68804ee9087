#include "bench/storage/kept_winners.hpp"

#include <nlohmann/json.hpp>

#include "bench/machine/core_distance.hpp"
#include "bench/storage/kept_file.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* winners_prefix = "winners-of-";

}  // namespace

const Winner* winner_of(const Winners& winners, const std::string& ceiling, double core_distance) {
  const auto [begin, end] = winners.equal_range(ceiling);
  for (auto it = begin; it != end; ++it)
    if (lay_alike(it->second.core_distance, core_distance)) return &it->second;
  return nullptr;
}

Winners kept_winners(const Machine& machine, int threads) {
  try {
    const auto path = kept_file(winners_prefix, machine, threads);
    if (!path || !std::filesystem::exists(*path)) return {};
    const auto document = Json::parse(read_file(*path));
    if (document.at("program") != this_program()) return {};
    Winners winners;
    for (const auto& winner : document.at("winners"))
      winners.insert({winner.at("ceiling").get<std::string>(),
                      {.variant = winner.at("variant").get<std::string>(),
                       .number = winner.at("number").get<std::size_t>(),
                       .core_distance = winner.at("core_distance").get<double>()}});
    return winners;
  } catch (const std::exception&) {
    return {};  // damaged: the variants are tried again
  }
}

void keep_winners(const Winners& found, const Machine& machine, int threads) {
  if (found.empty()) return;
  try {
    const auto path = kept_file(winners_prefix, machine, threads);
    if (!path) return;
    auto all = found;
    for (const auto& [ceiling, winner] : kept_winners(machine, threads))
      if (!winner_of(found, ceiling, winner.core_distance)) all.insert({ceiling, winner});
    auto winners = Json::array();
    for (const auto& [ceiling, winner] : all)
      winners.push_back({{"ceiling", ceiling},
                         {"variant", winner.variant},
                         {"number", winner.number},
                         {"core_distance", winner.core_distance}});
    require_writable(*path);
    write_file(*path, Json{{"program", this_program()}, {"winners", std::move(winners)}}.dump() + "\n");
  } catch (const std::exception&) {
    // The next run tries the variants again.
  }
}

}  // namespace roofline
