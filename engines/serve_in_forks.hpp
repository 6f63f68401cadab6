#pragma once

#include "engines/serve.hpp"

namespace cellproof::engines {

/// As serve, for a runner that takes long to make: requests are answered by a fork of this process, and when the fork
/// dies, its death is told and the next fork takes over at once. Where this process has more than one thread already,
/// which a fork would lose, it is serve.
int serve_in_forks(ModelRunner& runner, int requests = request_descriptor, int replies = reply_descriptor);

}  // namespace cellproof::engines
