// The attribute on functions that are written by a macro.
use graph_runtime::prelude::*;

macro_rules! scale {
    ($($name:ident $factor:literal)*) => {$(
        #[graph_fn]
        fn $name(x: Tensor<i32>) -> Tensor<i32> {
            if x > 0 { x * $factor } else { x }
        }
    )*};
}
scale! { double 2 triple 3 }

#[test]
fn runs() {
    assert_eq!(double(tensor(5)).item() + triple(tensor(5)).item(), 25);
    assert_eq!(triple(tensor(-5)).item(), -5);
}
