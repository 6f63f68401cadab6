#!/usr/bin/env bash
# A shard of a Bazel test. The report lies among its undeclared outputs.
exec cellproof run --engine reference --suite smoke --shard bazel -o "$TEST_UNDECLARED_OUTPUTS_DIR/report"
