#pragma once
#include <coroutine>
#include <exception>
#include <utility>

namespace roofline {

/// One warp's run through a kernel, as a coroutine: `co_await step` is where it waits for the data it has asked for.
/// The schedule of the device model decides which warp goes on.
class WarpProgram {
 public:
  struct promise_type {
    std::exception_ptr failure;
    WarpProgram get_return_object() { return WarpProgram(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };

  WarpProgram() = default;
  WarpProgram(WarpProgram&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  WarpProgram& operator=(WarpProgram&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~WarpProgram() {
    if (handle_) handle_.destroy();
  }

  /// Runs to the next step or the end; false when it had ended before.
  bool resume() {
    if (done()) return false;
    handle_.resume();
    if (handle_.promise().failure) std::rethrow_exception(std::exchange(handle_.promise().failure, nullptr));
    return true;
  }
  bool done() const { return !handle_ || handle_.done(); }

 private:
  explicit WarpProgram(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

/// Where a warp needs the data of its loads: the body of a loop is one step.
inline constexpr std::suspend_always step;

}  // namespace roofline
