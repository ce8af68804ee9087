#include <memory>
#include <stdexcept>
#include <string>

#include "apps/stream/cuda.hpp"
#include "apps/stream/problem.hpp"
#include "bench/cuda/cache_state.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/execute.cuh"
#include "bench/suite/suite.hpp"

namespace roofline::stream {
namespace {

using cuda::DeviceBuffer;

struct Problem {
  Inputs inputs;
  DeviceBuffer<> a, b, c, sum;

  Problem(Index n, Inputs given)
      : inputs(given), a(array(n, &Inputs::a)), b(array(n, &Inputs::b)), c(array(n, &Inputs::c)), sum(1) {}
  /// Without data, for launches that are not executed.
  explicit Problem(Index n) : a(n), b(n), c(n), sum(1) {}
  Index size() const { return a.size(); }

 private:
  DeviceBuffer<> array(Index n, Expected value) const {
    const Buffer host(n);
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n; ++i) host[i] = (inputs.*value)(i);
    return DeviceBuffer<>(host);
  }
};

using Shared = std::shared_ptr<Problem>;
using Kernel = Workload (*)(Shared);

template <class MakeBody>
Workload elementwise(Shared problem, std::uint64_t flops, MakeBody body, DeviceBuffer<> Problem::*out,
                     Expected expected) {
  Workload work;
  work.launch = [problem, body] { cuda::execute(each_element(body(*problem), problem->size())); };
  work.check = [problem, out, expected] {
    const Buffer got(problem->size());
    (problem.get()->*out).download(got.data());
    return compare(
        got.data(), [&](Index i) { return (problem->inputs.*expected)(i); }, got.size(), 1e-15);
  };
  work.declared_flops = flops * static_cast<std::uint64_t>(problem->size());
  return work;
}

Workload copy(Shared problem) {
  const auto body = [](Problem& p) { return Copy{{p.a.data()}, {p.c.data()}}; };
  return elementwise(problem, 0, body, &Problem::c, &Inputs::copied);
}
Workload scale(Shared problem) {
  const auto body = [](Problem& p) { return Scale{{p.b.data()}, {p.c.data()}, s}; };
  return elementwise(problem, scale_flops, body, &Problem::b, &Inputs::scaled);
}
Workload add(Shared problem) {
  const auto body = [](Problem& p) { return Add{{p.a.data()}, {p.b.data()}, {p.c.data()}}; };
  return elementwise(problem, add_flops, body, &Problem::c, &Inputs::added);
}
Workload triad(Shared problem) {
  const auto body = [](Problem& p) { return Triad{{p.a.data()}, {p.b.data()}, {p.c.data()}, s}; };
  return elementwise(problem, triad_flops, body, &Problem::a, &Inputs::triad);
}

Workload dot(Shared problem) {
  const Index n = problem->size();
  const auto launch =
      dot_product({{problem->a.data()}, {problem->b.data()}}, n, cuda::multiprocessors(), problem->sum.data());
  Workload work;
  work.launch = [problem, launch] {
    problem->sum.clear();
    cuda::execute(launch);
  };
  work.check = [problem] {
    double got = 0;
    problem->sum.download(&got);
    const double expected = problem->inputs.dot(problem->size());
    return compare(
        &got, [=](Index) { return expected; }, 1, 1e-12);
  };
  work.declared_flops = dot_flops * static_cast<std::uint64_t>(n);
  return work;
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index n = sizes[0];
  if (n < 1) throw std::invalid_argument("--stream=" + std::to_string(n) + ": on a GPU n must be 1 or more");
  const bool executed = !suite.is_modelled();
  const auto add_kernel = [&](const char* kernel, Kernel make, const char* about) {
    cuda::add_cache_state(
        suite, {.name = row_name(kernel, n),
                .family = "stream",
                .selection = Selection::quick,
                .make =
                    [=, inputs = Inputs{suite.seed()}] {
                      return make(executed ? std::make_shared<Problem>(n, inputs) : std::make_shared<Problem>(n));
                    },
                .about = about});
  };
  add_kernel("copy", copy, "c = a");
  add_kernel("scale", scale, "b = s c");
  add_kernel("add", add, "c = a + b");
  add_kernel("triad", triad, "a = b + s c");
  add_kernel("dot", dot, "sum of a b");
}

// BabelStream's default size, 0.8 GB: more than four times any L2, as STREAM asks.
const Registrar registrar("stream", Platform::cuda,
                          {add_variants, {Index{1} << 25}, {}, {4'100'001}, {Index{1} << 25}, {Index{1} << 20}});

}  // namespace
}  // namespace roofline::stream
