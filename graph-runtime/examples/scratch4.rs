#![allow(unused, missing_docs)]
use graph_runtime::prelude::*;
#[graph_fn] fn f(n: i32) -> i32 { let r = n; 
 #[allow(unused)]
 if r > 10 { return r };
 #[cfg(any())]
 if r > 5 { return 100 };
 #[cfg(all())]
 { if r > 5 { return 100 } };
 #[cfg(any())]
 for i in 0..r { nothing() }
 #[cfg(any())]
 while r > 5 { nothing() }
 #[cfg(any())]
 nothing(r > 5);
 r }
fn main() { println!("{}", f::to_code()); println!("{}", f(3)) }
