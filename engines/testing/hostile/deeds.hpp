#pragma once

#include <functional>
#include <map>
#include <string_view>

#include "engines/serve.hpp"

namespace cellproof::engines::hostile {

/// One way to treat a request.
using Deed = std::function<ModelReply(const ModelRequest&)>;

/// All of them by the name of their mode.
const std::map<std::string_view, Deed>& deeds();

}  // namespace cellproof::engines::hostile
