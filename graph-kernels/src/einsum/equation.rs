//! The equation of an Einstein sum: which axes are multiplied with each other, which are summed, and which stay.

use smallvec::SmallVec;

use crate::KernelError;
use crate::along::normalize_axis;

/// The name of an axis: a letter, or for the axes that `...` covers a number counted from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// An axis that `...` covers, counted from the last one.
    Broadcast(usize),
    /// A letter of the equation.
    Letter(char),
}

/// The labels of an operand's axes.
pub type Labels = SmallVec<[Label; 6]>;

/// An equation for operands of known ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    /// The labels of the operands' axes.
    pub inputs: SmallVec<[Labels; 2]>,
    /// The labels of the result's axes.
    pub output: Labels,
}

/// The letters of one operand before and behind `...`, and whether `...` occurs.
#[derive(Clone, Debug, Default)]
struct Subscripts {
    before: SmallVec<[char; 6]>,
    behind: SmallVec<[char; 6]>,
    has_ellipsis: bool,
}

fn wrong(text: String) -> KernelError {
    KernelError::Value(text)
}

impl Subscripts {
    fn parse(text: &str) -> Result<Subscripts, KernelError> {
        let mut parsed = Subscripts::default();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix("...") {
                if std::mem::replace(&mut parsed.has_ellipsis, true) {
                    return Err(wrong(format!("`{text}` has more than one `...`")));
                }
                rest = after;
                continue;
            }
            rest = &rest[first.len_utf8()..];
            match first {
                ' ' => {}
                letter if letter.is_ascii_alphabetic() && parsed.has_ellipsis => {
                    parsed.behind.push(letter)
                }
                letter if letter.is_ascii_alphabetic() => parsed.before.push(letter),
                other => {
                    return Err(wrong(format!(
                        "`{other}` can't be the name of an axis in `{text}`"
                    )));
                }
            }
        }
        Ok(parsed)
    }

    /// The labels, where `...` covers `under` axes.
    fn labels(&self, under: usize) -> Labels {
        let letters =
            |letters: &[char]| -> Labels { letters.iter().copied().map(Label::Letter).collect() };
        let mut labels = letters(&self.before);
        if self.has_ellipsis {
            labels.extend((0..under).rev().map(Label::Broadcast));
        }
        labels.extend(letters(&self.behind));
        labels
    }

    fn letters(&self) -> impl Iterator<Item = char> {
        self.before.iter().chain(&self.behind).copied()
    }
}

impl Equation {
    /// Parses an equation such as `ij,jk->ik` or `...ij,...jk` for operands of the given ranks. Without `->` the result has the axes of
    /// `...`, then the letters that occur once, in alphabetical order.
    ///
    /// # Errors
    /// If the text isn't an equation, or doesn't fit the number of operands or their ranks.
    pub fn new(text: &str, ranks: &[usize]) -> Result<Equation, KernelError> {
        let (left, right) = match text.split_once("->") {
            Some((left, right)) => (left, Some(right)),
            None => (text, None),
        };
        let subscripts: Vec<Subscripts> = left
            .split(',')
            .map(Subscripts::parse)
            .collect::<Result<_, _>>()?;
        if subscripts.len() != ranks.len() {
            let (takes, given) = (subscripts.len(), ranks.len());
            return Err(wrong(format!(
                "Expected {takes} inputs for `{text}` but got {given}"
            )));
        }
        let mut inputs = SmallVec::new();
        let mut most = 0;
        for (n, (subscripts, rank)) in subscripts.iter().zip(ranks).enumerate() {
            let named = subscripts.letters().count();
            let under = rank
                .checked_sub(named)
                .filter(|under| *under == 0 || subscripts.has_ellipsis);
            let under = under.ok_or_else(|| {
                let least = if subscripts.has_ellipsis {
                    "at least "
                } else {
                    ""
                };
                wrong(format!(
                    "Expected input {n} to have rank {least}{named} but got: {rank}"
                ))
            })?;
            most = most.max(under);
            inputs.push(subscripts.labels(under));
        }
        let output = match right {
            Some(right) => Subscripts::parse(right)?.labels(most),
            None => implicit(&inputs, most),
        };
        let equation = Equation { inputs, output };
        equation.check_output(text)?;
        Ok(equation)
    }

    /// The equation that sums products over pairs of axes of two operands. The result has the other axes of the first, then those of the
    /// second.
    ///
    /// # Errors
    /// If the lists of axes differ in length, an axis doesn't exist or is named twice.
    pub fn pairs(ranks: [usize; 2], axes: [&[i64]; 2]) -> Result<Equation, KernelError> {
        if axes[0].len() != axes[1].len() {
            let [a, b] = axes.map(<[i64]>::len);
            return Err(wrong(format!(
                "`tensordot` takes as many axes of both operands, not {a} and {b}"
            )));
        }
        let own = |start: usize, rank: usize| -> Labels {
            (start..start + rank).map(Label::Broadcast).collect()
        };
        let mut inputs = [own(0, ranks[0]), own(ranks[0], ranks[1])];
        let mut output: Labels = inputs.iter().flatten().copied().collect();
        for (a, b) in axes[0].iter().zip(axes[1]) {
            let (a, b) = (normalize_axis(*a, ranks[0])?, normalize_axis(*b, ranks[1])?);
            let (kept, dropped) = (inputs[0][a], inputs[1][b]);
            let before = output.len();
            output.retain(|label| *label != kept && *label != dropped);
            if output.len() + 2 != before {
                return Err(wrong(
                    "`tensordot` takes every axis at most once".to_owned(),
                ));
            }
            inputs[1][b] = kept;
        }
        // Letters rather than `Broadcast` labels, so that axes of size 1 aren't broadcast.
        let letter = |label: &Label| match label {
            Label::Broadcast(n) => Label::Letter(char::from_u32(*n as u32).unwrap_or(char::MAX)),
            letter => *letter,
        };
        Ok(Equation {
            inputs: inputs
                .iter()
                .map(|labels| labels.iter().map(letter).collect())
                .collect(),
            output: output.iter().map(letter).collect(),
        })
    }

    fn check_output(&self, text: &str) -> Result<(), KernelError> {
        for (n, label) in self.output.iter().enumerate() {
            let known = self.inputs.iter().any(|labels| labels.contains(label));
            if !known || self.output[..n].contains(label) {
                let name = match label {
                    Label::Letter(letter) => letter.to_string(),
                    Label::Broadcast(_) => "...".to_owned(),
                };
                let what = if known {
                    "twice in the output"
                } else {
                    "in the output, but in no input,"
                };
                return Err(wrong(format!("`{name}` is {what} of `{text}`")));
            }
        }
        Ok(())
    }

    /// The size of each label of the output. `size` returns the sizes of an input's axes; `None` is an unknown size. Axes of size 1 that
    /// `...` covers are broadcast.
    ///
    /// # Errors
    /// If axes of one label differ in size.
    pub fn output_sizes(
        &self,
        size: impl Fn(usize, usize) -> Option<usize>,
    ) -> Result<SmallVec<[Option<usize>; 6]>, KernelError> {
        let mut known: SmallVec<[(Label, Option<usize>); 8]> = SmallVec::new();
        for (input, labels) in self.inputs.iter().enumerate() {
            for (axis, label) in labels.iter().enumerate() {
                let new = size(input, axis);
                let Some((_, old)) = known.iter_mut().find(|(name, _)| name == label) else {
                    known.push((*label, new));
                    continue;
                };
                *old = match (*old, new, label) {
                    (Some(1), other, Label::Broadcast(_))
                    | (other, Some(1), Label::Broadcast(_)) => other,
                    (Some(a), Some(b), _) if a != b => {
                        return Err(wrong(format!(
                            "Expected dimension {a} at axis {axis} of input {input} but got dimension {b}"
                        )));
                    }
                    (a, b, _) => a.or(b),
                };
            }
        }
        let of = |label: &Label| {
            known
                .iter()
                .find(|(name, _)| name == label)
                .and_then(|(_, size)| *size)
        };
        Ok(self.output.iter().map(of).collect())
    }
}

/// The output of an equation without `->`.
fn implicit(inputs: &[Labels], under: usize) -> Labels {
    let all = || inputs.iter().flatten().copied();
    let mut output: Labels = (0..under).rev().map(Label::Broadcast).collect();
    let mut letters: Labels = all()
        .filter(|label| matches!(label, Label::Letter(_)))
        .filter(|label| all().filter(|other| other == label).count() == 1)
        .collect();
    letters.sort();
    output.extend(letters);
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(text: &str, ranks: &[usize]) -> Result<String, String> {
        let equation = Equation::new(text, ranks).map_err(|error| error.to_string())?;
        let name = |label: &Label| match label {
            Label::Letter(letter) => *letter,
            Label::Broadcast(n) => char::from(b'0' + *n as u8),
        };
        Ok(equation.output.iter().map(name).collect())
    }

    #[test]
    fn the_output_is_what_is_written_or_what_occurs_once() {
        assert_eq!(output("ij,jk->ki", &[2, 2]).unwrap(), "ki");
        assert_eq!(output("b a , a c", &[2, 2]).unwrap(), "bc");
        assert_eq!(output("ba", &[2]).unwrap(), "ab");
        assert_eq!(output("ii", &[2]).unwrap(), "");
        assert_eq!(output("...ij,...jk", &[4, 3]).unwrap(), "10ik");
        assert_eq!(output("i...->...i", &[3]).unwrap(), "10i");
    }

    #[test]
    fn what_is_no_equation_is_said() {
        let error = |text, ranks: &[usize]| output(text, ranks).unwrap_err();
        assert_eq!(
            error("ijk->ik", &[2]),
            "Expected input 0 to have rank 3 but got: 2"
        );
        assert_eq!(
            error("ij,jk", &[2]),
            "Expected 2 inputs for `ij,jk` but got 1"
        );
        assert_eq!(
            error("i->j", &[1]),
            "`j` is in the output, but in no input, of `i->j`"
        );
        assert_eq!(
            error("ij->ii", &[2]),
            "`i` is twice in the output of `ij->ii`"
        );
        assert_eq!(
            error("i1->i", &[2]),
            "`1` can't be the name of an axis in `i1`"
        );
        assert_eq!(error("......->", &[2]), "`......` has more than one `...`");
    }
}
