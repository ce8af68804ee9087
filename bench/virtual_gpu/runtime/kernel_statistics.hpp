#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/virtual_gpu/program/counts.hpp"
#include "bench/virtual_gpu/program/finding.hpp"

namespace roofline::runtime {

/// Sums over all launches of one kernel.
struct KernelStatistics {
  std::string name;  ///< as declared, without its parameters
  std::uint64_t launches = 0;
  unsigned registers = 0;  ///< per thread
  bool compiled = false;   ///< registers are ptxas' own, not an estimate
  ptx::Counts counts;
  std::vector<ptx::Finding> findings;
  std::string failure;  ///< of the launch that failed; empty: none did

  /// FLOPs per byte that the lanes load and store in global and local memory; 0 where nothing is.
  double intensity() const;
  std::uint64_t l1_bytes() const;
  /// Sectors per request of global loads and stores; 0 where there are none.
  double sectors_per_request() const;
};

/// By mangled name, in the order of first launches.
class Statistics {
 public:
  KernelStatistics& of(const std::string& mangled);
  const std::vector<KernelStatistics>& kernels() const { return kernels_; }
  bool empty() const { return kernels_.empty(); }

 private:
  std::vector<KernelStatistics> kernels_;
  std::map<std::string, std::size_t> index_;
};

/// "gpp::kernel<6>" of its mangled name; the name itself where it is not mangled.
std::string readable(const std::string& mangled);

/// One row per kernel, then the findings; aligned columns for a terminal.
std::string table_of(const Statistics& statistics, const std::string& device);
/// The same for programs, with every number of the counts. `program` is the command that was run.
std::string json_of(const Statistics& statistics, const std::string& device, const std::string& program);

}  // namespace roofline::runtime
