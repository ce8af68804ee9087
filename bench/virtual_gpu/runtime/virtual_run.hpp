#pragma once
#include <string>
#include <vector>

#include "bench/virtual_gpu/program/counts.hpp"
#include "bench/virtual_gpu/runtime/settings.hpp"
#include "bench/virtual_gpu/runtime/virtual_device.hpp"

namespace roofline::runtime {

/// Whether this build has CUDA code that a virtual device could execute.
bool can_run_virtually();

/// From now on the CUDA runtime's functions, called anywhere in this program, work on a virtual device. Call it before
/// the first of these calls. Throws FileError when there is no such device.
void select(Settings settings);

/// Selects the device for the lifetime of this object; then the previous selection is restored. Nothing changes if a
/// virtual device of this name is already selected. Objects made on the device must not outlive the scope.
class Scope {
 public:
  explicit Scope(const std::string& device);
  /// On a device of its own.
  explicit Scope(Settings settings);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  bool selected_here_ = false;
};

/// Whether they do so just now.
bool selected();

/// Whether functions go to a virtual device and nobody asks for times. Repetitions that only serve a clock can then be
/// skipped.
bool untimed();

/// Counts of all launches of this process so far.
ptx::Counts executed();

/// The selected device.
const VirtualDevice& selected_device();

/// The findings of the checks so far, one line each.
std::vector<std::string> findings();

}  // namespace roofline::runtime
