#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/result/results.hpp"

/// The common result of all readers of foreign files: ceilings and points that name their origin.
namespace roofline {

/// The level that a file's name means: L1, L2, L3; HBM, MCDRAM, DDR, global and the like are DRAM. Absent: the name
/// says nothing of a level.
std::optional<MemoryLevel> level_in(const std::string& name);

/// The same of several bandwidths. Names that say nothing are all of DRAM, whose roof is the best of them: a line of
/// `warnings` says so where there are several bandwidths.
std::vector<MemoryLevel> levels_named(const std::vector<std::string>& names, const std::string& origin,
                                      std::vector<std::string>& warnings);

/// The same. A name that says nothing goes by its rank among `count`, near to far; the last one is DRAM.
MemoryLevel level_named(const std::string& name, std::size_t rank, std::size_t count);

/// A bandwidth in B/s; `label` is what the file calls it. Not measured here.
Ceiling imported_bandwidth(MemoryLevel level, const std::string& label, double rate, const std::string& origin);

/// A compute ceiling in FLOP/s. "no-FMA" and the like is the ceiling without FMA; roof_named() says its precision,
/// which is FP64 where the name says nothing.
Ceiling imported_compute(const std::string& label, double rate, const std::string& origin);

/// FLOPs of one launch in one precision, with their kinds where the file has these.
struct ImportedFlops {
  double total = 0;
  std::optional<Operations> kinds = {};

  ImportedFlops() = default;
  ImportedFlops(double flops) : total(flops) {}
  /// Operations from what a file has as real numbers.
  static Operations kinds_of(double add, double mul, double fma);
  ImportedFlops(const Operations& operations) : total(static_cast<double>(operations.flops())), kinds(operations) {}
};

/// A launch, or several of the same kernel, as a profiler or benchmark saw it.
struct ImportedKernel {
  std::string name, shape = {};           ///< shape: other properties that distinguish launches, e.g. the grid
  std::string device = {}, process = {};  ///< that it ran on and belongs to; empty: the file does not say
  std::vector<double> seconds = {};       ///< a launch each; empty: the file has no times
  std::map<std::string, ImportedFlops> flops = {};  ///< by precision, "" where the file does not say which
  std::map<MemoryLevel, Traffic> bytes = {};
  std::map<MemoryLevel, Traffic> rates = {};  ///< bytes per second, of a profiler that gives no bytes
  int threads = 0;                            ///< 0: the file does not say
  bool rate_only = false;                     ///< FLOPs and bytes are of one second: see KernelPoint::rate_only
  std::string note = {};                      ///< what was assumed of it
};

/// The point of a kernel. One precision that has 99 % of the FLOPs is that of the kernel, otherwise it is unknown. Its
/// kinds are known where those of all precisions are. Its account is the file's.
KernelPoint point_of(const ImportedKernel& kernel);

/// Bytes that follow from a point's rates of bytes (ImportedKernel::rates) and its time, once it has one.
void bytes_from_rates(KernelPoint& point);

/// The note about kernels whose file does not have bytes of any level; `needed` says what the file would need, and may
/// be empty.
std::string without_bytes_line(const std::string& origin, const std::vector<std::string>& kernels,
                               const std::string& needed);

/// Launches of one name, shape, device and work (within 1 %) are samples of one kernel, at the median of their times
/// and bytes and the FLOPs of the launch in the middle; others of that name are kernels of their own, and told apart by
/// the device or a number behind the name. `warnings` names those whose FLOPs were not counted, that several processes
/// launched, or without bytes, for which `needed` says what a file would have to have.
std::vector<KernelPoint> points_of(const std::vector<ImportedKernel>& launches, const std::string& origin,
                                   std::vector<std::string>& warnings, const std::string& needed = {});

/// "void step<double>(double*, int)" is "step<double>".
std::string without_parameters(const std::string& kernel);

/// The name of a point that is a whole run of a program: FLOPs of one file and bytes of another belong together.
inline constexpr const char* whole_program = "program";

/// In the note of a kernel whose precision its name says.
inline constexpr const char* by_name = "precision by its name";

/// "fp64", "bf16", "int8" and the like as the words of a name say it (precision_of_word() in roof_names.hpp):
/// gemm<float>, axpy_f32, dgemm; empty: they do not, or several.
std::string precision_in(const std::string& name);

/// A point of which a file knows FLOP/s and intensities, and neither a time (see KernelPoint::rate_only) nor kinds.
/// `precision`: empty where the file does not say it.
KernelPoint imported_point(const std::string& name, double flop_rate, const std::map<MemoryLevel, double>& intensity,
                           const std::string& precision = "fp64");

}  // namespace roofline
