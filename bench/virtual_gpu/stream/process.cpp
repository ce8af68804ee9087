#include "bench/virtual_gpu/stream/process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

#include "bench/virtual_gpu/stream/perform.hpp"

namespace roofline::runtime {
namespace {

std::string program_name() {
  std::string line;
  if (std::FILE* const file = std::fopen("/proc/self/cmdline", "r")) {
    for (int c; (c = std::fgetc(file)) != EOF;) line += c == 0 ? ' ' : static_cast<char>(c);
    std::fclose(file);
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

void write_report(const std::string& path, const std::string& text) {
  const auto temporary = fmt::format("{}.{}", path, getpid());
  std::FILE* const file = std::fopen(temporary.c_str(), "w");
  const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (!file || std::fclose(file) != 0 || !written || std::rename(temporary.c_str(), path.c_str()) != 0) {
    tell(fmt::format("cannot write {}", path));
    std::remove(temporary.c_str());
  }
}

}  // namespace

void Process::start(Settings new_settings) {
  const bool first = !started();
  std::vector<VirtualDevice> all;
  std::istringstream names(new_settings.device);
  const bool is_text = new_settings.device.starts_with('{');  // of one device, and full of commas
  for (std::string name; std::getline(names, name, is_text ? '\0' : ',') || all.empty();)
    all.push_back(find_virtual_device(name));
  devices = std::move(all);
  current = 0;
  device = devices.front();
  settings = std::move(new_settings);
  images.forget();
  streams = {};
  events = {};
  execs = {};
  graphs.clear();
  captures.clear();
  host_ranges.clear();
  legacy = {};
  timeline = {};
  statistics = {};
  timeline.seconds_per_call = settings.call_seconds;
  sticky = late = cudaSuccess;
  ptx::track_writes(settings.check_init);
  memory = std::make_unique<ptx::GlobalMemory>(device.memory);
  if (first) std::atexit([] { process().report(); });
}

Stream* Process::stream(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return &legacy;
  if (handle != cudaStreamPerThread) return streams.find(handle);
  thread_local Stream* own = nullptr;
  if (!own || !streams.find(own)) own = streams.add(std::make_unique<Stream>());
  return own;
}

Graph* Process::graph(const void* handle) {
  const auto found = graphs.find(handle);
  return found == graphs.end() ? nullptr : found->second.get();
}

Node* Process::node(const void* handle) {
  const auto in = [&](Graph& graph) -> Node* {
    const auto found =
        std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](Node& node) { return &node == handle; });
    return found == graph.nodes.end() ? nullptr : &*found;
  };
  for (const auto& [key, graph] : graphs)
    if (auto* const found = in(*graph)) return found;
  return nullptr;
}

cudaError_t Process::resolve(const void* host, Function*& function) {
  function = images.function(host);
  if (!function) return cudaErrorInvalidDeviceFunction;
  if (const auto error = images.load(*function->image, device, *memory); error != cudaSuccess) return error;
  return function->kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t Process::resolve(const void* host, std::byte*& address, std::size_t& bytes) {
  auto* const symbol = images.symbol(host);
  if (!symbol) return cudaErrorInvalidSymbol;
  if (const auto error = images.load(*symbol->image, device, *memory); error != cudaSuccess) return error;
  const auto* const variable = symbol->image->module ? symbol->image->module->variable(symbol->name) : nullptr;
  if (!variable) return cudaErrorInvalidSymbol;
  address = variable->address;
  bytes = variable->bytes ? variable->bytes : symbol->bytes;
  return cudaSuccess;
}

void Process::advance(Stream& stream, Timeline::Engine engine, double seconds) {
  if (is_legacy(&stream))
    timeline.submit_legacy(engine, seconds);
  else
    timeline.submit(stream.lane, engine, seconds);
}

double Process::ready(const Stream& stream) const {
  return is_legacy(&stream) ? timeline.legacy_ready() : stream.lane.ready;
}

double Process::clock(const Stream& stream) const {
  const double at = std::max(timeline.now(), ready(stream));
  if (at >= settings.clock_ramp) return device.clock;
  return settings.clock_from + (device.clock - settings.clock_from) * at / settings.clock_ramp;
}

cudaError_t Process::submit(Stream& stream, Work work) {
  if (stream.capture) {
    auto& capture = *stream.capture;
    if (capture.invalidated) return cudaErrorStreamCaptureInvalidated;
    stream.tail = {capture.graph->add(std::move(work), stream.tail)};
    return cudaSuccess;
  }
  if (is_legacy(&stream))
    for (const auto& capture : captures)
      if (std::any_of(capture->streams.begin(), capture->streams.end(), [](Stream* s) { return s->lane.blocking; })) {
        capture->invalidated = true;
        return cudaErrorStreamCaptureImplicit;
      }
  return perform(stream, work);
}

cudaError_t Process::perform(Stream& stream, const Work& work) {
  return std::visit([&](const auto& kind) { return runtime::perform(*this, stream, kind); }, work);
}

cudaError_t Process::synchronise(Stream* stream) {
  if (stream && stream->capture) {
    stream->capture->invalidated = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  if (!stream)
    if (const auto error = refuse_in_capture(); error != cudaSuccess) return error;
  if (const auto fault = settings.faults.next(Site::synchronise)) late = error_of(*fault);
  if (late != cudaSuccess) sticky = std::exchange(late, cudaSuccess);
  if (sticky != cudaSuccess) return sticky;
  if (stream)
    timeline.wait(ready(*stream));
  else
    timeline.wait_for_all();
  return cudaSuccess;
}

cudaError_t Process::refuse_in_capture() {
  for (const auto& capture : captures)
    if (capture->mode != cudaStreamCaptureModeRelaxed) {
      capture->invalidated = true;
      return cudaErrorStreamCaptureUnsupported;
    }
  return cudaSuccess;
}

void Process::report() {
  if (!started() || statistics.empty()) return;
  if (settings.table) std::fputs(table_of(statistics, device.title).c_str(), stderr);
  if (!settings.report.empty()) write_report(settings.report, json_of(statistics, device.title, program_name()));
}

Process& process() {
  static auto& process = *new Process;
  return process;
}

const HostRange* host_range(const Process& process, const void* address) {
  auto found = process.host_ranges.upper_bound(const_cast<void*>(address));
  if (found == process.host_ranges.begin()) return nullptr;
  --found;
  const auto offset = static_cast<const std::byte*>(address) - static_cast<const std::byte*>(found->first);
  return static_cast<std::size_t>(offset) < found->second.bytes ? &found->second : nullptr;
}

std::size_t host_memory_available() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::size_t kibibytes = 0;
  while (file >> key >> kibibytes && std::getline(file, unit))
    if (key == "MemAvailable:") return kibibytes / 8 * 7 * 1024;
  return std::numeric_limits<std::size_t>::max();
}

}  // namespace roofline::runtime
