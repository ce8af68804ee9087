#include "bench/storage/kept_winners.hpp"

#include <nlohmann/json.hpp>

#include "bench/storage/kept_file.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* winners_prefix = "winners-of-";

}  // namespace

Winners kept_winners(const Machine& machine, int threads) {
  try {
    const auto path = kept_file(winners_prefix, machine, threads);
    if (!path || !std::filesystem::exists(*path)) return {};
    const auto document = Json::parse(read_file(*path));
    if (document.at("program") != this_program()) return {};
    Winners winners;
    for (const auto& [ceiling, winner] : document.at("winners").items())
      winners[ceiling] = {winner.at("variant").get<std::string>(), winner.at("number").get<std::size_t>()};
    return winners;
  } catch (const std::exception&) {
    return {};  // damaged: the variants are tried again
  }
}

void keep_winners(const Results& results) {
  if (results.gpu || results.model || !results.ceilings_origin.of_this_device()) return;
  try {
    const auto path = kept_file(winners_prefix, results.machine, results.roofline.threads());
    if (!path) return;
    auto all = kept_winners(results.machine, results.roofline.threads());
    for (const auto& ceiling : results.roofline.ceilings())
      if (!ceiling.variant.empty()) all[ceiling.name] = {ceiling.variant, ceiling.winner};
    auto winners = Json::object();
    for (const auto& [ceiling, winner] : all)
      winners[ceiling] = {{"variant", winner.variant}, {"number", winner.number}};
    require_writable(*path);
    write_file(*path, Json{{"program", this_program()}, {"winners", std::move(winners)}}.dump() + "\n");
  } catch (const std::exception&) {
    // The next run tries the variants again.
  }
}

}  // namespace roofline
