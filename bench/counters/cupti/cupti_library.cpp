#include "bench/counters/cupti/cupti_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "bench/counters/unavailable.hpp"
#include "bench/machine/cgroup.hpp"

namespace roofline {
namespace {

std::string file_name() { return cupti_file_name(CUDA_VERSION); }

/// Parts of the names of the libraries that profilers and checkers load into a process.
constexpr std::array injected{"libToolsInjection",    "libcuda-injection",       "libTreeLauncherTargetInjection",
                              "libInterceptorInject", "libsanitizer-collection", "libcuinj64",
                              "libaccinj64"};

/// CUPTI opens libnvperf_host.so by its bare name, which finds it only in the loader's own search path. Loaded before,
/// it is found by that name; without it every host call fails.
void load_nvperf_beside(void* symbol) {
  Dl_info where{};
  if (!::dladdr(symbol, &where) || !where.dli_fname) return;
  const auto beside = std::filesystem::path(where.dli_fname).parent_path() / "libnvperf_host.so";
  ::dlopen(beside.c_str(), RTLD_NOW | RTLD_GLOBAL);  // no matter if it fails: the loader may know another one
}

/// Names one function that is missing, empty when all are there.
std::string bind(void* library, CuptiFunctions& f) {
  std::string missing;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
    if (!function) missing = name;
  };
#define ROOFLINE_FIND(member, function) find(f.member, #function);
  ROOFLINE_CUPTI_FUNCTIONS(ROOFLINE_FIND)
#undef ROOFLINE_FIND
  find(f.finalize, "cuptiFinalize");
  return missing;
}

}  // namespace

std::vector<std::string> cupti_places() {
  std::vector<std::string> places;
  const auto add_toolkit = [&](const std::string& toolkit) {
    for (const char* folder :
         {"/extras/CUPTI/lib64/", "/lib64/", "/targets/x86_64-linux/lib/", "/targets/sbsa-linux/lib/"})
      places.push_back(toolkit + folder + file_name());
  };
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* toolkit = std::getenv(variable); toolkit && *toolkit) add_toolkit(toolkit);
  places.push_back(file_name());
  add_toolkit("/usr/local/cuda");
  return places;
}

unsigned cuda_major_of_cupti(unsigned api_version) {
  // cupti_version.h: 1 to 18 in CUDA 4 to 11, 19 to 28 in CUDA 12, since then 130001 is the first update of 13.0.
  return api_version >= 10000 ? api_version / 10000 : api_version >= 19 ? 12 : 11;
}

std::string cupti_file_name(unsigned cuda_version) { return fmt::format("libcupti.so.{}", cuda_version / 1000); }

std::string cupti_version_text(unsigned api_version) {
  if (api_version < 10000) return fmt::format("{}.x (API {})", cuda_major_of_cupti(api_version), api_version);
  return fmt::format("{}.{}.{}", api_version / 10000, api_version / 100 % 100, api_version % 100);
}

std::string attached_tool(const char* injection, const std::string& maps) {
  if (injection && *injection) return fmt::format("CUDA_INJECTION64_PATH={}", injection);
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);)
    for (const char* const name : injected)
      if (const auto at = line.rfind('/'); at != line.npos && line.compare(at + 1, std::strlen(name), name) == 0)
        return line.substr(at + 1);
  return {};
}

CuptiLibrary load_cupti(const std::vector<std::string>& places) {
  const auto tool = attached_tool(std::getenv("CUDA_INJECTION64_PATH"), read_text("/proc/self/maps"));
  if (!tool.empty())
    throw CountersUnavailable(fmt::format(
        "another tool is attached ({}) and only one can count: run without it, or with --counters=none", tool));
  constexpr unsigned wanted = CUDA_VERSION / 1000;
  std::string unusable;
  for (const auto& place : places) {
    void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    CuptiLibrary cupti{{}, place, 0};
    std::string why;
    if (const auto missing = bind(library, cupti.functions); !missing.empty())
      why = fmt::format("{} has no {}: too old", place, missing);
    else if (cupti.functions.get_version(&cupti.version) != CUPTI_SUCCESS)
      why = fmt::format("{} does not say its version", place);
    else if (cuda_major_of_cupti(cupti.version) != wanted)
      why = fmt::format("{} is CUPTI {}, this program was compiled for {}", place, cupti_version_text(cupti.version),
                        cupti_version_text(CUPTI_API_VERSION));
    if (why.empty()) {
      load_nvperf_beside(reinterpret_cast<void*>(cupti.functions.get_version));
      return cupti;
    }
    if (unusable.empty()) unusable = why;
    ::dlclose(library);
  }
  throw CountersUnavailable(fmt::format("{}; install CUPTI of CUDA {} or set CUDA_PATH to its toolkit",
                                        unusable.empty() ? file_name() + " was not found (no GPU counters)" : unusable,
                                        wanted));
}

}  // namespace roofline
