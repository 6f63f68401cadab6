#pragma once

namespace cellproof::campaign {

/// Judges for another program, over two pipes, until the first of them ends (docs/judge-protocol.md). A request that
/// cannot be met is answered with its reason. Throws engines::ProtocolError for what is no request.
void serve_judgements(int requests, int replies);

}  // namespace cellproof::campaign
