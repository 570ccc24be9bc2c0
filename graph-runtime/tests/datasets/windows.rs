//! Windows over elements: each form, of tuples, in graphs, and after other transformations.

use graph_runtime::prelude::*;

use crate::values;

/// The windows as rows, in a loop of a graph and in a plain loop.
fn windows(dataset: &Dataset<Tensor<i64>>) -> Vec<Vec<i64>> {
    #[graph_fn]
    fn last(dataset: &Dataset<Tensor<i64>>) -> (Tensor<i64>, Tensor<i32>) {
        let (mut last, mut count) = (zeros::<i64>(&[0]).relax_shape(&[None]), tensor(0));
        for window in dataset {
            last = window;
            count += 1;
        }
        (last, count)
    }
    let rows: Vec<Vec<i64>> = dataset.iter().map(|w| w.to_vec()).collect();
    let (last, count) = last(dataset);
    assert_eq!(count.item() as usize, rows.len());
    assert_eq!(last.to_vec(), rows.last().cloned().unwrap_or_default());
    if let Some(count) = dataset.len() {
        assert_eq!(count, rows.len());
    }
    rows
}

/// The definition: a window begins at every `shift`-th element, and contains those of its elements that exist.
#[test]
fn windows_of_every_form() {
    for (n, size, shift, stride) in (0..9).flat_map(|n| {
        let forms = (1..5).flat_map(|size| (1..6).map(move |shift| (size, shift)));
        forms.flat_map(move |(size, shift)| (1..4).map(move |stride| (n, size, shift, stride)))
    }) {
        let begins = (0..n).step_by(shift);
        let window = |begin: usize| -> Vec<i64> {
            let elements = (begin..n).step_by(stride).take(size);
            elements.map(|i| i as i64).collect()
        };
        let mut expected: Vec<Vec<i64>> = begins.map(window).collect();
        let numbers = Dataset::range(0..n as i64);
        let all = numbers.window(size, shift, stride, false);
        assert_eq!(all.iter().map(|w| w.to_vec()).collect::<Vec<_>>(), expected);
        assert_eq!(all.len(), Some(expected.len()));
        // The same for datasets of unknown length, and for mapped elements.
        let filtered = numbers.filter(|n| n.ge(0)).map(|n| n * 1);
        let unknown = filtered.window(size, shift, stride, false);
        assert_eq!(
            unknown.iter().map(|w| w.to_vec()).collect::<Vec<_>>(),
            expected
        );
        expected.retain(|window| window.len() == size);
        let whole = numbers.window(size, shift, stride, true);
        assert_eq!(
            whole.iter().map(|w| w.to_vec()).collect::<Vec<_>>(),
            expected
        );
        assert_eq!(whole.len(), Some(expected.len()));
    }
}

#[test]
fn windows_of_tuples_in_a_graph() {
    #[graph_fn]
    fn forecast(series: Tensor<f32>, flags: Tensor<bool>) -> (Tensor<f32>, Tensor<i32>) {
        let (mut error, mut count) = (tensor(0.0), tensor(0));
        for (window, flag) in Dataset::from_slices((series, flags)).window(3, 1, 2, true) {
            // If all windows are whole, their size is known.
            assert_eq!(window.shape().dims(), Some(&[Some(3)][..]));
            if flag.get(2) {
                break;
            }
            error += (window.get(0) + window.get(1) - window.get(2)).abs();
            count += 1;
        }
        (error, count)
    }
    let series = tensor([1.0, 10.0, 2.0, 20.0, 4.0, 29.0, 8.0, 50.0]);
    let never = tensor([false; 8]);
    // The errors are 1 + 2 - 4, 10 + 20 - 29, 2 + 4 - 8 and 20 + 29 - 50.
    let (error, count) = forecast(series.clone(), never);
    assert_eq!((error.item(), count.item()), (1.0 + 1.0 + 2.0 + 1.0, 4));
    let late = tensor([false, false, false, false, false, false, true, false]);
    let (error, count) = forecast(series, late);
    assert_eq!((error.item(), count.item()), (2.0, 2));
}

#[test]
fn windows_pass_on_shuffles_threads_and_errors() {
    let rows = Dataset::range(0..6)
        .map(|n| n * 10)
        .prefetch(2)
        .window(2, 3, 1, false);
    assert_eq!(windows(&rows), [[0, 10], [30, 40]]);
    let order = tensor([3i64, 4]);
    let shuffled = Dataset::range(0..6).shuffle_with(6, &order, true);
    let (order, windows) = (values(&shuffled), windows(&shuffled.window(2, 1, 1, true)));
    let expected: Vec<Vec<i64>> = order.windows(2).map(|pair| pair.to_vec()).collect();
    assert_eq!(windows, expected);
    let ragged = Dataset::from_generator(|| (1..3usize).map(|n| zeros::<i64>(&[n])));
    let failed = std::panic::catch_unwind(|| ragged.window(2, 1, 1, false).iter().count());
    let message = failed.unwrap_err().downcast::<String>().expect("a text");
    assert!(
        message.contains("Cannot batch tensors with different shapes"),
        "{message}"
    );
    for zero in [(0, 1, 1), (1, 0, 1), (1, 1, 0)] {
        let (size, shift, stride) = zero;
        let window = || Dataset::range(0..3).window(size, shift, stride, false);
        assert!(std::panic::catch_unwind(window).is_err());
    }
}
