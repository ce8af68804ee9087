#include "bench/counting/gpu_model_of.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <stdexcept>

#include "bench/counting/modelled.hpp"
#include "bench/virtual_gpu/devices/known_devices.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline {
namespace {

/// The modelled rows of a GPU run, made when the first of them is asked for.
class ModelledRows final : public CounterSource {
 public:
  ModelledRows(const std::string& device, Options options, const Machine& host)
      : options_(std::move(options)), host_(host) {
    options_.model = device;
    options_.ceilings = {};
  }

  ModelledRows(const ModelledRows&) = delete;
  ModelledRows& operator=(const ModelledRows&) = delete;
  /// Rows may own memory of the described device, which must go where it came from.
  ~ModelledRows() override {
    if (!suite_) return;
    const runtime::Scope on_described_device(options_.model);
    suite_.reset();
  }

  /// Of the same row at the same sizes; the GPU's own workload is not touched.
  std::optional<Counts> count(const std::string& row, const Workload&) override {
    const runtime::Scope on_described_device(options_.model);
    if (!suite_) make_suite();
    if (const auto found = known_.find(row); found != known_.end()) return found->second;
    const auto& variants = suite_->variants();
    const auto variant =
        std::find_if(variants.begin(), variants.end(), [&](const Variant& v) { return v.name == row; });
    if (variant == variants.end()) return std::nullopt;
    return known_[row] = model_->counter->count(row, variant->make());
  }

 private:
  void make_suite() {
    model_ = make_model(options_, host_);
    suite_.emplace(model_->target);
    for (const auto& [family, ports] : families()) {
      const auto gpu = ports.find(Platform::cuda), port = ports.find(Platform::modelled);
      if (gpu == ports.end() || port == ports.end()) continue;
      const auto chosen = options_.sizes.find(family.name);
      const auto& standard =
          options_.quick && !gpu->second.quick_sizes.empty() ? gpu->second.quick_sizes : gpu->second.default_sizes;
      try {
        port->second.add(*suite_, chosen != options_.sizes.end() ? chosen->second : standard);
      } catch (const std::invalid_argument&) {
        // Sizes that the GPU takes and the model does not: its rows stay unknown.
      }
    }
  }

  Options options_;
  const Machine& host_;
  std::optional<Model> model_;
  std::optional<Suite> suite_;
  std::map<std::string, std::optional<Counts>> known_;
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

std::shared_ptr<CounterSource> modelled_counts(const Gpu& gpu, const Options& options, const Machine& host) {
  const auto device = known_device_of(gpu.name);
  return device.empty() ? nullptr : std::make_shared<ModelledRows>(device, options, host);
}

}  // namespace roofline
