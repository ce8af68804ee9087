#include "tests/virtual_gpu/runtime/cuda/virtual_gpu_fixture.hpp"

namespace roofline::runtime::test::streams_test {
namespace {

cudaStream_t stream_of(unsigned flags = cudaStreamDefault) {
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, flags), cudaSuccess);
  return stream;
}
cudaEvent_t event_of(unsigned flags = cudaEventDefault) {
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&event, flags), cudaSuccess);
  return event;
}

TEST_F(VirtualGpu, AnEventIsReachedWhenTheWorkBeforeItIs) {
  auto* const data = upload(std::vector<float>(1 << 16, 1.f));
  const auto stream = stream_of();
  const auto before = event_of(), after = event_of();
  cudaEventRecord(before, stream);
  scale(data, 2, 1 << 16, stream);
  cudaEventRecord(after, stream);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventQuery(after), cudaErrorNotReady);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, before, after), cudaErrorNotReady);
  EXPECT_EQ(cudaEventSynchronize(after), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(after), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, before, after), cudaSuccess);
  EXPECT_GT(milliseconds, 0);
}

TEST_F(VirtualGpu, AKernelBehindAnEventStartsALittleLater) {
  auto* const data = upload(std::vector<float>(32, 1.f));
  const auto milliseconds_of = [&](int launches) {
    const auto before = event_of(), after = event_of();
    cudaEventRecord(before, nullptr);
    for (int i = 0; i < launches; ++i) scale(data, 2, 32, nullptr);
    cudaEventRecord(after, nullptr);
    cudaEventSynchronize(after);
    float milliseconds = 0;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, before, after), cudaSuccess);
    return milliseconds;
  };
  EXPECT_GT(milliseconds_of(1) - (milliseconds_of(65) - milliseconds_of(1)) / 64, 0.5e-3);
}

TEST_F(VirtualGpu, EventsWithoutTimesOrRecordHaveNoElapsedTime) {
  const auto never = event_of(), untimed = event_of(cudaEventDisableTiming), timed = event_of();
  cudaEventRecord(untimed, nullptr), cudaEventRecord(timed, nullptr);
  cudaDeviceSynchronize();
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, timed, never), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, timed, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, timed, timed), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(never), cudaSuccess);
}

TEST_F(VirtualGpu, AStreamThatIsGoneIsNoHandle) {
  const auto stream = stream_of();
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
}

TEST_F(VirtualGpu, HostFunctionsRunInTheirPlace) {
  auto* const data = upload(std::vector<float>{1});
  const auto stream = stream_of();
  scale(data, 5, 1, stream);
  static float seen;
  const cudaHostFn_t look = [](void* pointer) { seen = *static_cast<float*>(pointer); };
  EXPECT_EQ(cudaLaunchHostFunc(stream, look, data), cudaSuccess);
  scale(data, 5, 1, stream);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(download(data, 1), std::vector<float>{25});
}

TEST_F(VirtualGpu, ACapturedStreamDoesNothingUntilItsGraphIsLaunched) {
  auto* const data = upload(std::vector<float>{1});
  const auto stream = stream_of();
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  scale(data, 2, 1, stream);
  scale(data, 3, 1, stream);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(download(data, 1), std::vector<float>{1});
  std::size_t nodes = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 2u);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(download(data, 1), std::vector<float>{36});
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

TEST_F(VirtualGpu, AnEventCarriesTheCaptureToAnotherStream) {
  const auto first = stream_of(), second = stream_of();
  const auto fork = event_of(), join = event_of();
  auto* const data = upload(std::vector<float>{1});
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  scale(data, 2, 1, first);
  cudaEventRecord(fork, first);
  EXPECT_EQ(cudaEventQuery(fork), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaStreamWaitEvent(second, fork, 0), cudaSuccess);
  scale(data, 3, 1, second);
  cudaEventRecord(join, second);
  cudaStreamWaitEvent(first, join, 0);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(second, &graph), cudaErrorStreamCaptureUnmatched);
  EXPECT_EQ(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(graph, nullptr);
}

TEST_F(VirtualGpu, WorkThatDoesNotComeBackIsNotJoined) {
  const auto first = stream_of(), second = stream_of();
  const auto fork = event_of();
  auto* const data = upload(std::vector<float>{1});
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  scale(data, 3, 1, second);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureUnjoined);
}

TEST_F(VirtualGpu, ACapturedStreamMayBeDestroyedOnceItsWorkIsJoined) {
  const auto first = stream_of();
  const auto fork = event_of(), join = event_of();
  auto* const data = upload(std::vector<float>{1});
  for (const bool joins : {true, false}) {
    cudaStream_t second = nullptr;
    cudaStreamCreate(&second);
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork, 0);
    scale(data, 3, 1, second);
    cudaEventRecord(join, second);
    if (joins) cudaStreamWaitEvent(first, join, 0);
    EXPECT_EQ(cudaStreamDestroy(second), cudaSuccess);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(first, &graph), joins ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
  }
}

TEST_F(VirtualGpu, WaitingAllocatingOrUsingTheLegacyStreamBreaksACapture) {
  auto* const data = upload(std::vector<float>{1});
  const auto broken_by = [&](auto&& call, cudaError_t error) {
    const auto stream = stream_of();
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(call(stream), error);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  };
  broken_by([](cudaStream_t stream) { return cudaStreamSynchronize(stream); }, cudaErrorStreamCaptureUnsupported);
  broken_by([](cudaStream_t) { return cudaDeviceSynchronize(); }, cudaErrorStreamCaptureUnsupported);
  broken_by(
      [](cudaStream_t) {
        void* p;
        return cudaMalloc(&p, 8);
      },
      cudaErrorStreamCaptureUnsupported);
  broken_by([&](cudaStream_t) { return launch(scale_kernel(), 1, 1, 0, nullptr, data, 2.f, 1); },
            cudaErrorStreamCaptureImplicit);
  const auto relaxed = stream_of(cudaStreamNonBlocking);
  cudaStreamBeginCapture(relaxed, cudaStreamCaptureModeRelaxed);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 8), cudaSuccess);
  EXPECT_EQ(launch(scale_kernel(), 1, 1, 0, nullptr, data, 2.f, 1), cudaSuccess);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(relaxed, &graph), cudaSuccess);
}

}  // namespace
}  // namespace roofline::runtime::test::streams_test
