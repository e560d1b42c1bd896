//! Exhaustive, differential and mutation tests: what proves a claim of the README, bounded in CI, in full on request.
