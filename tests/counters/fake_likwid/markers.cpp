// Stands in for LIKWID's library and likwid-perfctr: writes, where the test asks for it, the file that `-m -O` prints,
// with one call and 1000 instructions of each thread that started and stopped a region.
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace {

std::mutex mutex;
std::set<std::thread::id> joined, inside;
std::map<std::string, std::multiset<std::thread::id>> regions;

}  // namespace

extern "C" {

void likwid_markerInit() {}

void likwid_markerThreadInit() {
  const std::scoped_lock lock(mutex);
  joined.insert(std::this_thread::get_id());
}

int likwid_markerStartRegion(const char*) {
  const std::scoped_lock lock(mutex);
  if (!joined.contains(std::this_thread::get_id())) return -14;
  return inside.insert(std::this_thread::get_id()).second ? 0 : -1;
}

int likwid_markerStopRegion(const char* region) {
  const std::scoped_lock lock(mutex);
  if (inside.erase(std::this_thread::get_id()) == 0) return -14;
  regions[region].insert(std::this_thread::get_id());
  return 0;
}

void likwid_markerClose() {
  std::ofstream file(std::getenv("LIKWID_FILEPATH"));
  file << "STRUCT,Info,3\n";
  for (const auto& [region, threads] : regions) {
    const std::set<std::thread::id> each(threads.begin(), threads.end());
    file << "TABLE,Region " << region << ",Group 1 Raw,CLOCK,1\ncall count,";
    for (const auto& thread : each) file << threads.count(thread) << ',';
    file << "\nEvent,Counter";
    for (std::size_t i = 0; i < each.size(); ++i) file << ",HWThread " << i;
    file << "\nINSTR_RETIRED_ANY,FIXC0";
    for (const auto& thread : each) file << ',' << 1000 * threads.count(thread);
    file << '\n';
  }
}
}
