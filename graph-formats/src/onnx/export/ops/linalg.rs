//! Products of matrices, and sums of products over named or paired axes.

use graph_ir::ops::{self, OpDef};

use super::common::transpose;
use super::{Use, Write, Written};
use crate::onnx::export::writer::{Tensor, Writer};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::MATMUL, matmul),
    (&ops::EINSUM, einsum),
    (&ops::TENSORDOT, tensordot),
];

fn matmul(u: &mut Use<'_>) -> Written {
    let (of_a, of_b) = (u.attrs.bool("transpose_a")?, u.attrs.bool("transpose_b")?);
    let a = adjoint(u.w, &u.x[0], of_a)?;
    let b = adjoint(u.w, &u.x[1], of_b)?;
    Ok(u.result("MatMul", &[&a, &b]))
}

/// The matrices transposed, or not.
fn adjoint(w: &mut Writer, x: &Tensor, transposed: bool) -> Written {
    if !transposed {
        return Ok(x.clone());
    }
    let rank = x.rank()?;
    let rows = rank.checked_sub(2).ok_or("a matrix has two axes")?;
    let mut order: Vec<usize> = (0..rank).collect();
    order.swap(rows, rows + 1);
    Ok(transpose(w, x, &order))
}

fn einsum(u: &mut Use<'_>) -> Written {
    let (equation, ty) = (u.attrs.text("equation")?, u.ty.clone());
    let ranks: Result<Vec<usize>, String> = u.x.iter().map(Tensor::rank).collect();
    let equation = ranks
        .ok()
        .and_then(|ranks| without_dots(equation, &ranks))
        .unwrap_or_else(|| equation.to_owned());
    let operands: Vec<&Tensor> = u.x.iter().collect();
    Ok(u.w
        .op("Einsum", &operands)
        .text("equation", &equation)
        .gives(ty))
}

/// The equation with names for the axes that its dots stand for: in ONNX, the dots of all operands stand for as many. Nothing if they do
/// anyway.
fn without_dots(equation: &str, ranks: &[usize]) -> Option<String> {
    const DOTS: &str = "...";
    let equation: String = equation.split_whitespace().collect();
    let (operands, result) = equation.split_once("->")?;
    let operands: Vec<&str> = operands.split(',').collect();
    let counts = operands
        .iter()
        .zip(ranks)
        .filter(|(operand, _)| operand.contains(DOTS));
    let counts: Vec<usize> = counts
        .map(|(operand, rank)| (rank + DOTS.len()).saturating_sub(operand.len()))
        .collect();
    let most = *counts.iter().max()?;
    if counts.iter().all(|count| *count == most) {
        return None;
    }
    let free: String = ('A'..='Z')
        .chain('a'..='z')
        .filter(|letter| !equation.contains(*letter))
        .take(most)
        .collect();
    let mut counts = counts.into_iter();
    let named = operands.iter().map(|operand| match operand.contains(DOTS) {
        true => operand.replace(
            DOTS,
            free.get(most - counts.next().unwrap_or(0)..)
                .unwrap_or_default(),
        ),
        false => (*operand).to_owned(),
    });
    let operands: Vec<String> = named.collect();
    Some(format!(
        "{}->{}",
        operands.join(","),
        result.replace(DOTS, &free)
    ))
}

/// An `Einsum` whose equation names the paired axes alike.
fn tensordot(u: &mut Use<'_>) -> Written {
    let axes = |x: &Tensor, name: &str| -> Result<Vec<usize>, String> {
        let given = u.attrs.ints(name)?;
        given.iter().map(|axis| x.axis(*axis)).collect()
    };
    let (of_a, of_b) = (axes(&u.x[0], "axes_a")?, axes(&u.x[1], "axes_b")?);
    let [a, b] = [u.x[0].rank()?, u.x[1].rank()?];
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    if a + b > letters.len() {
        return Err(format!(
            "an equation of {} axes has more names than there are letters",
            a + b
        ));
    }
    let first = &letters[..a];
    let mut second = letters[a..a + b].to_vec();
    for (of_a, of_b) in of_a.iter().zip(&of_b) {
        second[*of_b] = first[*of_a];
    }
    let left = (0..a)
        .filter(|axis| !of_a.contains(axis))
        .map(|axis| first[axis]);
    let right = (0..b)
        .filter(|axis| !of_b.contains(axis))
        .map(|axis| second[axis]);
    let result: String = left.chain(right).collect();
    let (first, second): (String, String) = (first.iter().collect(), second.iter().collect());
    let (equation, ty) = (format!("{first},{second}->{result}"), u.ty.clone());
    Ok(u.w
        .op("Einsum", &[&u.x[0], &u.x[1]])
        .text("equation", &equation)
        .gives(ty))
}
