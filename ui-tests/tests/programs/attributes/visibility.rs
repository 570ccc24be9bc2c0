// Functions of any visibility, and the functions beside them that give access to their traces.
use graph_runtime::prelude::*;

mod inner {
    use graph_runtime::prelude::*;

    #[graph_fn]
    pub(crate) fn near(x: Tensor<i32>) -> Tensor<i32> {
        x + 1
    }

    pub mod deep {
        use graph_runtime::prelude::*;

        #[graph_fn]
        pub(in crate::attributes::visibility::inner) fn far(x: Tensor<i32>) -> Tensor<i32> {
            super::near(x) * 2
        }

        #[graph_fn]
        pub fn public(x: Tensor<i32>) -> Tensor<i32> {
            far(x.clone()) + hidden(x)
        }

        #[graph_fn]
        fn hidden(x: Tensor<i32>) -> Tensor<i32> {
            -x
        }
    }
}

#[test]
fn runs() {
    assert_eq!(inner::deep::public(tensor(5)).item(), 7);
    assert_eq!(inner::near::function().trace_count(), 1);
    assert!(inner::near::to_code().contains("fn near"));
}
