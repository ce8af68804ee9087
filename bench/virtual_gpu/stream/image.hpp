#pragma once
#include <cuda_runtime_api.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/virtual_gpu/decode/module.hpp"
#include "bench/virtual_gpu/runtime/fatbin.hpp"
#include "bench/virtual_gpu/runtime/virtual_device.hpp"

namespace roofline::runtime {

struct Image;

/// A kernel as the program knows it: the address of its host stub.
struct Function {
  Image* image = nullptr;
  const void* host = nullptr;
  std::string name;                     ///< mangled
  const ptx::Kernel* kernel = nullptr;  ///< nullptr until its image is loaded
  CompiledKernel compiled;              ///< registers 0: no machine code came with it
  int dynamic_shared_limit = 48 << 10;  ///< bytes; cudaFuncSetAttribute raises it
  int carveout = -1;                    ///< percent of the L1 for shared memory; -1: the driver's choice
  bool refusal_told = false;

  unsigned registers() const { return compiled.registers ? compiled.registers : kernel ? kernel->registers : 0; }
};

/// A __device__, __constant__ or __managed__ variable as the program knows it: the address of its host shadow.
struct Symbol {
  Image* image = nullptr;
  std::string name;
  std::size_t bytes = 0;
  void** managed = nullptr;  ///< host pointer that gets the variable's address
};

/// One registered fat binary: all device code of a source file. Loaded when something of it is used first.
struct Image {
  const void* wrapper = nullptr;
  bool tried = false;
  cudaError_t error = cudaSuccess;  ///< of loading
  unsigned ptx = 0, binary = 0;     ///< architectures of the code that runs: 90 is 9.0
  std::optional<ptx::Module> module;
  std::optional<ptx::Module> slices;  ///< made when a model of caches asks for them
  std::map<std::string, CompiledKernel> compiled;
  std::vector<Function*> functions;
  std::vector<Symbol*> symbols;
};

/// Everything that was registered, by address.
class Images {
 public:
  Image* add(const void* wrapper);
  void add_function(Image* image, const void* host, const char* name);
  void add_symbol(Image* image, const void* host, const char* name, std::size_t bytes, void** managed);

  /// nullptr where nothing is registered under that address. A handle of cudaGetKernel is such an address, too.
  Function* function(const void* host);
  Symbol* symbol(const void* host);

  /// As if nothing had been loaded yet.
  void forget();
  /// The kernel reduced to its accesses (ptx::parse_slices); nullptr where its image has no such kernel.
  const ptx::Kernel* slice(Function& function);
  /// Parses the PTX that the device runs and gives kernels and variables to the memory. Prints one line if this fails;
  /// then the image has no kernels.
  cudaError_t load(Image& image, const VirtualDevice& device, ptx::GlobalMemory& memory);

 private:
  std::deque<Image> images_;
  std::map<const void*, Function> functions_;
  std::map<const void*, Symbol> symbols_;
};

/// One line on stderr from the virtual GPU.
void tell(const std::string& line);

}  // namespace roofline::runtime
