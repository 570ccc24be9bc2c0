// A map's items are assigned by `insert`: rustc says so.
use std::collections::HashMap;

use graph_runtime::prelude::*;

#[graph_fn]
fn f(mut map: HashMap<String, i32>) -> i32 {
    map["a"] = 1;
    map["a"]
}

fn main() {}
