#include "bench/machine/openmp_environment.hpp"

#include <cstddef>

#include "bench/text/clean.hpp"

namespace roofline {
namespace {

constexpr std::size_t most = 64;
const char* taken_out[most];
std::size_t number = 0;

// By hand: nothing of the C library is set up yet, and a sanitizer would look into tables that it has not made.
#define ROOFLINE_EARLY \
  __attribute__((no_sanitize("address", "undefined"), optimize("no-tree-loop-distribute-patterns")))

ROOFLINE_EARLY bool begins(const char* text, const char* with) {
  while (*with != '\0')
    if (*text++ != *with++) return false;
  return true;
}

ROOFLINE_EARLY void take_out(int, char**, char** environment) {
  char** keep = environment;
  for (char** at = environment; *at != nullptr; ++at) {
    const bool openmp = begins(*at, "OMP_") || begins(*at, "GOMP_") || begins(*at, "KMP_");
    if (openmp && number < most)
      taken_out[number++] = *at;
    else
      *keep++ = *at;
  }
  *keep = nullptr;
}

// libgomp reads the environment when it is loaded, long before main(); functions of this section run before that. They
// exist in programs only: in a shared library the variables stay, and pin_threads() notices what they do.
#if defined(__ELF__) && (!defined(__PIC__) || defined(__PIE__))
__attribute__((section(".preinit_array"), used)) void (*const early)(int, char**, char**) = take_out;
#else
[[maybe_unused]] void (*const late)(int, char**, char**) = take_out;
#endif

}  // namespace

std::vector<std::string> overridden_openmp_variables() {
  std::vector<std::string> variables;
  for (std::size_t i = 0; i < number; ++i) variables.push_back(clean(taken_out[i]));
  return variables;
}

}  // namespace roofline
