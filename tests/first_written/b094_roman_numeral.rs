//! A number as a roman numeral, and its length. From: textbook: roman numerals.
use graph_runtime::prelude::*;

#[graph_fn]
fn roman(n: Tensor<i32>) -> (Tensor<String>, Tensor<i32>) {
    let values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];
    let letters = ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"];
    let mut rest = n;
    let mut text = tensor("");
    let mut length = tensor(0);
    for (value, letter) in values.into_iter().zip(letters) {
        while rest >= value {
            text = text + letter;
            length += letter.len() as i32;
            rest -= value;
        }
    }
    (text, length)
}

fn main() {
    for (n, text, length) in [(1994, "MCMXCIV", 7), (3888, "MMMDCCCLXXXVIII", 15), (4, "IV", 2), (2024, "MMXXIV", 6)] {
        let (t, l) = roman(tensor(n));
        assert_eq!(t.item(), text);
        assert_eq!(l.item(), length);
    }
}
