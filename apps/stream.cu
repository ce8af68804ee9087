#include <memory>
#include <stdexcept>
#include <string>

#include "apps/stream_cuda.hpp"
#include "apps/stream_problem.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/cuda/execute.cuh"
#include "bench/suite.hpp"

namespace roofline::stream {
namespace {

using cuda::DeviceBuffer;

struct Problem {
  DeviceBuffer<> a, b, c, sum;

  explicit Problem(Index n) : a(array(n, a_at)), b(array(n, b_at)), c(array(n, c_at)), sum(1) {}
  Index size() const { return a.size(); }

 private:
  static DeviceBuffer<> array(Index n, double (*value)(Index)) {
    const Buffer host(n);
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n; ++i) host[i] = value(i);
    return DeviceBuffer<>(host);
  }
};

using Kernel = Workload (*)(Index);

template <class MakeBody>
Workload elementwise(Index n, std::uint64_t flops, MakeBody body, DeviceBuffer<> Problem::*out,
                     double (*expected)(Index)) {
  auto problem = std::make_shared<Problem>(n);
  Workload work;
  work.launch = [problem, body] { cuda::execute(each_element(body(*problem), problem->size())); };
  work.time = cuda::event_timer(work.launch);
  work.check = [problem, out, expected] {
    const Buffer got(problem->size());
    (problem.get()->*out).download(got.data());
    return compare(got.data(), expected, got.size(), 1e-15);
  };
  work.declared_flops = flops * static_cast<std::uint64_t>(n);
  return work;
}

Workload copy(Index n) {
  const auto body = [](Problem& p) { return Copy{{p.a.data()}, {p.c.data()}}; };
  return elementwise(n, 0, body, &Problem::c, expected_copy);
}
Workload scale(Index n) {
  const auto body = [](Problem& p) { return Scale{{p.b.data()}, {p.c.data()}, s}; };
  return elementwise(n, 1, body, &Problem::b, expected_scale);
}
Workload add(Index n) {
  const auto body = [](Problem& p) { return Add{{p.a.data()}, {p.b.data()}, {p.c.data()}}; };
  return elementwise(n, 1, body, &Problem::c, expected_add);
}
Workload triad(Index n) {
  const auto body = [](Problem& p) { return Triad{{p.a.data()}, {p.b.data()}, {p.c.data()}, s}; };
  return elementwise(n, 2, body, &Problem::a, expected_triad);
}

Workload dot(Index n) {
  auto problem = std::make_shared<Problem>(n);
  const auto launch =
      dot_product({{problem->a.data()}, {problem->b.data()}}, n, cuda::multiprocessors(), problem->sum.data());
  Workload work;
  work.launch = [problem, launch] {
    problem->sum.clear();
    cuda::execute(launch);
  };
  work.time = cuda::event_timer(work.launch);
  work.check = [problem] {
    double got = 0;
    problem->sum.download(&got);
    const double expected = expected_dot(problem->size());
    return compare(
        &got, [=](Index) { return expected; }, 1, 1e-12);
  };
  work.declared_flops = 2 * static_cast<std::uint64_t>(n);
  return work;
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index n = sizes[0];
  if (n < 1) throw std::invalid_argument("--stream=" + std::to_string(n) + ": on a GPU n must be 1 or more");
  const auto add_kernel = [&](const char* kernel, Kernel make, const char* about) {
    suite.add({.name = std::string("stream/") + kernel + "/n:" + std::to_string(n),
               .family = "stream",
               .selection = Selection::quick,
               .make = [make, n] { return make(n); },
               .about = about});
  };
  add_kernel("copy", copy, "c = a");
  add_kernel("scale", scale, "b = s c");
  add_kernel("add", add, "c = a + b");
  add_kernel("triad", triad, "a = b + s c");
  add_kernel("dot", dot, "sum of a b");
}

// 3.2 GB: more than four times any L2, as STREAM asks, and long enough that the last wave of blocks does not count.
const Registrar registrar("stream", Platform::cuda, {add_variants, {Index{1} << 27}, {Index{1} << 25}});

}  // namespace
}  // namespace roofline::stream
