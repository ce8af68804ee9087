// Variables of device code.
#include "bench/virtual_gpu/stream/entry_point.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

using namespace roofline::runtime;

namespace {

/// The bytes [offset, offset + count) of a variable.
cudaError_t part(Process& state, const void* symbol, std::size_t offset, std::size_t count, std::byte*& at) {
  std::size_t bytes = 0;
  if (const auto error = state.resolve(symbol, at, bytes); error != cudaSuccess) return error;
  if (offset > bytes || count > bytes - offset) return cudaErrorInvalidValue;
  at += offset;
  return cudaSuccess;
}

cudaError_t copy_to(Process& state, Stream& on, const void* symbol, const void* from, std::size_t count,
                    std::size_t offset, cudaMemcpyKind kind) {
  std::byte* to = nullptr;
  if (const auto error = part(state, symbol, offset, count, to); error != cudaSuccess) return error;
  return copy(state, on, linear(to, from, count, kind));
}

cudaError_t copy_from(Process& state, Stream& on, void* to, const void* symbol, std::size_t count, std::size_t offset,
                      cudaMemcpyKind kind) {
  std::byte* from = nullptr;
  if (const auto error = part(state, symbol, offset, count, from); error != cudaSuccess) return error;
  return copy(state, on, linear(to, from, count, kind));
}

}  // namespace

ROOFLINE_CALL(cudaMemcpyToSymbol, symbol, from, count, offset, kind) {
  if (const auto error = state.refuse_in_capture(); error != cudaSuccess) return error;
  return copy_to(state, state.legacy, symbol, from, count, offset, kind) ?: state.synchronise(&state.legacy);
}

ROOFLINE_CALL(cudaMemcpyFromSymbol, to, symbol, count, offset, kind) {
  if (const auto error = state.refuse_in_capture(); error != cudaSuccess) return error;
  return copy_from(state, state.legacy, to, symbol, count, offset, kind) ?: state.synchronise(&state.legacy);
}

ROOFLINE_CALL_ON(cudaMemcpyToSymbolAsync, symbol, from, count, offset, kind, stream) {
  return copy_to(state, on, symbol, from, count, offset, kind);
}

ROOFLINE_CALL_ON(cudaMemcpyFromSymbolAsync, to, symbol, count, offset, kind, stream) {
  return copy_from(state, on, to, symbol, count, offset, kind);
}

ROOFLINE_CALL(cudaGetSymbolAddress, pointer, symbol) {
  std::byte* address = nullptr;
  std::size_t bytes = 0;
  if (!pointer) return cudaErrorInvalidValue;
  const auto error = state.resolve(symbol, address, bytes);
  if (error == cudaSuccess) *pointer = address;
  return error;
}

ROOFLINE_CALL(cudaGetSymbolSize, size, symbol) {
  std::byte* address = nullptr;
  std::size_t bytes = 0;
  if (!size) return cudaErrorInvalidValue;
  const auto error = state.resolve(symbol, address, bytes);
  if (error == cudaSuccess) *size = bytes;
  return error;
}
