#include "campaign/bounded_queue.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace cellproof::campaign {
namespace {

TEST(BoundedQueue, KeepsOrderAndLosesNothing) {
  BoundedQueue<std::unique_ptr<int>> queue(3);
  std::vector<int> received;
  std::jthread receiver([&] {
    while (const auto item = queue.pop()) received.push_back(**item);
  });
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(queue.push(std::make_unique<int>(k)));
  queue.close();
  receiver.join();
  std::vector<int> sent(1000);
  std::iota(sent.begin(), sent.end(), 0);
  EXPECT_EQ(received, sent);
}

TEST(BoundedQueue, ASenderThatWaitsIsToldThatTheReceiverHasGone) {
  BoundedQueue<int> queue(1);
  ASSERT_TRUE(queue.push(1));
  std::jthread receiver([&] { queue.close(); });
  EXPECT_FALSE(queue.push(2));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

}  // namespace
}  // namespace cellproof::campaign
