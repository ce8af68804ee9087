#include "bench/run/gpu_model_of.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <stdexcept>

#include "bench/run/modelled.hpp"
#include "bench/simulator/known_devices.hpp"

namespace roofline {
namespace {

/// The modelled rows of a GPU run.
struct ModelledRows {
  Options options;
  Model model;
  Suite suite;
  std::map<std::string, Counts> known;

  ModelledRows(const std::string& device, Options asked, const Machine& host)
      : options(std::move(asked)), model(of(device, options, host)), suite(model.machine, 1, Platform::modelled) {
    for (const auto& [family, ports] : families()) {
      const auto gpu = ports.find(Platform::cuda), port = ports.find(Platform::modelled);
      if (gpu == ports.end() || port == ports.end()) continue;
      const auto chosen = options.sizes.find(family.name);
      const auto& standard =
          options.quick && !gpu->second.quick_sizes.empty() ? gpu->second.quick_sizes : gpu->second.default_sizes;
      try {
        port->second.add(suite, chosen != options.sizes.end() ? chosen->second : standard);
      } catch (const std::invalid_argument&) {
        // Sizes that the GPU takes and the model does not: its rows stay unknown.
      }
    }
  }

  std::optional<Counts> operator()(const std::string& row) {
    if (const auto found = known.find(row); found != known.end()) return found->second;
    const auto variant =
        std::find_if(suite.variants().begin(), suite.variants().end(), [&](const Variant& v) { return v.name == row; });
    if (variant == suite.variants().end()) return std::nullopt;
    return known[row] = model.count(*variant).counts;
  }

 private:
  static Model of(const std::string& device, Options& options, const Machine& host) {
    options.model = device;
    options.ceilings = "auto";
    return make_model(options, host);
  }
};

}  // namespace

std::string known_device_of(const std::string& gpu_name) {
  std::string name = gpu_name;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const auto& [device, text] : known_devices())
    if (const auto at = name.find(device);
        at != std::string::npos && (at + device.size() == name.size() || !std::isalnum(name[at + device.size()])))
      return device;
  return {};
}

ModelledCounts modelled_counts(const Gpu& gpu, const Options& options, const Machine& host) {
  const auto device = known_device_of(gpu.name);
  if (device.empty()) return {};
  const auto rows = std::make_shared<std::unique_ptr<ModelledRows>>();
  return [=, &host](const std::string& row) -> std::optional<Counts> {
    if (!*rows) *rows = std::make_unique<ModelledRows>(device, options, host);
    return (**rows)(row);
  };
}

}  // namespace roofline
