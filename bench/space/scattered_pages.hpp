#pragma once
#include <cstddef>
#include <cstdint>

namespace roofline {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Addresses of whole huge pages.
struct Mapping {
  std::uintptr_t begin = 0, end = 0;

  std::size_t bytes() const { return end - begin; }
};

/// The largest mapping that is scattered. A larger one lies in many places anyway.
inline constexpr std::size_t most_scattered = std::size_t{512} << 20;

/// Gives a mapping of this process, whose contents are lost, huge pages from all over some GiB, drawn at random. They
/// are readable and writable, and hold anything.
///
/// Places of memory differ, and each keeps its rate: in a virtual machine 64 MiB side by side gave between 14 and 20
/// GB/s (results/precision). If a kernel's arrays lie in one place and its roof's in another, the share says where they
/// lie. Arrays that lie everywhere are alike in every run.
///
/// Returns false and changes nothing where memory is short, or has several nodes, where a page belongs to the threads
/// that touch it first. Throws std::bad_alloc.
bool scatter(Mapping mapping);

/// Keeps the pages of a mapping for the next ones and returns true, if scatter() has filled it.
bool take_back(Mapping mapping);

/// Bytes that are kept for the next mappings.
double kept_bytes();

/// Gives them back to the system.
void release_kept_pages();

}  // namespace roofline
