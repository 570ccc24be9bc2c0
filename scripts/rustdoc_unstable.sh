#!/bin/sh
# Runs the stable rustdoc with nightly options. The variable is set only here, because elsewhere it would make cargo build everything again.
RUSTC_BOOTSTRAP=1 exec rustdoc "$@"
