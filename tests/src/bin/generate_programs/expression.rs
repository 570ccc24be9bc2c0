//! Expressions on one line. Values stay small: at most one operand of a sum isn't reduced by `%`, and all factors are reduced, so no loop
//! doubles a value. Divisors are literals.

use super::scope::{Kind, Writer};

impl Writer {
    /// An expression with a value between about -100 and 100, in parentheses if it has operators. It is a Rust value or a tensor.
    pub fn small(&mut self) -> String {
        match self.random.below(5) {
            0 | 1 => (1 + self.random.below(9)).to_string(),
            2 => match self.pick(|n| n.kind == Kind::Rust) {
                Some(name) => name.text,
                None => self.random.below(5).to_string(),
            },
            _ => self.reduced(),
        }
    }

    /// A small expression that is a tensor in the graph form.
    pub fn reduced(&mut self) -> String {
        let (x, divisor) = (self.int_name(), 2 + self.random.below(40));
        format!("({x} % {divisor})")
    }

    /// An integer expression with an operator: a tensor in the graph form.
    pub fn int(&mut self) -> String {
        let (x, y, k) = (self.int_name(), self.small(), 2 + self.random.below(6));
        match self.random.below(9) {
            0 | 1 => format!("{x} + {y}"),
            2 => format!("{x} - {y}"),
            // A literal on the left has its type written: if both sides were `{integer}`s, the type of the difference would not be known
            // where it is compared.
            3 if self.random.once_in(2) => format!("{k}i32 - {x}"),
            3 => format!("{} - {x}", self.reduced()),
            4 => format!("{} * {y}", self.reduced()),
            5 => format!("{x} / {k} + {y}"),
            6 => format!("-{x} - {y}"),
            7 => format!("{} * {y} - {}", self.reduced(), self.reduced()),
            _ => format!("({x} + {y}) % {}", 50 + k * 10),
        }
    }

    /// An integer that is used by value. A variable on its own is cloned, because it would be moved in the graph form.
    pub fn whole(&mut self) -> String {
        match self.random.below(8) {
            0 | 1 => format!("{}.clone()", self.int_name()),
            2 => {
                let number = self.random.below(20) as i64 - 9;
                format!("tensor({number})")
            }
            _ => self.int(),
        }
    }

    /// The value of a branch, if the value of the other branch tells that it is an integer.
    pub fn end(&mut self) -> String {
        match self.random.below(6) {
            0 => (self.random.below(20) as i64 - 9).to_string(),
            1 | 2 => self.int_name(),
            _ => self.int(),
        }
    }

    pub fn condition(&mut self) -> String {
        match self.random.below(10) {
            0 | 1 => format!("{} && {}", self.atom(), self.atom()),
            2 => format!("{} || {}", self.atom(), self.atom()),
            3 => format!("{} && ({} || {})", self.atom(), self.atom(), self.atom()),
            4 => format!("!({} && {})", self.atom(), self.atom()),
            _ => self.atom(),
        }
    }

    fn atom(&mut self) -> String {
        let (x, y) = (self.int_name(), self.int_name());
        match self.random.below(12) {
            0 | 1 => match self.pick(|n| n.kind == Kind::Bool) {
                Some(p) => p.text,
                None => format!("{x} >= {y}"),
            },
            2 => match self.pick(|n| n.kind == Kind::Rust) {
                Some(i) => format!(
                    "{} {} {}",
                    i.text,
                    self.one_of(&["==", "<", "!="]),
                    self.random.below(3)
                ),
                None => format!("{} < {x}", self.random.below(9)),
            },
            3 => {
                let (p, k) = (self.fresh('q'), self.random.below(9));
                format!("{{ graph_print!(\"{p} {{}}\", {x}); {x} > {k} }}")
            }
            4 => format!("!({x} > {y})"),
            5 | 6 => format!(
                "{x} % {} == {}",
                2 + self.random.below(4),
                self.random.below(3)
            ),
            7 => format!("{x} + {} <= {y}", self.small()),
            _ => {
                let operator = self.one_of(&["<", ">", "<=", ">=", "==", "!="]);
                format!("{x} {operator} {}", self.small())
            }
        }
    }

    /// The range of a `for`, and the kind of its items. A range has at most six items.
    pub fn range(&mut self) -> (String, Kind) {
        if self.unrolled < 2 && self.random.once_in(3) {
            let n = 1 + self.random.below(3);
            let range = match self.random.below(4) {
                0 => format!("(0..{n}).rev()"),
                1 => format!("1..={n}"),
                _ => format!("0..{n}"),
            };
            return (range, Kind::Rust);
        }
        let (x, n) = (self.int_name(), 2 + self.random.below(4));
        let range = match self.random.below(6) {
            0 => format!("(0..{x} % {n}).rev()"),
            1 => format!("1..={x} % {n}"),
            2 => format!("({x} % 3..{x} % 3 + {n}).step_by(2)"),
            3 => format!("{x} - 1..{x} + {}", n - 2),
            _ => format!("0..{x} % {n}"),
        };
        (range, Kind::Int)
    }
}
