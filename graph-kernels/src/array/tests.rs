//! Shapes of arrays, and shapes that are refused.

use super::*;

#[test]
fn a_resized_array_keeps_its_front_and_ends_with_zeros() {
    let mut array = Array::new(&[3], vec![1, 2, 3]);
    array.try_resize(&[2]).unwrap();
    array.try_resize(&[2, 2]).unwrap();
    assert_eq!(array, Array::new(&[2, 2], vec![1, 2, 0, 0]));
    assert!(array.try_resize(&[usize::MAX, 2]).is_err());
    assert_eq!(array.shape(), [2, 2]);
}

#[test]
fn every_way_to_a_shape_gives_its_values() {
    for shape in [&[][..], &[0], &[2, 3]] {
        let len = shape.iter().product();
        assert_eq!(Array::zeros(DType::I64, shape).len(), len);
        let mut array = Array::scalar(1f32);
        array.reset(DType::I64, shape).unwrap();
        assert_eq!((array.len(), array.shape()), (len, shape));
        // The same shape in another dtype.
        array.reset(DType::F64, shape).unwrap();
        assert_eq!((array.len(), array.dtype()), (len, DType::F64));
    }
}

#[test]
fn shapes_are_the_same_size_by_size() {
    assert!(same_shape(&[], &[]));
    assert!(same_shape(&[2, 3], &[2, 3]));
    for other in [&[2, 3][..], &[2], &[], &[2, 3, 4], &[3, 2]] {
        assert_eq!(same_shape(other, &[3, 2]), other == [3, 2]);
    }
}

/// 2⁶⁴ values wrap to 0.
#[test]
fn a_shape_without_a_number_of_values_is_no_arrays() {
    let shapes = [&[1 << 62, 4][..], &[usize::MAX, 2, 0]];
    let message = |f: &dyn Fn()| {
        let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).unwrap_err();
        payload.downcast_ref::<String>().cloned().unwrap()
    };
    for shape in shapes {
        let text = format!("an array of shape {shape:?} is too large");
        let ways: [&dyn Fn(); 4] = [
            &|| drop(Array::new::<f32>(shape, Vec::new())),
            &|| drop(Array::copy_of::<f32>(shape, &[])),
            &|| drop(Array::zeros(DType::F32, shape)),
            &|| drop(Array::zeros(DType::F32, &[0]).reshaped(shape)),
        ];
        for way in ways {
            assert_eq!(message(way), text);
        }
    }
    let far = [usize::MAX];
    let text = format!("an array of shape {far:?} is too large");
    assert_eq!(message(&|| drop(Array::zeros(DType::F32, &far))), text);
}

#[test]
fn a_shape_that_asks_for_too_much_is_an_error() {
    let mut array = Array::default();
    for shape in [&[usize::MAX, 2][..], &[usize::MAX / 2], &[1 << 62, 1 << 62]] {
        assert!(array.reset(DType::F64, shape).is_err(), "{shape:?}");
    }
    assert_eq!(array.reset(DType::I32, &[2, 3]), Ok(()));
    assert_eq!((array.shape(), array.dtype()), (&[2, 3][..], DType::I32));
}
