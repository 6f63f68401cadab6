#pragma once

// Before a function whose loops run over many rows: it is compiled once for each width of vector registers, chosen when
// the program starts. Nothing is computed in another order and nothing fused (-ffp-contract=off), so all of them give
// the same bits. What chooses runs too early for sanitizers.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CELLPROOF_FOR_EACH_WIDTH __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CELLPROOF_FOR_EACH_WIDTH
#endif

// There, a function may also be written once for each width (clang does not choose by these names).
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CELLPROOF_HAS_WIDTHS
#endif
