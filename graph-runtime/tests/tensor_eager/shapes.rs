//! Shapes, joining, matrix products, sources.

use super::*;

#[test]
fn facts_as_rust_values_and_as_tensors() {
    let x = tensor([[1.0, 2.0, 3.0]]);
    assert_eq!(
        (
            x.rank(),
            x.dim(0),
            x.dim(-1),
            x.shape().to_known().unwrap().to_vec()
        ),
        (2, 1, 3, vec![1, 3])
    );
    assert_eq!(x.dtype(), graph_runtime::DType::F64);
    assert_eq!(
        (x.shape_tensor().to_vec(), x.size().item()),
        (vec![1, 3], 3)
    );
    assert_eq!((x.rank_tensor().item(), x.len_tensor().item()), (2, 1));
    let text = panic_of(|| x.dim(2));
    assert!(
        text.contains("a tensor of shape [1,3] has no axis 2") && text.contains("shapes.rs"),
        "{text}"
    );
    assert!(panic_of(|| x.dim(-3)).contains("no axis -3"));
    assert!(panic_of(|| x.dim(isize::MIN)).contains("no axis"));
}

#[test]
fn shapes_are_compared_with_sizes_and_indexed() {
    let x = tensor([[1, 2, 3], [4, 5, 6]]);
    assert_eq!(x.shape(), [2, 3]);
    assert_eq!(x.shape(), &[2, 3]);
    assert_eq!(x.shape(), vec![2, 3]);
    assert!(x.shape() == *[2usize, 3].as_slice());
    assert!(x.shape() != [2] && x.shape() != [3, 2]);
    assert_eq!(tensor(1).shape(), []);
    assert_eq!((x.shape()[1], x.shape().last()), (3, Some(&3)));
    assert_eq!((x.shape().get(1), x.shape().get(2)), (Some(3), None));
    assert_eq!(tensor(1).shape().last(), None);
    let text = panic_of(|| x.shape()[2]);
    assert!(
        text.contains("a tensor of shape [2,3] has no axis 2") && text.contains("shapes.rs"),
        "{text}"
    );
}

#[test]
fn lengths() {
    let x = zeros::<f32>(&[0, 3]);
    assert_eq!((x.len(), x.is_empty(), x.t().len()), (0, true, 3));
    assert_eq!((x.size().item(), x.t().is_empty()), (0, false));
    assert!(panic_of(|| tensor(1).len()).contains("a tensor of shape [] has no axis 0"));
    assert!(panic_of(|| tensor("a").len()).contains("each string is `string_length()`"));
}

#[test]
fn rearranging() {
    let x = tensor([[1, 2, 3], [4, 5, 6]]);
    assert_eq!(
        parts(&x.reshape(&[3, -1])),
        (vec![3, 2], vec![1, 2, 3, 4, 5, 6])
    );
    assert_eq!(parts(&x.flatten()), (vec![6], vec![1, 2, 3, 4, 5, 6]));
    assert!(
        panic_of(|| x.reshape(&[4, 2]))
            .contains("Cannot reshape a tensor with 6 elements to shape [4,2] (8 elements)")
    );
    assert_eq!(parts(&x.transpose()), (vec![3, 2], vec![1, 4, 2, 5, 3, 6]));
    assert_eq!(x.t().to_vec(), x.permute(vec![1, 0]).to_vec());
    assert_eq!(
        parts(&x.expand_dims(0).permute([1, 0, 2])),
        (vec![2, 1, 3], vec![1, 2, 3, 4, 5, 6])
    );
    assert_eq!(tensor(5).t().item(), 5);
    assert_eq!(x.expand_dims(-1).dim(2), 1);
    assert_eq!(tensor([[[1], [2]]]).squeeze(&[]).array().shape(), [2]);
    assert_eq!(tensor([[[1], [2]]]).squeeze(&[-1]).array().shape(), [1, 2]);
    assert_eq!(
        parts(&tensor([[1], [2]]).broadcast_to(&[2, 2])),
        (vec![2, 2], vec![1, 1, 2, 2])
    );
    assert_eq!(
        parts(&tensor([[1, 2]]).tile(&[2, 2])),
        (vec![2, 4], vec![1, 2, 1, 2, 1, 2, 1, 2])
    );
    assert_eq!(parts(&x.relax_shape(&[None, Some(3)])), parts(&x));
    assert!(!panic_of(|| x.relax_shape(&[None, Some(4)])).is_empty());
}

#[test]
fn joining() {
    let (a, b) = (tensor([1, 2]), tensor([3, 4]));
    assert_eq!(concat([&a, &b, &a], 0).to_vec(), [1, 2, 3, 4, 1, 2]);
    assert_eq!(concat(&[&a, &b], -1).to_vec(), [1, 2, 3, 4]);
    assert_eq!(
        parts(&stack(vec![a.clone(), b.clone()], 1)),
        (vec![2, 2], vec![1, 3, 2, 4])
    );
    assert_eq!(stack([1, 2, 3], 0).to_vec(), [1, 2, 3]);
    assert_eq!(stack((0..3).map(|i| tensor(i * 2)), 0).to_vec(), [0, 2, 4]);
}

#[test]
fn matrix_products() {
    let (a, b) = (tensor([[1, 2], [3, 4]]), tensor([[5, 6], [7, 8]]));
    assert_eq!(a.matmul(&b).to_vec(), [19, 22, 43, 50]);
    assert_eq!(a.matmul_t(&b).to_vec(), [17, 23, 39, 53]);
    assert_eq!(a.t_matmul(&b).to_vec(), [26, 30, 38, 44]);
    assert_eq!(matmul(eye(2), &b).to_vec(), [5, 6, 7, 8]);
    assert!(panic_of(|| a.matmul(tensor([[1, 2]]))).contains("[2,2]"));
}

#[test]
fn sources() {
    assert_eq!(parts(&zeros::<f32>(&[2, 1])), (vec![2, 1], vec![0.0, 0.0]));
    assert_eq!(ones::<u8>(&[2]).to_vec(), [1, 1]);
    assert_eq!(zeros::<String>(&[1]).to_vec(), [""]);
    assert_eq!(
        (fill(&[2], tensor("a")).to_vec(), full(&[], 2.5).item()),
        (vec!["a".to_string(); 2], 2.5)
    );
    assert_eq!(
        parts(&eye_rectangular::<f64>(2, 3)),
        (vec![2, 3], vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
    );
    assert_eq!(range(0, tensor(4i64), 1).to_vec(), [0, 1, 2, 3]);
    assert_eq!(range(1.0, 0.0, -0.5).to_vec(), [1.0, 0.5]);
    assert!(range(3, 0, 1).to_vec().is_empty());
    assert!(panic_of(|| range(0, 3, 0)).contains("Requires delta != 0: 0"));
    let x = tensor([[f64::NAN, 1.0]]);
    assert_eq!(parts(&x.zeros_like()), (vec![1, 2], vec![0.0, 0.0]));
    assert_eq!(parts(&x.ones_like()), (vec![1, 2], vec![1.0, 1.0]));
}
