#pragma once
#include <omp.h>

namespace roofline::testing {

/// One thread for a scope: sums that threads share are added up in a fixed order.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

}  // namespace roofline::testing
