#include "bench/virtual_gpu/stream/image.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace roofline::runtime {
namespace {

std::string architectures(const std::vector<FatbinEntry>& entries) {
  std::string names;
  for (const auto& entry : entries) names += (names.empty() ? "" : ", ") + entry.name();
  return names.empty() ? "nothing" : names;
}

/// The PTX to run, with the reason on stderr where it is not what a real device would take.
const FatbinEntry* ptx_for(const std::vector<FatbinEntry>& entries, const VirtualDevice& device) {
  if (const auto* const entry = choose_ptx(entries, device.capability)) return entry;
  constexpr unsigned oldest_of_nvcc = 75;
  const auto* const entry = device.capability < oldest_of_nvcc ? lowest_ptx(entries) : nullptr;
  static bool told = false;
  if (entry && !std::exchange(told, true))
    tell(fmt::format("{} has compute capability {}.{}, for which this compiler makes no code: running {}", device.name,
                     device.major(), device.minor(), entry->name()));
  return entry;
}

void link(Image& image) {
  for (auto* const function : image.functions) {
    function->kernel = image.module->kernel(function->name);
    if (const auto found = image.compiled.find(function->name); found != image.compiled.end())
      function->compiled = found->second;
  }
  for (auto* const symbol : image.symbols) {
    const auto* const variable = image.module->variable(symbol->name);
    if (variable && symbol->managed) *symbol->managed = variable->address;
  }
}

cudaError_t load_image(Image& image, const VirtualDevice& device, ptx::GlobalMemory& memory) {
  const auto entries = read_fatbin(fatbin_of_wrapper(image.wrapper));
  const auto* const entry = ptx_for(entries, device);
  if (!entry) {
    // Device links leave an empty one behind, from which nothing is ever asked.
    if (image.functions.empty() && image.symbols.empty()) return cudaSuccess;
    tell(
        fmt::format("no PTX for compute capability {}.{} in this program (it has {}); compile it with nvcc -gencode "
                    "arch=compute_75,code=compute_75 or the like, without -rdc=true",
                    device.major(), device.minor(), architectures(entries)));
    return cudaErrorNoKernelImageForDevice;
  }
  const auto* const cubin = choose_cubin(entries, device.capability);
  image.ptx = entry->architecture;
  image.binary = cubin ? cubin->architecture : device.capability;
  // Registers of the nearest machine code are better than an estimate, even where it is not what would run.
  const FatbinEntry* compiled = cubin;
  for (const auto& other : entries)
    if (!compiled && other.kind == FatbinEntry::Kind::elf) compiled = &other;
  if (compiled) image.compiled = compiled_kernels(compiled->contents());
  image.module.emplace(ptx::parse(entry->contents()));
  image.module->add_to(memory);
  link(image);
  return cudaSuccess;
}

}  // namespace

void tell(const std::string& line) { std::fprintf(stderr, "virtual GPU: %s\n", line.c_str()); }

Image* Images::add(const void* wrapper) {
  auto& image = images_.emplace_back();
  image.wrapper = wrapper;
  return &image;
}

void Images::add_function(Image* image, const void* host, const char* name) {
  auto& function = functions_[host];
  function.image = image;
  function.host = host;
  function.name = name;
  image->functions.push_back(&function);
}

void Images::add_symbol(Image* image, const void* host, const char* name, std::size_t bytes, void** managed) {
  auto& symbol = symbols_[host];
  symbol = {image, name, bytes, managed};
  image->symbols.push_back(&symbol);
}

void Images::forget() {
  for (auto& image : images_) {
    image.tried = false;
    image.module.reset();
    image.slices.reset();
    image.compiled.clear();
    for (auto* const function : image.functions) {
      function->kernel = nullptr;
      function->compiled = {};
      function->dynamic_shared_limit = Function().dynamic_shared_limit;
    }
  }
}

Function* Images::function(const void* host) {
  const auto found = functions_.find(host);
  return found == functions_.end() ? nullptr : &found->second;
}

Symbol* Images::symbol(const void* host) {
  const auto found = symbols_.find(host);
  return found == symbols_.end() ? nullptr : &found->second;
}

const ptx::Kernel* Images::slice(Function& function) {
  auto& image = *function.image;
  if (!image.module) return nullptr;
  if (!image.slices)
    for (const auto& entry : read_fatbin(fatbin_of_wrapper(image.wrapper)))
      if (entry.kind == FatbinEntry::Kind::ptx && entry.architecture == image.ptx && !image.slices)
        image.slices.emplace(ptx::parse_slices(entry.contents(), *image.module));
  return image.slices ? image.slices->kernel(function.name) : nullptr;
}

cudaError_t Images::load(Image& image, const VirtualDevice& device, ptx::GlobalMemory& memory) {
  if (std::exchange(image.tried, true)) return image.error;
  try {
    image.error = load_image(image, device, memory);
  } catch (const FatbinError& error) {
    tell(error.what());
    image.error = cudaErrorInvalidKernelImage;
  } catch (const ptx::ParseError& error) {
    tell(error.what());
    image.error = cudaErrorInvalidPtx;
  }
  return image.error;
}

}  // namespace roofline::runtime
