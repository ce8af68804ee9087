#include "tests/virtual_gpu/runtime/cuda/virtual_gpu_fixture.hpp"

namespace roofline::runtime::test::graphs_test {
namespace {

class VirtualGraph : public VirtualGpu {
 protected:
  void SetUp() override {
    VirtualGpu::SetUp();
    log_ = upload(std::vector<int>(16)), length_ = upload(std::vector<int>(1));
    ASSERT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
  }
  cudaKernelNodeParams append(int& value) {
    arguments_ = {&log_, &length_, &value};
    cudaKernelNodeParams parameters{};
    parameters.func = const_cast<void*>(append_kernel());
    parameters.gridDim = parameters.blockDim = 1;
    parameters.kernelParams = arguments_.data();
    return parameters;
  }
  cudaGraphNode_t add(int value, const std::vector<cudaGraphNode_t>& before = {}) {
    cudaGraphNode_t node = nullptr;
    const auto parameters = append(value);
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph_, before.data(), before.size(), &parameters), cudaSuccess);
    return node;
  }
  cudaGraphExec_t instantiate() {
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph_, 0), cudaSuccess);
    return exec;
  }
  std::vector<int> logged() { return download(log_, static_cast<std::size_t>(download(length_, 1)[0])); }

  cudaGraph_t graph_ = nullptr;
  int *log_ = nullptr, *length_ = nullptr;
  std::array<void*, 3> arguments_{};
};

TEST_F(VirtualGraph, NodesRunAfterWhatTheyDependOn) {
  const auto first = add(1);
  const auto middle = add(2, {first});
  add(3, {first, middle});
  EXPECT_EQ(cudaGraphLaunch(instantiate(), nullptr), cudaSuccess);
  EXPECT_EQ(logged(), (std::vector<int>{1, 2, 3}));
}

TEST_F(VirtualGraph, ANodeOfAnotherGraphIsNoDependence) {
  const auto node = add(1);
  ASSERT_EQ(cudaGraphCreate(&graph_, 0), cudaSuccess);
  int value = 2;
  const auto parameters = append(value);
  cudaGraphNode_t second = nullptr;
  EXPECT_EQ(cudaGraphAddKernelNode(&second, graph_, &node, 1, &parameters), cudaErrorInvalidValue);
}

TEST_F(VirtualGraph, AnExecutableGraphIsASnapshotThatCanBeChangedByNode) {
  const auto node = add(1);
  const auto exec = instantiate();
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  int nine = 9;
  const auto parameters = append(nine);
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, node, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  cudaGraphExecUpdateResultInfo result{};
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph_, &result), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(logged(), (std::vector<int>{1, 9, 1}));
  add(5);
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph_, &result), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(result.result, cudaGraphExecUpdateErrorTopologyChanged);
}

TEST_F(VirtualGraph, CopiesFillsAndHostCallsAreNodesToo) {
  std::vector<int> host{7};
  cudaGraphNode_t copy = nullptr, fill = nullptr, call = nullptr;
  auto* const target = upload(std::vector<int>(2, -1));
  cudaMemcpy3DParms upload_one{};
  upload_one.srcPtr = {host.data(), 4, 4, 1};
  upload_one.dstPtr = {target, 4, 4, 1};
  upload_one.extent = {4, 1, 1};
  upload_one.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaGraphAddMemcpyNode(&copy, graph_, nullptr, 0, &upload_one), cudaSuccess);
  cudaMemsetParams zero{target + 1, 0, 0x01010101, 4, 1, 1};
  EXPECT_EQ(cudaGraphAddMemsetNode(&fill, graph_, &copy, 1, &zero), cudaSuccess);
  static int calls;
  calls = 0;
  const cudaHostNodeParams count{[](void*) { ++calls; }, nullptr};
  EXPECT_EQ(cudaGraphAddHostNode(&call, graph_, &fill, 1, &count), cudaSuccess);
  const auto exec = instantiate();
  ASSERT_EQ(cudaGraphClone(&graph_, graph_), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(instantiate(), nullptr), cudaSuccess);
  EXPECT_EQ(download(target, 2), (std::vector<int>{7, 0x01010101}));
  EXPECT_EQ(calls, 2);
}

TEST_F(VirtualGraph, MemoryOfAGraphIsRefusedByName) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  void* pointer = nullptr;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(cudaMallocAsync(&pointer, 64, stream), cudaErrorNotSupported);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("memory that a graph allocates or frees is not supported"),
            std::string::npos);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph_), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&pointer, 64, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaSuccess);
}

}  // namespace
}  // namespace roofline::runtime::test::graphs_test
