#pragma once
#include <string>
#include <vector>

#include "bench/virtual_gpu/program/counts.hpp"
#include "bench/virtual_gpu/runtime/settings.hpp"
#include "bench/virtual_gpu/runtime/virtual_device.hpp"

namespace roofline::runtime {

/// Whether this build has CUDA code that a virtual device could execute.
bool can_run_virtually();

/// From now on the CUDA runtime's functions, called anywhere in this program, work on a virtual device. Before the
/// first of these calls. Throws FileError when there is no such device.
void select(Settings settings);

/// The same for as long as it lives: then functions go again where they went before. Where a virtual device of this
/// name is selected already nothing changes. What is made on the device must not outlive it.
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

/// Whether they do, and nobody asks for times: what is repeated only to be long enough for a clock need not be.
bool untimed();

/// What all launches of this process executed so far.
ptx::Counts executed();

/// The selected device.
const VirtualDevice& selected_device();

/// What the checks found so far, one line each.
std::vector<std::string> findings();

}  // namespace roofline::runtime
