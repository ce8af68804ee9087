#include "bench/virtual_gpu/devices/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/virtual_gpu/devices/described.hpp"
#include "bench/virtual_gpu/devices/known_devices.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// A JSON object that must be read completely. A missing, unknown or senseless value is an error that names the file
/// and the JSON pointer.
class Object {
 public:
  Object(const Json& json, std::string origin, std::string pointer, std::map<std::string, std::string>& sources)
      : json_(json), origin_(std::move(origin)), pointer_(std::move(pointer)), sources_(sources) {
    if (!json_.is_object()) fail("", "must be an object");
  }

  [[noreturn]] void fail(const std::string& key, const std::string& why) const {
    throw FileError(fmt::format("{}: {}{}{}: {}", origin_, pointer_, key.empty() ? "" : "/", key, why));
  }

  const Json& at(const std::string& key) {
    seen_.insert(key);
    const auto found = json_.find(key);
    if (found == json_.end()) fail(key, "is missing");
    return *found;
  }
  bool has(const std::string& key) const { return json_.contains(key); }
  Object object(const std::string& key) {
    return Object(at(key), origin_, fmt::format("{}/{}", pointer_, key), sources_);
  }
  std::string text(const std::string& key) {
    const auto& value = at(key);
    if (!value.is_string() || value.get_ref<const std::string&>().empty())
      fail(key, "must be a text that is not empty");
    // It is printed, and written where JSON allows no control characters.
    if (clean(value.get<std::string>()) != value.get<std::string>()) fail(key, "has control characters");
    return value.get<std::string>();
  }

  /// The value of {"value": ..., "source": "..."}; the source is kept.
  const Json& figure(const std::string& key) {
    auto entry = object(key);
    const auto& value = entry.at("value");
    sources_[fmt::format("{}/{}", pointer_, key)] = entry.text("source");
    entry.finish();
    return value;
  }
  double number(const std::string& key) {
    const auto& value = figure(key);
    if (!value.is_number()) fail(key, "must be a number");
    const auto x = value.get<double>();
    if (!(x > 0) || x > 1e18) fail(key, fmt::format("must be positive, is {}", value.dump()));
    return x;
  }
  std::uint64_t integer(const std::string& key) { return integer(key, figure(key)); }
  std::uint64_t integer(const std::string& key, const Json& value) {
    if (!value.is_number_integer()) fail(key, fmt::format("must be an integer, is {}", value.dump()));
    if (value.is_number_unsigned() ? value.get<std::uint64_t>() == 0 : value.get<std::int64_t>() <= 0)
      fail(key, fmt::format("must be positive, is {}", value.dump()));
    if (value.get<std::uint64_t>() > std::uint64_t{1} << 40) fail(key, fmt::format("is too large: {}", value.dump()));
    return value.get<std::uint64_t>();
  }
  unsigned small(const std::string& key) {
    const auto value = integer(key);
    if (value > 1u << 24) fail(key, fmt::format("is too large: {}", value));
    return static_cast<unsigned>(value);
  }
  template <class Policy>
  Policy policy(const std::string& key, const std::vector<std::pair<std::string, Policy>>& known) {
    const auto& value = figure(key);
    std::string names;
    for (const auto& [name, policy] : known) {
      if (value == name) return policy;
      names += (names.empty() ? "" : ", ") + name;
    }
    fail(key, fmt::format("unknown policy {}; known: {}", value.dump(), names));
  }

  void finish() const {
    for (const auto& [key, value] : json_.items())
      if (!seen_.contains(key)) fail(key, "is not a key of device files");
  }

 private:
  const Json& json_;
  std::string origin_, pointer_;
  std::map<std::string, std::string>& sources_;
  std::set<std::string> seen_;
};

SectoredGeometry read_cache(Object cache) {
  SectoredGeometry result;
  result.size = cache.integer("size");
  result.line = cache.small("line");
  if (!std::has_single_bit(result.line)) cache.fail("line", fmt::format("must be a power of two, is {}", result.line));
  if (result.line < 32 || result.line > 128)
    cache.fail("line", fmt::format("must hold 1 to 4 sectors of 32 B, is {}", result.line));
  result.ways = cache.small("ways");
  const auto way = std::uint64_t{result.line} * result.ways;
  if (result.size % way != 0)
    cache.fail("size",
               fmt::format("{} B are not a multiple of {} ways of {} B", result.size, result.ways, result.line));
  result.replacement =
      cache.policy<Replacement>("replacement", {{"lru", Replacement::lru}, {"random", Replacement::random}});
  result.set_index = cache.policy<SetIndex>("set_index", {{"hashed", SetIndex::hashed}, {"modulo", SetIndex::modulo}});
  result.latency = cache.small("latency");
  if (cache.has("halves")) result.halves = cache.small("halves");
  if (result.halves > 2) cache.fail("halves", fmt::format("must be 1 or 2, is {}", result.halves));
  if (result.size % (way * result.halves) != 0)
    cache.fail("halves",
               fmt::format("{} B are not two halves of {} ways of {} B", result.size, result.ways, result.line));
  cache.finish();
  return result;
}

/// add, mul and fma instructions; an expansion may lack some of them but not all.
Operations read_expansion(Object& in, const std::string& key) {
  const auto& value = in.figure(key);
  Operations result;
  const std::map<std::string, std::uint64_t*> kinds{{"add", &result.add}, {"mul", &result.mul}, {"fma", &result.fma}};
  if (!value.is_object()) in.fail(key, "must be an object of add, mul, fma");
  for (const auto& [kind, count] : value.items()) {
    if (!kinds.contains(kind)) in.fail(key, fmt::format("unknown instruction {}; known: add, mul, fma", kind));
    *kinds.at(kind) = in.integer(key, count);
  }
  if (result.instructions() == 0) in.fail(key, "has no instruction");
  return result;
}

Ceiling read_ceiling(Object in, const std::string& device) {
  Ceiling result;
  result.rate = result.rate_low = result.rate_high = in.number("rate");
  if (in.has("theory")) result.theory = in.number("theory");
  result.variant = in.text("method");
  const auto resource = in.text("resource");
  const std::map<std::string, Operation> operations{{"fma", Operation::fma}, {"nofma", Operation::nofma}};
  const std::map<std::string, MemoryLevel> levels{
      {"L1", MemoryLevel::L1}, {"L2", MemoryLevel::L2}, {"DRAM", MemoryLevel::DRAM}};
  if (operations.contains(resource)) {
    result.kind = Ceiling::Kind::compute;
    result.operation = operations.at(resource);
  } else if (levels.contains(resource)) {
    result.kind = Ceiling::Kind::bandwidth;
    result.level = levels.at(resource);
    result.mix = Mix::read;
  } else if (resource == "tensor") {
    result.precision = in.text("precision");
  } else {
    in.fail("resource", fmt::format("unknown resource {}; known: fma, nofma, tensor, L1, L2, DRAM", resource));
  }
  in.finish();
  result.isa = resource == "tensor" ? resource : device;
  result.whole_device = true;
  result.name = ceiling_name(result);
  return result;
}

void read_ceilings(Object& in, const std::string& origin, Device& device) {
  const auto& ceilings = in.at("ceilings");
  if (!ceilings.is_array()) in.fail("ceilings", "must be a list");
  for (std::size_t i = 0; i < ceilings.size(); ++i)
    device.ceilings.push_back(
        read_ceiling(Object(ceilings[i], origin, fmt::format("/ceilings/{}", i), device.sources), device.name));
  for (const auto level : {MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::DRAM})
    if (std::none_of(device.ceilings.begin(), device.ceilings.end(),
                     [&](const Ceiling& c) { return c.kind == Ceiling::Kind::bandwidth && c.level == level; }))
      in.fail("ceilings", fmt::format("{} is missing", name(level)));
  if (std::none_of(device.ceilings.begin(), device.ceilings.end(), [](const Ceiling& c) {
        return c.kind == Ceiling::Kind::compute && c.operation == Operation::fma && !c.on_matrices();
      }))
    in.fail("ceilings", "fma is missing");
}

Device from_json(const Json& json, const std::string& origin) {
  Device device;
  Object in(json, origin, "", device.sources);
  device.name = in.text("name");
  device.description = in.text("description");

  auto sm = in.object("sm");
  device.sms = sm.small("count");
  device.clock = sm.number("clock");
  device.fp64_lanes = sm.small("fp64_lanes");
  device.warps_per_sm = sm.small("warps");
  device.blocks_per_sm = sm.small("blocks");
  device.registers_per_sm = sm.small("registers");
  device.register_unit = sm.small("register_unit");
  const auto& options = sm.figure("shared_options");
  if (!options.is_array() || options.empty()) sm.fail("shared_options", "must be a list of sizes in bytes");
  for (const auto& option : options)
    device.shared_options.push_back(option == 0 ? 0 : sm.integer("shared_options", option));
  if (!std::is_sorted(device.shared_options.begin(), device.shared_options.end()))
    sm.fail("shared_options", "must ascend");
  device.division = read_expansion(sm, "division");
  device.reciprocal = read_expansion(sm, "reciprocal");
  sm.finish();

  device.l1 = read_cache(in.object("l1"));
  if (device.l1.line != 128)
    in.fail("l1/line", fmt::format("the coalescer makes lines of 128 B, not of {}", device.l1.line));
  if (device.shared_options.back() >= device.l1.size) in.fail("sm/shared_options", "must leave some of the L1");
  device.l2 = read_cache(in.object("l2"));

  if (in.has("coalescer")) {
    auto coalescer = in.object("coalescer");
    device.merged_reads = coalescer.small("merged");
    device.gpcs = coalescer.small("gpcs");
    if (device.gpcs > 255) coalescer.fail("gpcs", fmt::format("must be 255 at most, is {}", device.gpcs));
    coalescer.finish();
  }
  auto dram = in.object("dram");
  device.dram_fetch = dram.small("fetch");
  if (device.dram_fetch != 32 && device.dram_fetch != 64)
    dram.fail("fetch", fmt::format("must be 32 or 64, is {}", device.dram_fetch));
  if (device.dram_fetch > device.l2.line) dram.fail("fetch", "must not exceed a line of L2");
  device.dram_latency = dram.small("latency");
  dram.finish();

  if (in.has("product")) {
    auto product = in.object("product");
    device.capability = product.small("capability");
    device.fp32_lanes = product.small("fp32_lanes");
    device.memory = product.integer("memory");
    device.bus_width = product.small("bus_width");
    device.memory_clock = product.number("memory_clock");
    product.finish();
  }

  read_ceilings(in, origin, device);
  in.finish();
  return device;
}

}  // namespace

double Device::bandwidth(MemoryLevel level) const {
  double best = 0;
  for (const auto& ceiling : ceilings)
    if (ceiling.kind == Ceiling::Kind::bandwidth && ceiling.level == level) best = std::max(best, ceiling.rate);
  if (best == 0) throw std::logic_error(fmt::format("{} has no bandwidth of {}", this->name, roofline::name(level)));
  return best;
}

std::string Device::model_hash() const {
  std::string text = fmt::format("sms {} clock {} fp64 {} warps {} blocks {} registers {}/{}", sms, clock, fp64_lanes,
                                 warps_per_sm, blocks_per_sm, registers_per_sm, register_unit);
  for (const auto option : shared_options) text += fmt::format(" shared {}", option);
  for (const auto& cache : {l1, l2})
    text += fmt::format(" cache {} {} {} {} {} {}", cache.size, cache.line, cache.ways,
                        static_cast<int>(cache.replacement), static_cast<int>(cache.set_index), cache.latency);
  if (l2.halves > 1) text += " in halves";
  if (merges_reads()) text += fmt::format(" merges {} reads of each of {} GPCs", merged_reads, gpcs);
  text += fmt::format(" dram {} {} {} L2 {}", dram_fetch, dram_latency, bandwidth(MemoryLevel::DRAM),
                      bandwidth(MemoryLevel::L2));
  for (const auto& kind : {division, reciprocal}) text += fmt::format(" expand {} {} {}", kind.add, kind.mul, kind.fma);
  text += " samples: steady start, windows, end; blocks exchanged";  // how large launches are estimated
  text += " accesses: from compiled kernels";
  return roofline::model_hash(text);
}

Device parse_device(const std::string& text, const std::string& origin) {
  return from_json(parse_json(text, origin), origin);
}

Device find_device(const std::string& name) {
  const auto& known = known_devices();
  if (const auto found = known.find(name); found != known.end())
    return parse_device(std::string(found->second), name + ".json");
  for (const auto& card : published_cards())
    if (card.name == name) return parse_device(described(card), name);
  if (name.starts_with('{')) return parse_device(name, "attributes");
  return read_device(name);
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : known_devices()) names.push_back(name);
  for (const auto& card : published_cards()) names.push_back(card.name);
  return names;
}

Device read_device(const std::filesystem::path& file) { return parse_device(read_file(file), file.string()); }

}  // namespace roofline
