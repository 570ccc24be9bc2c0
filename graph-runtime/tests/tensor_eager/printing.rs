//! `Display` and `Debug`.

use super::*;

#[test]
fn display_is_numpys() {
    assert_eq!(tensor([[1, 2], [3, 4]]).to_string(), "[[1 2]\n [3 4]]");
    assert_eq!(tensor(5).to_string(), "5");
}

#[test]
fn debug_adds_shape_and_dtype() {
    assert_eq!(
        format!("{:?}", tensor([[1, 2], [3, 4]])),
        "Tensor(shape=[2,2], dtype=int32,\n[[1 2]\n [3 4]])"
    );
    assert_eq!(
        format!("{:?}", tensor([1i64, 2])),
        "Tensor(shape=[2], dtype=int64, [1 2])"
    );
    assert_eq!(
        format!("{:?}", tensor(7)),
        "Tensor(shape=[], dtype=int32, 7)"
    );
}
