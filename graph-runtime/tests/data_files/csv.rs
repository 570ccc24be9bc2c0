//! CSV files, line by line.

use graph_runtime::data::Csv;
use graph_runtime::prelude::*;

use crate::file;

#[test]
fn a_csv_file_is_read_line_by_line() {
    let (_folder, path) = file(b"1;0.5;2.5;true;\"a;b\"\n-7; 1e3;inf;0;c\n");
    type Line = (
        Tensor<i64>,
        Tensor<f32, S1<2>>,
        Tensor<bool>,
        Tensor<String>,
    );
    let csv: Dataset<Line> = Csv::new(path)
        .without_header()
        .delimiter(b';')
        .dataset()
        .unwrap();
    let lines: Vec<_> = csv
        .iter()
        .map(|(a, b, c, d)| (a.item(), b.to_vec(), c.item(), d.item()))
        .collect();
    assert_eq!(lines[0], (1, vec![0.5, 2.5], true, "a;b".to_owned()));
    assert_eq!(
        lines[1],
        (-7, vec![1000.0, f32::INFINITY], false, "c".to_owned())
    );

    #[graph_fn]
    fn sum(lines: &Dataset<Line>) -> Tensor<f32> {
        let mut sum = tensor(0.0);
        for (_, values, ..) in lines.take(1) {
            sum += values.sum();
        }
        sum
    }
    assert_eq!(sum(&csv).item(), 3.0);
}

#[test]
fn a_wrong_line_of_a_csv_file_is_named() {
    #[graph_fn]
    fn sum(lines: &Dataset<(Tensor<f32>, Tensor<i32>)>) -> graph_runtime::Result<Tensor<f32>> {
        let mut sum = tensor(0.0);
        for (x, _) in lines {
            sum += x;
        }
        Ok(sum)
    }
    for (text, message) in [
        (
            "x,y\n1.5,2\nabc,3\n",
            "at byte 10: line 3: column 1: \"abc\" is no float32",
        ),
        (
            "x,y\n1.5,2\n1,2.5\n",
            "at byte 10: line 3: column 2: \"2.5\" is no int32",
        ),
        ("x,y\n1.5\n", "at byte 4: line 2: 1 values instead of 2"),
        ("x,y\n1,2\n1,\u{0}\n", "is no int32"),
    ] {
        let (_folder, path) = file(text.as_bytes());
        let error = sum(&Csv::new(path).dataset().unwrap()).unwrap_err();
        assert!(error.message().contains(message), "{error}");
    }
    let (_folder, path) = file(b"x\n1\n");
    let refused = Csv::new(path)
        .dataset::<Tensor<f32, S2<2, 2>>>()
        .unwrap_err();
    assert!(
        refused.message().contains("scalars and vectors"),
        "{refused}"
    );
}
