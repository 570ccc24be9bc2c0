//! Rust values in and out.

use super::*;

#[test]
fn scalars_take_their_type_from_the_context() {
    let a = tensor(1);
    let b = tensor(1.5);
    let c: Tensor<f32> = tensor(1.5);
    let d: Tensor<u8> = tensor(200);
    let e = tensor(0) + tensor(5i64);
    assert_eq!(
        (a.item(), b.item(), c.item(), d.item(), e.item()),
        (1i32, 1.5f64, 1.5f32, 200u8, 5i64)
    );
    assert_eq!(
        (tensor(true).item(), tensor("ab").item()),
        (true, "ab".to_string())
    );
}

#[test]
fn arrays_nest_four_deep() {
    assert_eq!(parts(&tensor([1, 2, 3])), (vec![3], vec![1, 2, 3]));
    assert_eq!(
        parts(&tensor([[1, 2], [3, 4], [5, 6]])),
        (vec![3, 2], vec![1, 2, 3, 4, 5, 6])
    );
    assert_eq!(
        parts(&tensor([[[1, 2]], [[3, 4]]])),
        (vec![2, 1, 2], vec![1, 2, 3, 4])
    );
    assert_eq!(
        parts(&tensor([[[[1], [2]]]])),
        (vec![1, 1, 2, 1], vec![1, 2])
    );
    assert_eq!(parts(&tensor([[0.5f32; 0]; 2])), (vec![2, 0], vec![]));
    assert_eq!(
        parts(&tensor([["a", "b"]])),
        (vec![1, 2], vec!["a".to_string(), "b".to_string()])
    );
}

#[test]
fn sequences_are_vectors() {
    let values = vec![1u8, 2];
    assert_eq!(parts(&tensor(&values)), (vec![2], vec![1, 2]));
    assert_eq!(parts(&tensor(&values[1..])), (vec![1], vec![2]));
    assert_eq!(parts(&tensor(values)), (vec![2], vec![1, 2]));
    assert_eq!(tensor(vec!["x"]).to_vec(), ["x"]);
    assert_eq!(tensor(&[1, 2]).to_vec(), [1, 2]);
}

#[test]
fn ndarray_goes_in_and_out_in_logical_order() {
    let matrix = ndarray::array![[1, 2, 3], [4, 5, 6]];
    assert_eq!(
        parts(&tensor(&matrix)),
        (vec![2, 3], vec![1, 2, 3, 4, 5, 6])
    );
    assert_eq!(
        parts(&tensor(matrix.t())),
        (vec![3, 2], vec![1, 4, 2, 5, 3, 6])
    );
    assert_eq!(
        parts(&tensor(matrix.clone().reversed_axes())),
        (vec![3, 2], vec![1, 4, 2, 5, 3, 6])
    );
    assert_eq!(tensor(ndarray::arr0(7)).item(), 7);
    assert_eq!(tensor(&matrix).to_ndarray(), matrix.into_dyn());
}

#[test]
fn from_is_tensor() {
    let x: Tensor<f32> = 2.5.into();
    let y = Tensor::from([[1, 2]]);
    assert_eq!((x.item(), y.dim(1)), (2.5, 2));
}

#[test]
fn rows_of_known_length_come_as_many_as_there_are() {
    let rows = vec![[1.5, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let expected = (vec![3, 2], vec![1.5, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(parts(&tensor(&rows)), expected);
    assert_eq!(parts(&tensor(rows.as_slice())), expected);
    assert_eq!(parts(&tensor(rows)), expected);
    assert_eq!(parts(&tensor(Vec::<[i32; 2]>::new())), (vec![0, 2], vec![]));
}

#[test]
fn from_vec_checks_the_shape() {
    assert_eq!(
        parts(&Tensor::from_vec(&[2, 1], vec![1, 2]).unwrap()),
        (vec![2, 1], vec![1, 2])
    );
    let error = Tensor::from_vec(&[2, 2], vec![1, 2, 3]).unwrap_err();
    assert_eq!(
        error.message(),
        "3 values cannot have the shape [2,2] (4 elements)"
    );
    assert!(error.location().file.ends_with("conversion.rs"));
    assert!(Tensor::from_vec(&[usize::MAX, 2], vec![1]).is_err());
}

#[test]
fn item_needs_one_element() {
    assert_eq!(tensor([[5]]).item(), 5);
    let text = panic_of(|| tensor([1, 2]).item());
    assert!(
        text.contains("one element, not one of shape [2]") && text.contains("conversion.rs"),
        "{text}"
    );
}

#[test]
fn a_tensor_can_be_sent_and_cloned_whatever_it_holds() {
    fn check<X: Clone + Send + Sync + 'static>() {}
    check::<Tensor<f32>>();
    check::<Tensor<String, std::rc::Rc<()>>>();
}
