//! Signatures: they decide which trace serves a call. Each argument writes its trace type as words: a tensor its dtype and shape, a
//! Rust value its bits, a collection its parts. Calls with equal words share a trace.

mod argument;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use graph_kernels::DType;
use smallvec::SmallVec;

use crate::graph::TensorType;
use crate::trace::{self, AnyTensor, Identity};
use graph_ir::device::Place;

pub use argument::{AnyArgument, Argument, Holds};

/// The words of a signature.
pub(crate) type Key = SmallVec<[u64; 24]>;

/// The structs among the arguments. A key of which the words fit has no more of them.
pub(crate) type Structs = SmallVec<[&'static StructNames; 8]>;

/// The word of an unknown dimension.
pub(crate) const UNKNOWN: u64 = u64::MAX;

/// The kind of item that a word begins, stored in its low byte.
#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
pub(crate) enum Tag {
    Tensor,
    UnknownRank,
    Alias,
    Literal,
    Text,
    Sequence,
    Opaque,
    Named,
    Variable,
    Bytes,
}

const TAGS: [Tag; 10] = [
    Tag::Tensor,
    Tag::UnknownRank,
    Tag::Alias,
    Tag::Literal,
    Tag::Text,
    Tag::Sequence,
    Tag::Opaque,
    Tag::Named,
    Tag::Variable,
    Tag::Bytes,
];

impl Tag {
    pub(crate) fn of(head: u64) -> Tag {
        TAGS[(head & 0xff) as usize % TAGS.len()]
    }

    /// The number of the dtype, if the word begins a tensor.
    pub(crate) fn of_tensor(head: u64) -> Option<u64> {
        matches!(Tag::of(head), Tag::Tensor | Tag::UnknownRank).then_some(head >> 8 & 0xff)
    }

    /// The head word of a tensor of this dtype, still without its rank.
    pub(crate) fn with_dtype(self, dtype: u64) -> u64 {
        self as u64 | dtype << 8
    }
}

/// The number of parts that follow a head word.
pub(crate) fn items(head: u64) -> usize {
    match Tag::of(head) {
        Tag::Sequence => (head >> 16) as usize,
        _ => 0,
    }
}

/// The number of items of a tuple; `None` for anything else.
pub(crate) fn tuple_length(words: &[u64]) -> Option<usize> {
    let head = *words.first()?;
    match Tag::of(head) {
        Tag::Sequence if head >> 8 & 0xff == Sequence::Tuple as u64 => Some(items(head)),
        Tag::Literal if head >> 8 == Literal::unit as u64 => Some(0),
        _ => None,
    }
}

/// How many words the first part of a signature has; `None` if there is none.
pub(crate) fn part_length(words: &[u64]) -> Option<usize> {
    let head = *words.first()?;
    Some(match Tag::of(head) {
        Tag::Tensor => 1 + (head >> 16) as usize,
        Tag::UnknownRank | Tag::Alias | Tag::Sequence => 1,
        Tag::Literal => 3,
        Tag::Opaque | Tag::Named => 2,
        Tag::Text | Tag::Bytes => 1 + ((head >> 8) as usize).div_ceil(8),
        Tag::Variable => {
            2 + words.get(1).map_or(0, |rank| match *rank {
                UNKNOWN => 0,
                rank => rank as usize,
            })
        }
    })
}

/// The kinds of sequences that trace types distinguish.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Sequence {
    Tuple,
    List,
    Some,
    None,
    Dict,
    Struct,
}

pub(crate) const SEQUENCES: [Sequence; 6] = [
    Sequence::Tuple,
    Sequence::List,
    Sequence::Some,
    Sequence::None,
    Sequence::Dict,
    Sequence::Struct,
];

/// The Rust types of literals.
macro_rules! literals {
    ($($name:ident)*) => {
        #[derive(Clone, Copy, PartialEq)]
        #[allow(non_camel_case_types, missing_docs)]
        #[repr(u8)]
        /// The Rust type of a plain value.
        pub enum Literal { $($name),* }
        pub(crate) const LITERALS: &[(Literal, &str)] = &[$((Literal::$name, stringify!($name))),*];
    };
}
literals! { bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 unit }

/// The names of a struct, or of a variant of an enum, and of its fields. They are a `static`, whose address stands for them in signatures: the names
/// themselves are read only when a trace is made.
pub struct StructNames {
    pub(crate) name: &'static str,
    pub(crate) fields: &'static [&'static str],
}

impl StructNames {
    /// The names.
    pub const fn new(name: &'static str, fields: &'static [&'static str]) -> StructNames {
        StructNames { name, fields }
    }

    /// The word that begins the struct's name in a signature.
    fn head(&'static self) -> u64 {
        let address = std::ptr::from_ref(self) as usize as u64;
        Tag::Named as u64 | address << 8
    }

    /// The names that a word stands for.
    pub(crate) fn of(head: u64, structs: &Structs) -> Option<&'static StructNames> {
        structs.iter().copied().find(|names| names.head() == head)
    }
}

/// The signature of a call under construction: its words, and the tensors among the arguments.
#[derive(Default)]
pub struct Signature {
    pub(crate) key: Key,
    pub(crate) leaves: SmallVec<[AnyTensor; 8]>,
    /// The structs among the arguments, for their names.
    pub(crate) structs: Structs,
    /// The variables among the arguments, each once.
    pub(crate) variables: SmallVec<[Arc<Place>; 8]>,
    /// An argument is filled during the call, so the trace can't serve a second call.
    pub(crate) passing: bool,
    /// A Bloom filter of the identities among the leaves: it rules out most repetitions without a search.
    seen: [u64; 4],
    /// A tensor occurred a second time where each argument must be a tensor of its own.
    aliased: bool,
    /// True if owned arguments that share a tensor count as different tensors; borrowed arguments that share one are the same tensor.
    owned: bool,
}

impl Signature {
    /// Empties the signature; what its parts have allocated stays.
    pub(crate) fn clear(&mut self) {
        let Signature {
            key,
            leaves,
            structs,
            variables,
            passing,
            seen,
            aliased,
            owned,
        } = self;
        key.clear();
        leaves.clear();
        structs.clear();
        variables.clear();
        *seen = [0; 4];
        (*passing, *aliased, *owned) = (false, false, false);
    }

    /// Writes a tensor: its dtype and shape.
    pub fn tensor(&mut self, tensor: &AnyTensor) {
        match trace::plain_value(tensor) {
            Some(array) => self.leaf(tensor, |key| {
                let sizes = array.shape().iter().map(|n| *n as u64);
                write_tensor(key, array.dtype(), sizes);
            }),
            None => self.tensor_of(tensor, tensor.ty()),
        }
    }

    /// Writes a tensor under a given type, which covers the tensor's own type.
    pub(crate) fn tensor_of(&mut self, tensor: &AnyTensor, ty: TensorType) {
        self.leaf(tensor, |key| match ty.shape.dims() {
            None => key.push(Tag::UnknownRank.with_dtype(ty.dtype as u64)),
            Some(dims) => {
                let sizes = dims.iter().map(|d| d.map_or(UNKNOWN, |n| n as u64));
                write_tensor(key, ty.dtype, sizes);
            }
        });
    }

    /// Adds a tensor to the leaves and writes its type; a repeated tensor is written as the index of its leaf.
    fn leaf(&mut self, tensor: &AnyTensor, write_type: impl FnOnce(&mut Key)) {
        match self.position(tensor.identity()) {
            Some(index) if !self.owned => {
                return self.key.push(Tag::Alias as u64 | (index as u64) << 8);
            }
            known => self.aliased |= known.is_some(),
        }
        write_type(&mut self.key);
        self.leaves.push(tensor.clone());
    }

    /// The position of a tensor among the leaves, if it is there already; registers it in any case.
    fn position(&mut self, identity: Identity) -> Option<usize> {
        let hash = (identity.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        let (word, bit) = (hash as usize / 64, 1 << (hash % 64));
        let may_be_known = self.seen[word] & bit != 0;
        self.seen[word] |= bit;
        let mut leaves = self.leaves.iter();
        may_be_known
            .then(|| leaves.position(|t| t.identity() == identity))
            .flatten()
    }

    /// Writes a variable: its dtype, its declared shape, and which one of the call's variables it is.
    pub(crate) fn variable(&mut self, place: &Arc<Place>) {
        let known = self.variables.iter().position(|v| Arc::ptr_eq(v, place));
        let index = known.unwrap_or(self.variables.len());
        let ty = place.ty();
        self.key
            .push(Tag::Variable as u64 | (ty.dtype as u64) << 8 | (index as u64) << 16);
        let dims = ty.shape.dims();
        self.key.push(dims.map_or(UNKNOWN, |d| d.len() as u64));
        let dims = dims.unwrap_or_default().iter();
        self.key
            .extend(dims.map(|d| d.map_or(UNKNOWN, |n| n as u64)));
        if known.is_none() {
            self.variables.push(place.clone());
        }
    }

    /// Distinguishes a call in which an argument is a variable that the function also captured.
    pub(crate) fn is_also(&mut self, captured: &Arc<Place>) {
        self.key.push(Tag::Opaque as u64);
        self.key.push(Arc::as_ptr(captured) as usize as u64);
    }

    /// Marks the signature as one that can't be reused: an argument is empty and is filled during the call.
    pub fn passing(&mut self) {
        self.passing = true;
    }

    /// Writes a plain value by its bits.
    pub fn literal(&mut self, ty: Literal, bits: u128) {
        self.key.push(Tag::Literal as u64 | (ty as u64) << 8);
        self.key.push(bits as u64);
        self.key.push((bits >> 64) as u64);
    }

    /// Writes a string.
    pub fn text(&mut self, text: &str) {
        self.bytes(Tag::Text, text.as_bytes());
    }

    /// Writes a value of any type by the bytes that its `Hash` feeds to the hasher.
    pub fn by_value<T: Hash + ?Sized>(&mut self, value: &T) {
        let mut taken = AllBytes(SmallVec::new());
        value.hash(&mut taken);
        self.bytes(Tag::Bytes, &taken.0);
    }

    /// Writes a struct's type, which has these names in descriptions. Two types of the same names stay different.
    pub fn named<T: ?Sized>(&mut self, names: &'static StructNames) {
        self.key.push(names.head());
        self.key.push(word_of_type::<T>());
        self.structs.push(names);
    }

    fn bytes(&mut self, tag: Tag, bytes: &[u8]) {
        self.key.push(tag as u64 | (bytes.len() as u64) << 8);
        self.chunks(bytes);
    }

    fn chunks(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.key.push(u64::from_le_bytes(word));
        }
    }

    /// Begins a sequence of `len` parts, which follow.
    pub fn sequence(&mut self, kind: Sequence, len: usize) {
        self.key
            .push(Tag::Sequence as u64 | (kind as u64) << 8 | (len as u64) << 16);
    }

    /// Writes the identity of a type.
    pub(crate) fn type_of<T: ?Sized>(&mut self) {
        self.key.push(Tag::Opaque as u64);
        self.key.push(word_of_type::<T>());
    }

    /// Writes an owned argument of a call at this location. If it shares a tensor with an earlier argument, it gets a copy of its own.
    pub(crate) fn owned<T: Argument>(
        &mut self,
        value: &mut T,
        line: &'static std::panic::Location<'static>,
    ) {
        let (words, leaves) = (self.key.len(), self.leaves.len());
        self.owned = true;
        self.aliased = false;
        value.trace_type(self);
        if self.aliased {
            self.key.truncate(words);
            self.leaves.truncate(leaves);
            value.set_apart(&line.into());
            value.trace_type(self);
        }
        self.owned = false;
    }
}

/// Writes the type of a tensor.
fn write_tensor(key: &mut Key, dtype: DType, sizes: impl ExactSizeIterator<Item = u64>) {
    key.push(Tag::Tensor.with_dtype(dtype as u64) | (sizes.len() as u64) << 16);
    key.extend(sizes);
}

/// A hasher that keeps all bytes it is given.
struct AllBytes(SmallVec<[u8; 64]>);

impl Hasher for AllBytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    fn finish(&self) -> u64 {
        0
    }
}

/// A word for a type: half of the compiler's hash of it.
fn word_of_type<T: ?Sized>() -> u64 {
    /// Keeps the word by which a `TypeId` hashes itself, which is already a good hash.
    struct Kept(u64);
    impl Hasher for Kept {
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
            }
        }
        fn write_u64(&mut self, word: u64) {
            self.0 ^= word;
        }
        fn finish(&self) -> u64 {
            self.0
        }
    }
    let mut kept = Kept(0);
    typeid::of::<T>().hash(&mut kept);
    kept.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_struct_adds_two_words_whatever_its_names_are() {
        static LONG: StructNames = StructNames::new(
            "A struct with quite a long name",
            &["and", "many", "fields"],
        );
        static SHORT: StructNames = StructNames::new("S", &[]);
        static SAME: StructNames = StructNames::new("S", &[]);
        let of = |names: &'static StructNames| {
            let mut signature = Signature::default();
            signature.named::<u8>(names);
            assert_eq!(part_length(&signature.key), Some(signature.key.len()));
            let found = StructNames::of(signature.key[0], &signature.structs);
            assert_eq!(found.map(|found| found.name), Some(names.name));
            signature.key
        };
        assert_eq!((of(&LONG).len(), of(&SHORT).len()), (2, 2));
        assert_eq!(of(&SHORT), of(&SHORT));
        assert_ne!(of(&SHORT), of(&SAME));
    }
}
