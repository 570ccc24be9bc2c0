//! See the integration tests in `tests/`.
