//! Subtyping of signatures. A fixed dimension is a subtype of an unknown one, a known rank is a subtype of an unknown one, and
//! everything else must be equal. It is computed on the words of signatures (`signature.rs`): the least common supertype of two
//! signatures tells both whether one covers the other and what `reduce_retracing` traces.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::signature::{Key, Tag, UNKNOWN, items, part_length};

/// The most specific signature that covers both, if there is one: literals, dtypes and structures never generalize.
pub(super) fn common(a: &[u64], b: &[u64]) -> Option<Key> {
    let (mut a, mut b) = (SignatureParts(a), SignatureParts(b));
    let mut key = Key::new();
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Some(key),
            (Some(a), Some(b)) => common_part(a, b, &mut key)?,
            _ => return None,
        }
    }
}

/// True if a trace for `general` can serve a call with the signature `specific`.
pub(super) fn covers(general: &[u64], specific: &[u64]) -> bool {
    common(general, specific).is_some_and(|key| key[..] == *general)
}

/// A hash of what never generalizes. Signatures of different families have no common supertype.
pub(super) fn family(key: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    for part in SignatureParts(key) {
        match Tag::of_tensor(part[0]) {
            Some(dtype) => dtype.hash(&mut hasher),
            None => part.hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// Appends the most specific part that covers both parts.
fn common_part(a: &[u64], b: &[u64], key: &mut Key) -> Option<()> {
    if a == b {
        key.extend_from_slice(a);
        return Some(());
    }
    let (tensor, other) = (Tag::of_tensor(a[0])?, Tag::of_tensor(b[0])?);
    if tensor != other {
        return None;
    }
    if a[0] != b[0] {
        // The ranks differ, or one of them is unknown.
        key.push(Tag::UnknownRank.with_dtype(tensor));
        return Some(());
    }
    key.push(a[0]);
    let dims = a[1..].iter().zip(&b[1..]);
    key.extend(dims.map(|(a, b)| if a == b { *a } else { UNKNOWN }));
    Some(())
}

/// Iterates over the parts of a signature: a head word with the words that belong to it.
pub(super) struct SignatureParts<'a>(pub &'a [u64]);

impl<'a> Iterator for SignatureParts<'a> {
    type Item = &'a [u64];

    fn next(&mut self) -> Option<&'a [u64]> {
        let length = part_length(self.0)?;
        let (part, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        Some(part)
    }
}

/// Iterates over the values, each with the words of all its parts.
pub(super) fn values(mut words: &[u64]) -> impl Iterator<Item = &[u64]> {
    std::iter::from_fn(move || {
        let (mut length, mut due) = (0, 1);
        let mut parts = SignatureParts(words);
        while due > 0 {
            let part = parts.next()?;
            length += part.len();
            due += items(part[0]);
            due -= 1;
        }
        let (value, rest) = words.split_at(length);
        words = rest;
        Some(value)
    })
}

/// True if a value contains no tensor and no variable, so that a trace knows it completely.
pub(super) fn is_literal(value: &[u64]) -> bool {
    let is_given = |part: &[u64]| {
        let tag = Tag::of(part[0]);
        matches!(
            tag,
            Tag::Tensor | Tag::UnknownRank | Tag::Alias | Tag::Variable
        )
    };
    !SignatureParts(value).any(is_given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Shape, TensorType};
    use crate::signature::{Argument, Signature};
    use crate::tensor;

    /// The words of a tensor; the sizes that are `None` are unknown.
    fn spec(dims: Option<&[Option<usize>]>) -> Key {
        let mut signature = Signature::default();
        let shape = match dims {
            Some(dims) => Shape::of(dims.iter().copied()),
            None => Shape::unknown(),
        };
        let x = tensor(0i32);
        signature.tensor_of(x.as_any(), TensorType::new(x.dtype(), shape));
        signature.key
    }

    fn words(value: impl Argument) -> Key {
        let mut signature = Signature::default();
        value.trace_type(&mut signature);
        signature.key
    }

    #[test]
    fn a_dimension_that_differs_is_unknown_and_another_rank_leaves_nothing() {
        let fixed = |dims: &[usize]| spec(Some(&dims.iter().map(|d| Some(*d)).collect::<Vec<_>>()));
        let any_rank = spec(None);
        let rows = spec(Some(&[None, Some(2)]));
        assert_eq!(common(&fixed(&[3, 2]), &fixed(&[5, 2])), Some(rows.clone()));
        assert_eq!(common(&fixed(&[3, 2]), &rows), Some(rows.clone()));
        assert_eq!(common(&fixed(&[2]), &rows), Some(any_rank.clone()));
        assert_eq!(common(&any_rank, &fixed(&[])), Some(any_rank.clone()));
        assert!(covers(&rows, &fixed(&[7, 2])) && !covers(&rows, &fixed(&[7, 3])));
        assert!(!covers(&fixed(&[7, 2]), &rows));
        assert!(covers(&any_rank, &rows) && !covers(&rows, &any_rank));
        assert!(covers(&rows, &rows));
    }

    #[test]
    fn everything_else_must_be_equal() {
        assert_eq!(
            common(&words(tensor([1, 2])), &words(tensor([1.0f32, 2.0]))),
            None
        );
        assert_eq!(common(&words(2), &words(3)), None);
        assert_eq!(common(&words(2i32), &words(2i64)), None);
        assert_eq!(common(&words("three"), &words("seven")), None);
        let list = |n: usize, len: usize| words(vec![tensor(vec![0i32; n]); len]);
        assert_eq!(common(&list(2, 1), &list(2, 2)), None);
        assert_eq!(common(&words((1, tensor([1, 2]))), &words((1, 2))), None);
    }

    #[test]
    fn a_family_is_what_may_have_a_common_supertype() {
        let pairs = |n: usize| words((vec![tensor(vec![0i32; n])], 2u8, "a text"));
        let keys = [
            spec(None),
            spec(Some(&[None, Some(2)])),
            spec(Some(&[Some(3)])),
            words(tensor(1.0f32)),
            words(2u8),
            words(3u8),
            words("a text"),
            pairs(3),
            pairs(4),
            words((vec![tensor(0i32)], 3u8, "a text")),
        ];
        for a in &keys {
            for b in &keys {
                assert_eq!(
                    common(a, b).is_some(),
                    family(a) == family(b),
                    "{a:?} {b:?}"
                );
            }
        }
    }

    #[test]
    fn values_are_whole() {
        let (list, text) = (words(vec![Some(tensor(1)), None]), words("a text"));
        let mut both = list.clone();
        both.extend_from_slice(&text);
        let found: Vec<&[u64]> = values(&both).collect();
        assert_eq!(found, [&list[..], &text[..]]);
        assert!(!is_literal(&list) && is_literal(&text));
    }

    #[test]
    fn what_stands_in_collections_generalizes_there() {
        let of = |n: usize| {
            words((
                vec![tensor(vec![0i32; n])],
                "a text of some length",
                Some(2u8),
            ))
        };
        let general = common(&of(3), &of(4)).expect("they differ in one dimension only");
        assert!(covers(&general, &of(9)) && !covers(&of(3), &of(4)));
    }
}
