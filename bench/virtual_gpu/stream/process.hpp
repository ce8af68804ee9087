#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "bench/virtual_gpu/execute/memory.hpp"
#include "bench/virtual_gpu/runtime/kernel_statistics.hpp"
#include "bench/virtual_gpu/runtime/recording.hpp"
#include "bench/virtual_gpu/runtime/settings.hpp"
#include "bench/virtual_gpu/runtime/timeline.hpp"
#include "bench/virtual_gpu/stream/graph.hpp"
#include "bench/virtual_gpu/stream/image.hpp"

namespace roofline::runtime {

struct Stream;

/// Streams whose work goes into a graph instead of being done.
struct Capture {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  Stream* origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  bool invalidated = false;
  std::set<Stream*> streams;
  std::vector<Node*> left;  ///< tails of streams that were destroyed meanwhile: they, too, must be joined
};

struct Stream {
  Timeline::Lane lane;
  bool behind_event = false;  ///< an event was recorded last
  int priority = 0;
  std::shared_ptr<Capture> capture;  ///< null unless capturing
  std::vector<Node*> tail;           ///< of the capture: the dependences of the next operation
};

struct Event {
  unsigned flags = cudaEventDefault;
  bool recorded = false;
  double at = 0;                     ///< on the timeline
  std::shared_ptr<Capture> capture;  ///< it was last recorded in
  std::vector<Node*> nodes;          ///< of that capture
};

/// Objects that callers hold by pointer: whoever asks with anything else gets no object.
template <class T>
class Handles {
 public:
  T* add(std::unique_ptr<T> object) { return (objects_[object.get()] = std::move(object)).get(); }
  T* find(const void* handle) const {
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second.get();
  }
  bool remove(const void* handle) { return objects_.erase(handle) == 1; }
  auto begin() const { return objects_.begin(); }
  auto end() const { return objects_.end(); }

 private:
  std::map<const void*, std::unique_ptr<T>> objects_;
};

/// Memory of the host that the device reaches.
struct HostRange {
  std::size_t bytes = 0;
  bool registered = false;  ///< the program's own memory
};

/// The virtual devices of this process, one of them in use, and all that programs made on it: in one memory, whoever's.
/// Everything happens under its lock, at once and in the order of the calls.
struct Process {
  std::recursive_mutex mutex;
  Settings settings;
  std::vector<VirtualDevice> devices;
  int current = 0;
  VirtualDevice device;  ///< the current one
  std::unique_ptr<ptx::GlobalMemory> memory;
  Timeline timeline;
  Images images;
  Statistics statistics;

  Handles<Stream> streams;
  Handles<Event> events;
  Handles<GraphExec> execs;
  std::map<const void*, std::shared_ptr<Graph>> graphs;
  std::set<std::shared_ptr<Capture>> captures;
  std::map<void*, HostRange> host_ranges;
  Stream legacy;

  bool recording = false;  ///< launches are kept
  bool recording_executes = true;
  std::vector<RecordedLaunch> recorded;

  cudaError_t sticky = cudaSuccess;  ///< ends everything: no call succeeds any more
  cudaError_t late = cudaSuccess;    ///< of work that the program has not waited for yet: becomes sticky

  /// Makes the device that the settings name, and everything anew but what compiled code registered. Throws FileError.
  void start(Settings new_settings);
  bool started() const { return memory != nullptr; }

  /// The stream of a handle: the legacy default stream for 0 and cudaStreamLegacy, this thread's own for
  /// cudaStreamPerThread. nullptr when there is none.
  Stream* stream(cudaStream_t handle);
  bool is_legacy(const Stream* stream) const { return stream == &legacy; }
  Graph* graph(const void* handle);
  /// The node, when its graph still lives.
  Node* node(const void* handle);

  /// Loads the function's code. cudaErrorInvalidDeviceFunction when it was never registered.
  cudaError_t resolve(const void* host, Function*& function);
  /// The address of a variable.
  cudaError_t resolve(const void* host, std::byte*& address, std::size_t& bytes);

  /// Does `work` on the stream, or adds it to the graph that the stream captures. An error in a kernel shows later, as
  /// on a device.
  cudaError_t submit(Stream& stream, Work work);
  /// Does it now, whatever the stream captures.
  cudaError_t perform(Stream& stream, const Work& work);
  /// The host waits for the stream, or for everything (nullptr). Late errors become sticky.
  cudaError_t synchronise(Stream* stream);
  /// Invalidates a capture, for a call that waits or allocates and so is not allowed while a graph is captured.
  cudaError_t refuse_in_capture();
  /// Lets the stream's lane pass `seconds` on an engine.
  void advance(Stream& stream, Timeline::Engine engine, double seconds);
  double ready(const Stream& stream) const;
  /// Hz of the SMs while what comes next on the stream is done.
  double clock(const Stream& stream) const;

  /// Table and JSON, once, when the process ends and something was launched.
  void report();
};

/// Lives until the process ends, also for static destructors.
Process& process();

/// The pinned or registered range that holds the address; nullptr when there is none.
const HostRange* host_range(const Process& process, const void* address);

/// Bytes that the host can still give away without swapping, from /proc/meminfo; the largest number where that is not
/// there. Some are held back for the program itself.
std::size_t host_memory_available();

}  // namespace roofline::runtime
