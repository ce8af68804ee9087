// How fast memory is, place by place: places GIB [SWEEPS], on the threads that OpenMP has.
//   g++ -std=c++20 -O2 -march=native -fopenmp tests/trials/places.cpp -o places && nice -n -20 ./places 8 >places.csv
// Writes the median rate of reads from each 64 MiB, in GB/s, of the first and of the second half of the sweeps. Places
// that are faster in both halves are faster because of where they lie.
#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr std::size_t place = std::size_t{64} << 20, doubles = place / sizeof(double);

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double sum(const double* from, std::size_t n) {
  constexpr std::size_t chains = 32;
  double sums[chains] = {};
  for (std::size_t i = 0; i < n; i += chains)
    for (std::size_t k = 0; k < chains; ++k) sums[k] += from[i + k];
  double total = 0;
  for (const double one : sums) total += one;
  return total;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

}  // namespace

int main(int count, char** arguments) {
  const std::size_t places = (count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 8) * 16;
  const int sweeps = count > 2 ? std::atoi(arguments[2]) : 20;
  void* const mapped = mmap(nullptr, places * place, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED || sweeps < 2) return 1;
  madvise(mapped, places * place, MADV_HUGEPAGE);
  auto* const memory = static_cast<double*>(mapped);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < places * doubles; i += 512) memory[i] = 1;
  std::vector<std::vector<double>> halves[2] = {std::vector<std::vector<double>>(places),
                                                std::vector<std::vector<double>>(places)};
  double kept = 0;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t at = 0; at < places; ++at) {
      const double begin = seconds();
      double total = 0;
#pragma omp parallel reduction(+ : total)
      {
        const auto part = doubles / static_cast<std::size_t>(omp_get_num_threads()) / 32 * 32;
        total += sum(memory + at * doubles + static_cast<std::size_t>(omp_get_thread_num()) * part, part);
      }
      halves[2 * sweep / sweeps][at].push_back(place / (seconds() - begin) * 1e-9);
      kept += total;
    }
  std::puts("place,first_half,second_half");
  for (std::size_t at = 0; at < places; ++at)
    std::printf("%zu,%.2f,%.2f\n", at, median(halves[0][at]), median(halves[1][at]));
  return kept == 0;
}
