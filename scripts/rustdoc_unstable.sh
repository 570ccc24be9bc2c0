#!/bin/sh
# The stable rustdoc with a nightly one's options. Set here alone, the variable makes cargo build nothing anew.
RUSTC_BOOTSTRAP=1 exec rustdoc "$@"
