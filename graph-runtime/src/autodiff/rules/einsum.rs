//! Sums of products. The gradient with respect to an operand is a sum of products of the upstream gradient and the other operands:
//! `ij,jk->ik` becomes `ik,jk->ij`. An axis that only this operand has is filled by a factor of ones; an axis that it has twice, by a unit matrix.

use graph_kernels::Equation;
use smallvec::SmallVec;

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use crate::ops::{self, Attr, Attrs};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::EINSUM, einsum),
    (&ops::TENSORDOT, tensordot),
];

const DOTS: &str = "...";

fn einsum(b: &mut Backward<'_>) {
    let text = b.attrs().text("equation").unwrap_or_default();
    let text: String = text.split(' ').collect();
    give(b, &text);
}

/// Writes the product as an equation with a letter for each axis; the two axes of a contracted pair share a letter.
fn tensordot(b: &mut Backward<'_>) {
    let axes = ["axes_a", "axes_b"].map(|name| b.attrs().ints(name).unwrap_or_default().to_vec());
    let count = axes[0].len();
    // In a valid program, the result has all axes of both operands except for the pairs.
    let all = b.y().shape().rank().or(b.g().shape().rank());
    let rest = |one: usize| (all? + 2 * count).checked_sub(one);
    let ranks = match [0, 1].map(|i| b.ty(i).shape.rank()) {
        [Some(a), Some(other)] => Some([a, other]),
        [Some(a), None] => rest(a).map(|other| [a, other]),
        [None, Some(other)] => rest(other).map(|a| [a, other]),
        [None, None] => None,
    };
    let Some(ranks) = ranks else {
        return b.refuse("the gradient of `tensordot` needs the number of axes of an operand, which isn't known here");
    };
    let Ok(equation) = Equation::pairs(ranks, [&axes[0], &axes[1]]) else {
        return;
    };
    let all: SmallVec<[_; 8]> = equation.inputs.iter().flatten().copied().collect();
    let letter = |label| {
        let first = all.iter().position(|other| *other == label);
        char::from(b'a' + first.unwrap_or(0).min(25) as u8)
    };
    let letters = |labels: &[_]| {
        labels
            .iter()
            .map(|label| letter(*label))
            .collect::<String>()
    };
    let inputs: Vec<String> = equation
        .inputs
        .iter()
        .map(|labels| letters(labels))
        .collect();
    let text = format!("{}->{}", inputs.join(","), letters(&equation.output));
    give(b, &text);
}

fn give(b: &mut Backward<'_>, equation: &str) {
    let (inputs, output) = match equation.split_once("->") {
        Some((inputs, output)) => (inputs, output.to_owned()),
        None => (equation, implicit(equation)),
    };
    let inputs: Vec<&str> = inputs.split(',').collect();
    for (i, own) in inputs.iter().enumerate() {
        if b.wants(i) {
            let others = (0..inputs.len()).filter(|n| *n != i);
            let mut factors = vec![Factor::new(&output, b.g())];
            factors.extend(others.map(|n| Factor::new(inputs[n], b.x(n))));
            let gradient = with_respect_to(&b.x(i), own, factors);
            b.give(i, gradient);
        }
    }
}

/// The result's axes of an equation without `->`: the axes of `...`, then the letters that occur once, in order.
fn implicit(inputs: &str) -> String {
    let mut letters: Vec<char> = inputs.chars().filter(char::is_ascii_alphabetic).collect();
    letters.sort_unstable();
    let once = letters.iter().filter(|c| inputs.matches(**c).count() == 1);
    let dots = if inputs.contains(DOTS) { DOTS } else { "" };
    dots.chars().chain(once.copied()).collect()
}

/// A factor and the names of its axes.
struct Factor {
    axes: String,
    term: Term,
}

impl Factor {
    fn new(axes: &str, term: Term) -> Factor {
        Factor {
            axes: axes.to_owned(),
            term,
        }
    }

    fn has(&self, name: &str) -> bool {
        self.axes.contains(name)
    }
}

/// The sum of products with the axes of `x`, whose names are `own`.
fn with_respect_to(x: &Term, own: &str, mut factors: Vec<Factor>) -> Term {
    let letters = own.chars().filter(char::is_ascii_alphabetic);
    let known = |name: &str| factors.iter().any(|factor| factor.has(name));
    let missing = letters.clone().any(|c| !known(c.encode_utf8(&mut [0; 4])));
    // The axes of `...` may be larger in `x` than in the other factors, unless the result has `...` too.
    if missing || own.contains(DOTS) && !factors[0].has(DOTS) {
        factors.push(Factor::new(own, x.full_like(1.0)));
    }
    let mut axes = String::new();
    for (n, c) in own.chars().enumerate() {
        if c != '.' && axes.contains(c) {
            let fresh = fresh(own, &axes, &factors);
            factors.push(Factor::new(&format!("{c}{fresh}"), unit_matrix(x, own, n)));
            axes.push(fresh);
        } else {
            axes.push(c);
        }
    }
    let front = axes.replace(DOTS, "");
    match (axes.contains(DOTS), x.shape().rank()) {
        (false, _) => product(&axes, factors).of_type(&x.ty()),
        // The axes of `...` are moved to the front, so that they can be summed to those of `x`.
        (true, Some(rank)) if !axes.starts_with(DOTS) => {
            let before = axes.find(DOTS).unwrap_or(0);
            let under = rank - front.len();
            let under = (before..before + under).map(|axis| axis as i64);
            let letters = (0..before).chain(rank - (front.len() - before)..rank);
            let perm: Vec<i64> = under.chain(letters.map(|axis| axis as i64)).collect();
            let moved = x.map_with(&ops::TRANSPOSE, [("perm", Attr::Ints(perm.clone()))]);
            let sum = product(&format!("{DOTS}{front}"), factors).sum_to(&moved);
            let mut back = vec![0; rank];
            (0..)
                .zip(&perm)
                .for_each(|(to, from)| back[*from as usize] = to);
            sum.map_with(&ops::TRANSPOSE, [("perm", Attr::Ints(back))])
        }
        (true, _) => product(&axes, factors).sum_to(x),
    }
}

fn product(axes: &str, factors: Vec<Factor>) -> Term {
    let inputs: Vec<&str> = factors.iter().map(|factor| &*factor.axes).collect();
    let equation = Attr::Text(format!("{}->{axes}", inputs.join(",")));
    let (first, rest) = factors.split_first().expect("the gradient is a factor");
    let rest: Vec<&Term> = rest.iter().map(|factor| &factor.term).collect();
    let attrs = Attrs::new().with("equation", equation);
    first.term.apply(&ops::EINSUM, attrs, &rest)
}

/// A letter that isn't in use yet.
fn fresh(own: &str, axes: &str, factors: &[Factor]) -> char {
    let used =
        |c: char| own.contains(c) || axes.contains(c) || factors.iter().any(|f| f.axes.contains(c));
    let mut letters = ('a'..='z').chain('A'..='Z');
    letters.find(|c| !used(*c)).unwrap_or('?')
}

/// A unit matrix, of the size of the axis that the `n`-th character of `own` names.
fn unit_matrix(x: &Term, own: &str, n: usize) -> Term {
    // Axes after `...` are counted from the end.
    let at = match own.find(DOTS) {
        Some(dots) if dots < n => n as i32 - own.len() as i32,
        _ => n as i32,
    };
    let size = x
        .sizes()
        .with(&ops::INDEX, &x.constant(graph_kernels::Array::scalar(at)));
    let (zero, one) = (size.number(0.0), size.number(1.0));
    let numbers = zero.apply(&ops::RANGE, Attrs::new(), &[&size, &one]);
    numbers
        .expand_dims(1)
        .with(&ops::EQUAL, &numbers)
        .cast(x.dtype())
}

#[cfg(test)]
mod tests {
    use graph_kernels::DType;

    use super::super::super::backward::Backward;
    use super::super::super::split::backward_of;
    use super::super::super::tangent::parameter;
    use crate::error::Location;
    use crate::graph::{Graph, Node, Op, Shape, TensorType};
    use crate::ops::{self, Attr, Attrs};
    use crate::trace::{self, Beginning};

    /// The einsum equations of a backward graph, first to last.
    fn equations(backward: &Graph) -> Vec<&str> {
        let texts = backward.nodes.iter().filter_map(|node| match &node.op {
            Op::Primitive(_, attrs) => attrs.text("equation").ok(),
            _ => None,
        });
        texts.collect()
    }

    /// The equations of the gradients with respect to each operand, the last operand first.
    fn check(equation: &str, operands: &[&str], result: &str, expected: &[&str]) {
        let named = operands.iter().enumerate();
        let inputs: Vec<String> = named.map(|(i, ty)| format!("x{i}: {ty}")).collect();
        let names: Vec<String> = (0..operands.len()).map(|i| format!("x{i}")).collect();
        let (inputs, names) = (inputs.join(", "), names.join(", "));
        let backward = backward_of(&format!(
            "graph ({inputs}) -> {result} {{ y = einsum({names}) {{equation = \"{equation}\"}} : {result} return y }}"
        ));
        let backward = backward.expect("a gradient");
        assert_eq!(equations(&backward), expected, "{equation}: {backward}");
    }

    #[test]
    fn a_gradient_takes_no_more_factors_than_it_needs() {
        let matrix = "float32[3,3]";
        let vector = "float32[3]";
        check(
            "ij,jk->ik",
            &[matrix; 2],
            matrix,
            &["ik,jk->ij", "ik,ij->jk"],
        );
        // Ones, for the axis that only the operand has.
        check("i,j->i", &[vector; 2], vector, &["i,j->i", "i,i,j->j"]);
        check("ij->i", &[matrix], vector, &["i,ij->ij"]);
        // A unit matrix, for the axis that it has twice.
        check("ii->i", &[matrix], vector, &["i,ia->ia"]);
        check("ii->", &[matrix], "float32[]", &[",ii,ia->ia"]);
    }

    #[test]
    fn axes_under_dots_are_ones_only_where_the_result_has_none() {
        let matrix = "float32[3,3]";
        let vector = "float32[3]";
        check(
            "...i,...i->...",
            &[matrix; 2],
            vector,
            &["...,...i->...i", "...,...i->...i"],
        );
        check("...i->i", &[matrix], vector, &["i,...i->...i"]);
    }

    /// The axis of an operand whose size the unit matrix of its gradient has; after `...` it is counted from the end.
    #[test]
    fn a_unit_matrix_is_of_the_size_of_the_axis_that_is_there_twice() {
        let size = |equation: &str, x: &str, y: &str| {
            let backward = backward_of(&format!(
                "graph (x: {x}) -> {y} {{ y = einsum(x) {{equation = \"{equation}\"}} : {y} return y }}"
            ));
            let backward = backward.expect("a gradient");
            let mut nodes = backward.nodes.iter();
            let is_index =
                |node: &&Node| matches!(node.op, Op::Primitive(op, _) if *op == ops::INDEX);
            let at = nodes.find(is_index).expect("a size").inputs[1];
            let constant = backward.nodes.iter().find(|node| node.outputs == [at]);
            match &constant.expect("a constant").op {
                Op::Constant(array) => array.values::<i32>().expect("an integer")[0],
                op => panic!("{op:?}"),
            }
        };
        let (square, rest) = ("float32[3,3,5]", "float32[3,5]");
        assert_eq!(size("ii...->i...", square, rest), 1);
        assert_eq!(size("iij->ij", square, rest), 1);
        assert_eq!(size("...ii->...i", "float32[5,3,3]", "float32[5,3]"), -1);
    }

    #[test]
    fn axes_under_dots_move_to_the_front_and_back() {
        let perms = |equation: &str, x: &str, y: &str| {
            let backward = backward_of(&format!(
                "graph (x: {x}) -> {y} {{ y = einsum(x) {{equation = \"{equation}\"}} : {y} return y }}"
            ));
            let nodes = backward.expect("a gradient").nodes.into_iter();
            let perms = nodes.filter_map(|node| match node.op {
                Op::Primitive(_, attrs) => Some(attrs.ints("perm").ok()?.to_vec()),
                _ => None,
            });
            perms.collect::<Vec<_>>()
        };
        let [four, three] = ["float32[2,3,4,5]", "float32[3,4,5]"];
        assert_eq!(
            perms("i...j->...j", four, three),
            [[1, 2, 0, 3], [2, 0, 1, 3]]
        );
        assert!(perms("...ij->...j", four, "float32[2,3,5]").is_empty());
    }

    /// The equations for `tensordot` over all axes but the first of one operand and the first axes of the other. The result's static type
    /// says nothing; its gradient has `rank` axes.
    fn of_pairs(
        pairs: i64,
        operands: [Option<usize>; 2],
        rank: usize,
    ) -> crate::Result<Vec<String>> {
        let location = Location::unknown();
        let _open = trace::begin(Beginning::default());
        let ty = |shape: Shape| TensorType::new(DType::F32, shape);
        let shapes = operands.map(|n| n.map_or(Shape::unknown(), |n| Shape::of(vec![None; n])));
        let operands = shapes.map(|shape| parameter(ty(shape)));
        let attrs = Attrs::new()
            .with("axes_a", Attr::Ints((1..=pairs).collect()))
            .with("axes_b", Attr::Ints((0..pairs).collect()));
        let mut backward = Backward {
            op: &ops::TENSORDOT,
            attrs: &attrs,
            operands: &operands,
            output: &parameter(ty(Shape::unknown())),
            upstream: parameter(ty(Shape::of(vec![None; rank]))),
            wanted: &[true; 2],
            gradients: vec![None; 2],
            location: &location,
        };
        super::tensordot(&mut backward);
        let traced = trace::finish(&[])?;
        Ok(equations(&traced.graph)
            .into_iter()
            .map(str::to_owned)
            .collect())
    }

    #[test]
    fn the_axes_of_the_gradient_tell_those_of_an_operand() {
        let one = ["ade,bde->ab", "ade,ab->bde"];
        for operands in [[Some(2), None], [None, Some(3)]] {
            assert_eq!(
                of_pairs(1, operands, 3).expect("a gradient"),
                one,
                "{operands:?}"
            );
        }
        let two = ["af,bcf->abc", "af,abc->bcf"];
        for operands in [[Some(3), None], [None, Some(3)]] {
            assert_eq!(
                of_pairs(2, operands, 2).expect("a gradient"),
                two,
                "{operands:?}"
            );
        }
    }

    #[test]
    fn a_gradient_of_too_few_axes_is_an_error_and_no_panic() {
        for operands in [[Some(4), None], [None, Some(4)], [None, None]] {
            let error = of_pairs(1, operands, 1).expect_err("no such result");
            assert!(
                error.to_string().contains("needs the number of axes"),
                "{error}"
            );
        }
    }
}
