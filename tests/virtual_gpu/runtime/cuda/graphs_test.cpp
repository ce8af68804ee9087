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
  const auto last = add(3);
  const auto first = add(1);
  const auto middle = add(2, {first});
  const cudaGraphNode_t from = middle, to = last;
  EXPECT_EQ(cudaGraphAddDependencies(graph_, &from, &to, nullptr, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(instantiate(), nullptr), cudaSuccess);
  EXPECT_EQ(logged(), (std::vector<int>{1, 2, 3}));
}

TEST_F(VirtualGraph, ACycleIsNotInstantiated) {
  const auto a = add(1);
  const auto b = add(2, {a});
  EXPECT_EQ(cudaGraphAddDependencies(graph_, &b, &a, nullptr, 1), cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph_, 0), cudaErrorInvalidValue);
}

TEST_F(VirtualGraph, AnExecutableGraphIsASnapshotThatCanBeChangedByNode) {
  const auto node = add(1);
  const auto exec = instantiate();
  int eight = 8, nine = 9;
  auto parameters = append(eight);
  EXPECT_EQ(cudaGraphKernelNodeSetParams(node, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  parameters = append(nine);
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, node, &parameters), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  cudaGraphExecUpdateResultInfo result{};
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph_, &result), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(logged(), (std::vector<int>{1, 9, 8}));
  add(5);
  EXPECT_EQ(cudaGraphExecUpdate(exec, graph_, &result), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(result.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(cudaGraphNodeSetEnabled(exec, node, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  EXPECT_EQ(logged().size(), 3u);
}

TEST_F(VirtualGraph, CopiesFillsHostCallsAndChildrenAreNodesToo) {
  std::vector<int> host{7};
  cudaGraphNode_t copy = nullptr, fill = nullptr, call = nullptr, child = nullptr;
  auto* const target = upload(std::vector<int>(2, -1));
  EXPECT_EQ(cudaGraphAddMemcpyNode1D(&copy, graph_, nullptr, 0, target, host.data(), 4, cudaMemcpyHostToDevice),
            cudaSuccess);
  cudaMemsetParams zero{target + 1, 0, 0x01010101, 4, 1, 1};
  EXPECT_EQ(cudaGraphAddMemsetNode(&fill, graph_, &copy, 1, &zero), cudaSuccess);
  static int calls;
  calls = 0;
  const cudaHostNodeParams count{[](void*) { ++calls; }, nullptr};
  EXPECT_EQ(cudaGraphAddHostNode(&call, graph_, &fill, 1, &count), cudaSuccess);
  cudaGraph_t inner = nullptr;
  cudaGraphClone(&inner, graph_);
  EXPECT_EQ(cudaGraphAddChildGraphNode(&child, graph_, &call, 1, inner), cudaSuccess);
  cudaGraphNodeType type{};
  EXPECT_EQ(cudaGraphNodeGetType(child, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeGraph);
  EXPECT_EQ(cudaGraphLaunch(instantiate(), nullptr), cudaSuccess);
  EXPECT_EQ(download(target, 2), (std::vector<int>{7, 0x01010101}));
  EXPECT_EQ(calls, 2);
}

TEST_F(VirtualGraph, MemoryOfGraphsIsCounted) {
  const auto bytes = [](cudaGraphMemAttributeType which) {
    unsigned long long value = 99;
    EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, which, &value), cudaSuccess);
    return value;
  };
  EXPECT_EQ(bytes(cudaGraphMemAttrUsedMemCurrent), 0u);
  cudaGraphNode_t node = nullptr;
  cudaMemAllocNodeParams parameters{};
  parameters.bytesize = 4096;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&node, graph_, nullptr, 0, &parameters), cudaSuccess);
  EXPECT_EQ(bytes(cudaGraphMemAttrUsedMemCurrent), 4096u);
  EXPECT_EQ(bytes(cudaGraphMemAttrReservedMemHigh), 4096u);
  unsigned long long value = 0;
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value), cudaSuccess);
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &value), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetGraphMemAttribute(1, cudaGraphMemAttrUsedMemHigh, &value), cudaErrorInvalidDevice);
}

TEST_F(VirtualGraph, WhatANodeHoldsCanBeReadBack) {
  const auto node = add(42);
  cudaKernelNodeParams parameters{};
  EXPECT_EQ(cudaGraphKernelNodeGetParams(node, &parameters), cudaSuccess);
  EXPECT_EQ(parameters.func, append_kernel());
  EXPECT_EQ(*static_cast<int*>(parameters.kernelParams[2]), 42);
  cudaMemsetParams wrong{};
  EXPECT_EQ(cudaGraphMemsetNodeGetParams(node, &wrong), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace roofline::runtime::test::graphs_test
