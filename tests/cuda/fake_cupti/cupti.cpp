// Stands in for libcupti.so of this toolkit: answers every function that the program uses, sees that they come in the
// documented order and that everything is given back, and refuses one call where it is told to.
// clang-format off
// cupti_profiler_host.h uses std::string and does not include it.
#include "tests/cuda/fake_cupti/fake_cupti.hpp"

#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <cupti_version.h>
// clang-format on
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

namespace {

roofline::testing::FakeCupti fake;
std::set<const void*> hosts;  // objects that are not given back
bool initialised = false, enabled = false, configured = false, started = false, pushed = false, decoded = false;
std::size_t pass = 0;

const char* variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

const int journal = ::open(variable("FAKE_CUPTI_JOURNAL"), O_WRONLY | O_CREAT | O_APPEND, 0644);

void need(bool condition, const char* otherwise) {
  if (condition) return;
  fake.complaints.push_back(fake.calls.back() + ": " + otherwise);
  if (journal >= 0) ::dprintf(journal, "complaint %s\n", fake.complaints.back().c_str());
}

/// The function of a real library that is to answer; null: this one does.
void* real(const std::string& name) {
  const auto& path = fake.real_host;
  const bool host = name.starts_with("cuptiProfilerHost") && name != "cuptiProfilerHostEvaluateToGpuValues";
  if (path.empty() || !host) return nullptr;
  static void* const library = [&] {
    const auto nvperf = path.substr(0, path.rfind('/')) + "/libnvperf_host.so";
    ::dlopen(nvperf.c_str(), RTLD_NOW | RTLD_GLOBAL);
    return ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }();
  return ::dlsym(library, name.c_str());
}

/// `body` checks the order and keeps the state; where it is to answer, it does. Calls that give something back do so
/// even where they say that they failed: there is no other way to.
template <class P, class Body>
CUptiResult answered(const std::string& name, P* p, bool gives_back, Body body) {
  fake.calls.push_back(name);
  // Words for a code are asked for only where a call fails.
  const std::string fails = fake.fails == "cuptiGetResultString" ? "cuptiProfilerDeviceSupported" : fake.fails;
  const bool refused = fails == name && std::count(fake.calls.begin(), fake.calls.end(), name) == fake.at;
  auto code = refused ? fake.code : CUPTI_SUCCESS;
  auto* const function = refused ? nullptr : real(name);
  if (gives_back) body(!function);  // before a real library forgets what it was
  if (function) code = reinterpret_cast<CUptiResult (*)(P*)>(function)(p);
  if (journal >= 0) ::dprintf(journal, "%s\n", name.c_str());
  if (code == CUPTI_SUCCESS && !gives_back) body(!function);
  return code;
}

template <class P>
P* parameter_of(CUptiResult (*)(P*));

/// FAKE_CUPTI of a process that was started with it.
const bool told = [] {
  char name[64] = "";
  int code = 0;
  if (std::sscanf(variable("FAKE_CUPTI"), "%63[^:]:%d:%d", name, &code, &fake.at) == 3)
    fake.fails = name, fake.code = static_cast<CUptiResult>(code);
  return true;
}();

}  // namespace

#define FAKE(name, gives_back, ...)                                                       \
  CUptiResult name(decltype(parameter_of(&name)) p) {                                     \
    return answered(#name, p, gives_back, [&]([[maybe_unused]] bool answer) __VA_ARGS__); \
  }
// clang-format off
#define OF_HOST(name, ...) FAKE(name, false, { need(hosts.contains(p->pHostObject), "no such object"); __VA_ARGS__; })
#define OF_CUPTI(name, ...) FAKE(name, false, { need(initialised, "before initialisation"); __VA_ARGS__; })
#define OF_PROFILER(name, condition, ...) FAKE(name, false, { need(enabled && condition, #condition); __VA_ARGS__; })

// clang-format on

extern "C" {
roofline::testing::FakeCupti* fake_cupti() {
  fake.open = hosts.empty() ? "" : "host objects ";
  for (const auto& [open, name] :
       {std::pair{initialised, "CUPTI "}, {enabled, "range profiler "}, {started, "pass "}, {pushed, "range "}})
    if (open) fake.open += name;
  return &fake;
}
CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
  return fake.fails == "cuptiGetResultString" ? fake.code : (*text = "words", CUPTI_SUCCESS);
}
CUptiResult cuptiFinalize() {
  return answered("cuptiFinalize", &pass, true, [](bool) { need(!initialised, "in use"); });
}
// clang-format off
FAKE(cuptiGetVersion, false, {
  constexpr unsigned last_of_cuda_12 = 28;
  Dl_info where{};
  ::dladdr(reinterpret_cast<void*>(&cuptiGetVersion), &where);
  if (answer) *p = std::strstr(where.dli_fname, "/cuda-12/") ? last_of_cuda_12 : CUPTI_API_VERSION;
})
FAKE(cuptiProfilerHostGetSupportedChips, false, {})
FAKE(cuptiProfilerHostInitialize, false, {
  if (answer) p->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(new char);
  hosts.insert(p->pHostObject);
})
FAKE(cuptiProfilerHostDeinitialize, true, {
  need(hosts.erase(p->pHostObject) == 1, "no such object");
  if (answer) delete reinterpret_cast<char*>(p->pHostObject);
})
OF_HOST(cuptiProfilerHostGetMetricProperties)
OF_HOST(cuptiProfilerHostConfigAddMetrics)
OF_HOST(cuptiProfilerHostGetConfigImageSize, if (answer) p->configImageSize = 16)
OF_HOST(cuptiProfilerHostGetConfigImage)
FAKE(cuptiProfilerHostGetNumOfPasses, false, { if (answer) p->numOfPasses = fake.planned_passes; })
OF_HOST(cuptiProfilerHostEvaluateToGpuValues, need(decoded, "before decoding");
        for (std::size_t i = 0; answer && i < p->numMetrics; ++i) p->pMetricValues[i] = fake.value(p->ppMetricNames[i]))
FAKE(cuptiProfilerInitialize, false, { need(!std::exchange(initialised, true), "already"); })
FAKE(cuptiProfilerDeInitialize, true, { need(std::exchange(initialised, false) && !enabled, "in use"); })
OF_CUPTI(cuptiProfilerDeviceSupported, if (answer) {
  p->architecture = p->sli = p->vGpu = p->cmp = p->wsl = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
  p->confidentialCompute = fake.confidential, p->isSupported = fake.supported;
})
OF_CUPTI(cuptiDeviceGetChipName, if (answer) p->pChipName = "GH100")
OF_CUPTI(cuptiProfilerGetCounterAvailability, need(!enabled, "in a session");
         if (answer) p->counterAvailabilityImageSize = fake.real_host.empty() ? 8 : 0)
OF_CUPTI(cuptiRangeProfilerEnable, need(!std::exchange(enabled, true), "already"); configured = decoded = false;
         if (answer) p->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(&enabled))
FAKE(cuptiRangeProfilerDisable, true, { need(std::exchange(enabled, false) && !started && !pushed, "in a pass"); })
OF_PROFILER(cuptiRangeProfilerGetCounterDataSize, true, if (answer) p->counterDataSize = 32)
OF_PROFILER(cuptiRangeProfilerCounterDataImageInitialize, true)
OF_PROFILER(cuptiRangeProfilerSetConfig, !started, configured = true; decoded = false; pass = 0;
            need(p->range == CUPTI_UserRange && p->replayMode == CUPTI_UserReplay, "of another way"))
OF_PROFILER(cuptiRangeProfilerStart, configured && !std::exchange(started, true))
OF_PROFILER(cuptiRangeProfilerPushRange, started && !std::exchange(pushed, true), fake.begin())
FAKE(cuptiRangeProfilerPopRange, true, { need(std::exchange(pushed, false), "without a range"); fake.end(pass); })
FAKE(cuptiRangeProfilerStop, true, {
  need(std::exchange(started, false) && !pushed, "without a pass, or in a range");
  if (++pass; answer) p->isAllPassSubmitted = pass >= fake.needed_passes;
})
OF_PROFILER(cuptiRangeProfilerDecodeData, !started && pass > 0, decoded = true;
            if (answer) p->numOfRangeDropped = fake.dropped)
FAKE(cuptiRangeProfilerGetCounterDataInfo, false, {
  need(decoded, "before decoding");
  if (answer) p->numTotalRanges = fake.ranges;
})
// clang-format on
}
