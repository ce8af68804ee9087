#include "bench/counting/kept_counts.hpp"

#include <fmt/format.h>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/storage/json_fields.hpp"
#include "bench/storage/kept_file.hpp"
#include "bench/storage/result_fields.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

using stored::Json;

constexpr const char* counts_prefix = "counts-of-";

std::string caches_of(const Machine& machine, int threads) { return model_hash(shared_among(machine.caches, threads)); }

}  // namespace

std::string key_of(const KernelPoint& point, std::uint64_t seed) {
  return fmt::format("{} {} {} {} {}", point.name, point.problem, point.tuning, point.declared_flops, seed);
}

KeptCounts kept_counts(const Machine& machine, int threads) {
  const auto path = kept_file(counts_prefix, machine, threads);
  if (!path || !std::filesystem::exists(*path)) return {};
  const auto document = Json::parse(read_file(*path));
  if (document.at("program") != this_program() || document.at("caches") != caches_of(machine, threads)) return {};
  KeptCounts counts;
  for (const auto& [key, value] : document.at("counts").items())
    stored::Reader::read(value, "/counts/" + key, counts[key]);
  return counts;
}

void keep_counts(const KeptCounts& counts, const Machine& machine, int threads) {
  try {
    const auto path = kept_file(counts_prefix, machine, threads);
    if (!path) return;
    auto object = Json::object();
    for (const auto& [key, value] : counts) object[key] = stored::Writer::write(value);
    require_writable(*path);
    write_file(*path,
               Json{{"program", this_program()}, {"caches", caches_of(machine, threads)}, {"counts", std::move(object)}}
                       .dump() +
                   "\n");
  } catch (const std::exception&) {
    // The next run counts again.
  }
}

bool agree(const Counts& a, const Counts& b) { return stored::Writer::write(a) == stored::Writer::write(b); }

}  // namespace roofline
