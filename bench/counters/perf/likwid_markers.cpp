#include "bench/counters/perf/likwid_markers.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <utility>

#include "bench/counters/unavailable.hpp"

namespace roofline::perf {
namespace {

/// Whether somebody has preloaded markers of his own: `roofline cpu`, which counts between them.
bool are_preloaded() { return ::dlsym(RTLD_DEFAULT, "likwid_markerStartRegion") != nullptr; }

void* loaded_likwid() {
  if (are_preloaded()) return ::dlopen(nullptr, RTLD_NOW);
  for (const char* const name : {"liblikwid.so.5", "liblikwid.so"})
    if (void* const library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  throw CountersUnavailable(
      "likwid-perfctr -m: liblikwid.so.5 cannot be loaded: LD_LIBRARY_PATH=<folder of LIKWID's libraries>");
}

}  // namespace

template <class Function>
Function* LikwidMarkers::function(const char* name) const {
  if (auto* const found = reinterpret_cast<Function*>(::dlsym(library_, name))) return found;
  throw CountersUnavailable(fmt::format("likwid-perfctr -m: LIKWID's library has no {}", name));
}

bool LikwidMarkers::wanted() {
  return (std::getenv("LIKWID_MODE") && std::getenv("LIKWID_FILEPATH")) || are_preloaded();
}

LikwidMarkers::LikwidMarkers(std::shared_ptr<CounterSource> modelled)
    : modelled_(std::move(modelled)), library_(loaded_likwid()) {
  start_ = function<int(const char*)>("likwid_markerStartRegion");
  stop_ = function<int(const char*)>("likwid_markerStopRegion");
  close_ = function<void()>("likwid_markerClose");
  const auto begin = function<void()>("likwid_markerInit");
  const auto join = function<void()>("likwid_markerThreadInit");
  begin();
#pragma omp parallel
  join();
}

LikwidMarkers::~LikwidMarkers() { close_(); }

std::optional<Counts> LikwidMarkers::count(const std::string& row, const Workload& work) {
  work.launch();
  std::atomic<int> refused = 0;
#pragma omp parallel
  if (const int code = start_(row.c_str())) refused = code;
  work.launch();
#pragma omp parallel
  if (const int code = stop_(row.c_str())) refused = code;
  if (refused)
    throw CountersUnavailable(fmt::format(
        "likwid-perfctr -m: LIKWID's markers answer {}: -c must name the CPUs of all threads", refused.load()));
  return modelled_ ? modelled_->count(row, work) : std::nullopt;
}

}  // namespace roofline::perf
