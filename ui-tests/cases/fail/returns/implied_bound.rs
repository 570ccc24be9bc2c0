// Wanted: a bound of a type parameter that only the type of the result implies. The message says to write it.
use graph_runtime::prelude::*;

struct Kept<T: 'static>(T);

#[graph_fn]
fn keep<T>(value: T) -> Kept<T> {
    Kept(value)
}

fn main() {
    keep(1).0;
}
