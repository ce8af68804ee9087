#include "bench/run/chosen_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/cuda/counting.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/machine/gpu_facts.hpp"
#include "bench/options/choices.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

/// Reads the file that --counters names. Throws FileError.
void read_counters(const std::string& file, ChosenDevice& device) {
  const auto text = read_plain_text(file);
  if (perf::is_cpu_counters(text))
    device.cpu_counters = perf::parse_cpu_counters(text, file);
  else
    device.counters = parse_ncu_csv(text, file);
}

/// A file of counters must be of the kind of device that runs.
void require_counters_of(const CountersChoice& choice, bool fit, const char* theirs, const char* ours) {
  if (choice.kind == CountersChoice::Kind::file && !fit)
    throw std::invalid_argument(
        fmt::format("--counters={}: counters of {}, and this is a run on {}", choice.file, theirs, ours));
}

}  // namespace

ChosenDevice device_of_run(const Options& options, const Machine& machine, RankSetup& rank) {
  ChosenDevice device;
  // Before any GPU is touched: a file that cannot be read is the first thing to say.
  if (options.counters.kind == CountersChoice::Kind::file) read_counters(options.counters.file, device);
  const bool clocked = !options.modelled && on_virtual_clock(options.device);
  if (options.modelled || (is_virtual(options.device) && !clocked)) {
    device.model = make_model(options, machine);
    device.target = device.model->target;
    if (device.model->about.gpu) require_counters_of(options.counters, !device.counters.empty(), "a CPU", "a GPU");
    return device;
  }
  if (clocked) select_virtual(options.device, options.sanitize);
  int gpus = 0;
  const auto find = [&] {
    auto all = find_gpus();
    gpus = static_cast<int>(all.found.size());
    return all;
  };
  const auto gpu =
      choose_device(clocked ? "cuda:0" : options.device, find, &device.note, rank.place.local_rank.value_or(0));
  if (!gpu) {
    require_counters_of(options.counters, !device.cpu_counters.empty(), "a GPU", "the CPU");
    device.target = cpu_target(machine, options.threads);
    return device;
  }
  require_counters_of(options.counters, !device.counters.empty(), "a CPU", "a GPU");
  use_gpu(*gpu);
  if (!device.note.empty()) device.notes.push_back(fmt::format("{}; this run is on {}", device.note, gpu->name));
  device.note.clear();
  if (options.one_process) cuda::take_late_samples();
  if (auto shared = shared_device(rank, *gpu, gpus, options.device != "auto"); !shared.empty() && !clocked)
    rank.place.conflict = std::move(shared);
  device.target = {Platform::cuda, fingerprint(*gpu), 1, machine, gpu};
  return device;
}

std::optional<Gpu> choose_device(const std::string& device, const std::function<Gpus()>& find, std::string* note,
                                 int number) {
  if (device == "cpu") return std::nullopt;
  if (device == "auto") {
    const auto gpus = find();
    if (note) *note = gpus.why_none;
    if (!gpus.found.empty()) return gpus.found[static_cast<std::size_t>(number) % gpus.found.size()];
    return std::nullopt;
  }
  const std::string prefix = "cuda:";
  const auto index = device.starts_with(prefix) ? as_number<int>(device.substr(prefix.size())) : std::nullopt;
  if (!index || *index < 0)
    throw std::invalid_argument(fmt::format("--device={}: expected auto, cpu, cuda:N or virtual[:DEVICE]", device));
  const auto gpus = find();
  const auto found =
      std::find_if(gpus.found.begin(), gpus.found.end(), [&](const Gpu& gpu) { return gpu.index == index; });
  if (found == gpus.found.end() && !gpus.why_none.empty())
    throw DeviceUnavailable(fmt::format("--device={}: {}; {}", device, gpus.why_none, gpus.what_to_do));
  if (found == gpus.found.end())
    throw DeviceUnavailable(fmt::format("--device={}: there {} {} GPU{}, numbered from 0", device,
                                        gpus.found.size() == 1 ? "is" : "are", gpus.found.size(),
                                        gpus.found.size() == 1 ? "" : "s"));
  return *found;
}

}  // namespace roofline
