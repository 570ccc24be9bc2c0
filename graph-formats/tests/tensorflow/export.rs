//! Ops for which TensorFlow has no op of its own: what is written is read again, and gives the same values.

use graph_formats::tensorflow::{graph_def, graph_of};
use graph_ir::graph::Graph;
use graph_kernels::Array;

use crate::values::run;

/// The results of a graph, and those of the graph that TensorFlow's form of it gives.
fn both(text: &str, operands: &[Array]) -> [Vec<Array>; 2] {
    let graph: Graph = text.parse().unwrap();
    let def = graph_def(&graph).unwrap();
    let result = &def.node.last().unwrap().name;
    let again = graph_of(&def, &[result]).unwrap();
    [graph, again].map(|graph| run(&graph, operands, Vec::new()).unwrap())
}

#[track_caller]
fn check(text: &str, operands: &[Array], expected: Array) {
    for results in both(text, operands) {
        assert_eq!(results, std::slice::from_ref(&expected));
    }
}

fn refused(text: &str) -> String {
    graph_def(&text.parse().unwrap()).unwrap_err().to_string()
}

#[test]
fn values_are_taken_along_an_axis() {
    let x = Array::new(&[2, 3], vec![10i32, 11, 12, 20, 21, 22]);
    let last = Array::new(&[2, 2], vec![2i64, -3, 0, -1]);
    for shape in ["2,3", "?,?"] {
        let text = format!(
            "graph (x: int32[{shape}], i: int64[?,2]) -> int32[?,2] {{\n  y = take_along_axis(x, i) {{axis = -1}} : int32[?,2]\n  return y\n}}"
        );
        let expected = Array::new(&[2, 2], vec![12i32, 10, 20, 22]);
        check(&text, &[x.clone(), last.clone()], expected);
    }
    // The lanes broadcast in both directions, and the axis isn't the last.
    let text = "graph (x: int32[2,1,2], i: int32[3,3,1]) -> int32[3,3,2] {\n  y = take_along_axis(x, i) {axis = 0} : int32[3,3,2]\n  return y\n}";
    let x = Array::new(&[2, 1, 2], vec![1i32, 2, 3, 4]);
    let i = Array::new(&[3, 3, 1], vec![0i32, 1, -1, -2, 0, 1, 1, 1, 0]);
    let row = |n: &i32| if *n == 0 || *n == -2 { [1, 2] } else { [3, 4] };
    let values: Vec<i32> = i.values::<i32>().unwrap().iter().flat_map(row).collect();
    check(text, &[x, i], Array::new(&[3, 3, 2], values));
    let text = "graph (x: float32[?], i: int32[?]) -> float32[?] {\n  y = take_along_axis(x, i) {axis = 0} : float32[?]\n  return y\n}";
    let none = Array::new(&[0], Vec::<f32>::new());
    let x = Array::new(&[2], vec![1f32, 2.0]);
    check(text, &[x, Array::new(&[0], Vec::<i32>::new())], none);
}

#[test]
fn values_are_added_along_an_axis() {
    let text = "graph (x: float32[?,?], i: int32[?,?], v: float32[?,?]) -> float32[?,?] {\n  y = add_along_axis(x, i, v) {axis = 1} : float32[?,?]\n  return y\n}";
    let x = Array::new(&[2, 3], vec![0f32; 6]);
    let i = Array::new(&[1, 2], vec![0i32, -1]);
    let v = Array::new(&[2, 2], vec![1f32, 2.0, 3.0, 4.0]);
    let expected = Array::new(&[2, 3], vec![1f32, 0.0, 2.0, 3.0, 0.0, 4.0]);
    check(text, &[x, i, v], expected);
    // Two values for one place add up.
    let x = Array::new(&[1, 2], vec![1f32, 1.0]);
    let i = Array::new(&[1, 3], vec![1i32, 1, 0]);
    let v = Array::new(&[1, 3], vec![1f32, 2.0, 4.0]);
    check(text, &[x, i, v], Array::new(&[1, 2], vec![5f32, 4.0]));
}

#[test]
fn the_lowest_integer_sorts_first() {
    let text = "graph (x: int8[4]) -> int8[4] {\n  y = sort(x) {axis = 0, descending = false} : int8[4]\n  return y\n}";
    let x = Array::new(&[4], vec![5i8, -128, 127, 0]);
    check(text, &[x], Array::new(&[4], vec![-128i8, 0, 5, 127]));
    let text = "graph (x: int8[4]) -> int32[4] {\n  y = argsort(x) {axis = 0, descending = false} : int32[4]\n  return y\n}";
    let x = Array::new(&[4], vec![5i8, -128, 127, 0]);
    check(text, &[x], Array::new(&[4], vec![1i32, 3, 0, 2]));
}

#[test]
fn positions_in_sorted_rows_are_found_again() {
    for (right, expected) in [(false, [1i32, 0, 4]), (true, [3, 0, 4])] {
        let text = format!(
            "graph (x: float32[?], v: float32[?]) -> int32[?] {{\n  y = searchsorted(x, v) {{right = {right}}} : int32[?]\n  return y\n}}"
        );
        let x = Array::new(&[4], vec![1f32, 2.0, 2.0, 5.0]);
        let v = Array::new(&[3], vec![2f32, 0.0, 9.0]);
        check(&text, &[x, v], Array::new(&[3], expected.to_vec()));
    }
}

#[test]
fn parts_of_strings_are_counted_in_characters() {
    let text = "graph (x: string[?], p: int32[], n: int32[]) -> string[?] {\n  y = string_substr(x, p, n) : string[?]\n  return y\n}";
    let x = Array::new(&[1], vec!["äöü".to_owned()]);
    let [p, n] = [1i32, 1].map(Array::scalar);
    check(text, &[x, p, n], Array::new(&[1], vec!["ö".to_owned()]));
    let def = graph_def(&text.parse().unwrap()).unwrap();
    assert!(def.to_string().contains("UTF8_CHAR"));
}

#[test]
fn texts_of_floats_that_tensorflow_writes_in_another_way_are_refused() {
    let error = refused(
        "graph (x: float32[]) -> string[] {\n  y = cast(x) {dtype = string} : string[]\n  return y\n}",
    );
    assert!(error.contains("float32"), "{error}");
}
