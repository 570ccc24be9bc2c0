#!/usr/bin/env python3
"""Writes graph-cuda/shim/src/functions.rs from the declarations of cust_raw.

usage: forwarders.py PATH/TO/cust_raw-0.11.3/src/cuda.rs > graph-cuda/shim/src/functions.rs
"""
import re
import sys

source = open(sys.argv[1]).read().replace("::std::os::raw::", "")
declared = re.findall(r'extern "C" \{\s*pub fn (cu\w+)\((.*?)\)\s*-> CUresult;\s*\}', source, re.S)
print("// Written by scripts/cuda/forwarders.py from cust_raw 0.11.3; don't edit.")
print("forward! {")
for name, parameters in declared:
    # A removed function of which only the declaration is left.
    if name == "cuProfilerInitialize":
        continue
    parameters = re.split(r",\s*(?![^()]*\))", parameters.strip().rstrip(","))
    parameters = [" ".join(p.split()) for p in parameters if p.strip()]
    print(f"    fn {name}({', '.join(parameters)});")
print("}")
