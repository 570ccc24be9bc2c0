//! Signatures: what of a call's arguments decides which trace serves it. Each argument writes its trace type as
//! words: a tensor its dtype and shape, a Rust value itself, a collection its parts. Equal words, equal trace.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use graph_kernels::DType;
use smallvec::SmallVec;

use crate::error::Location;
use crate::graph::TensorType;
use crate::trace::{self, AnyTensor, Identity};
use graph_ir::device::Place;

/// The words of a signature.
pub(crate) type Key = SmallVec<[u64; 24]>;

/// The word of a dimension that isn't known.
pub(crate) const UNKNOWN: u64 = u64::MAX;

/// What a word announces, in its low byte.
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

    /// The number of the dtype, if the word announces a tensor.
    pub(crate) fn of_tensor(head: u64) -> Option<u64> {
        matches!(Tag::of(head), Tag::Tensor | Tag::UnknownRank).then_some(head >> 8 & 0xff)
    }

    /// The word for a tensor, but for its rank.
    pub(crate) fn with_dtype(self, dtype: u64) -> u64 {
        self as u64 | dtype << 8
    }
}

/// How many values follow a word that are parts of what it announces.
pub(crate) fn items(head: u64) -> usize {
    match Tag::of(head) {
        Tag::Sequence => (head >> 16) as usize,
        _ => 0,
    }
}

/// How many items a tuple has; `None` for anything else.
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
        Tag::Opaque => 2,
        Tag::Named => 2 + ((head >> 8) as usize).div_ceil(8),
        Tag::Text | Tag::Bytes => 1 + ((head >> 8) as usize).div_ceil(8),
        Tag::Variable => {
            2 + words.get(1).map_or(0, |rank| match *rank {
                UNKNOWN => 0,
                rank => rank as usize,
            })
        }
    })
}

/// The kinds of sequences that trace types tell apart.
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

/// The signature of a call under construction: words, and the tensors among the arguments.
#[derive(Default)]
pub struct Signature {
    pub(crate) key: Key,
    pub(crate) leaves: SmallVec<[AnyTensor; 8]>,
    /// The variables among the arguments, each once.
    pub(crate) variables: SmallVec<[Arc<Place>; 8]>,
    /// An argument will be another one after the call, so that no trace serves a second one.
    pub(crate) passing: bool,
    /// Which identities there may be among the leaves, by a bit of their hash; so that most tensors are known to be new at once.
    seen: [u64; 4],
    /// A tensor came up a second time where each must be its own.
    aliased: bool,
    /// Owned arguments may share a tensor without being the same; borrowed ones are then the same.
    owned: bool,
}

impl Signature {
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

    /// Writes a tensor of which only a type counts, which covers its own.
    pub(crate) fn tensor_of(&mut self, tensor: &AnyTensor, ty: TensorType) {
        self.leaf(tensor, |key| match ty.shape.dims() {
            None => key.push(Tag::UnknownRank.with_dtype(ty.dtype as u64)),
            Some(dims) => {
                let sizes = dims.iter().map(|d| d.map_or(UNKNOWN, |n| n as u64));
                write_tensor(key, ty.dtype, sizes);
            }
        });
    }

    /// Adds a tensor to the leaves, its type to the words; or says which of the leaves it is.
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

    /// The position of a tensor among the leaves; notes that it will be there.
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

    /// Tells calls apart whose variables are also captured by the function, and are so one and the same.
    pub(crate) fn is_also(&mut self, captured: &Arc<Place>) {
        self.key.push(Tag::Opaque as u64);
        self.key.push(Arc::as_ptr(captured) as usize as u64);
    }

    /// Says that an argument is empty and gets its value during the call: another call is another trace.
    pub fn passing(&mut self) {
        self.passing = true;
    }

    /// Writes a plain value by its bits.
    pub fn literal(&mut self, ty: Literal, bits: u128) {
        self.key.push(Tag::Literal as u64 | (ty as u64) << 8);
        self.key.push(bits as u64);
        self.key.push((bits >> 64) as u64);
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.bytes(Tag::Text, text.as_bytes());
    }

    /// Writes a value of any type by all that its `Hash` takes in.
    pub fn by_value<T: Hash + ?Sized>(&mut self, value: &T) {
        let mut taken = TakesIn(SmallVec::new());
        value.hash(&mut taken);
        self.bytes(Tag::Bytes, &taken.0);
    }

    /// Writes a type under its name in descriptions: two types of one name are two.
    pub fn named<T: ?Sized>(&mut self, name: &str) {
        self.key.push(Tag::Named as u64 | (name.len() as u64) << 8);
        self.key.push(word_of_type::<T>());
        self.chunks(name.as_bytes());
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

    /// Writes a type.
    pub(crate) fn type_of<T: ?Sized>(&mut self) {
        self.key.push(Tag::Opaque as u64);
        self.key.push(word_of_type::<T>());
    }

    /// Writes an owned argument of the call on a line; one that shares a tensor with an earlier argument is set apart.
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

/// A hasher that keeps everything.
struct TakesIn(SmallVec<[u8; 64]>);

impl Hasher for TakesIn {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    fn finish(&self) -> u64 {
        0
    }
}

/// A word for a type, which is half of a hash that the compiler made of it.
fn word_of_type<T: ?Sized>() -> u64 {
    /// Keeps what a `TypeId` is hashed by, which is as good a hash as any.
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

/// A value that can be an argument of a graph function with a signature of its own (TensorFlow's `TraceType`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no trace type, so it is no part of an argument",
    label = "no tensor, variable or plain value, nor made of them",
    note = "write `#[derive(TraceType)]` on a struct or enum; for a field, `#[trace_type(by_value)]` compares it by its `Hash`, and \
            `#[trace_type(ignore)]` leaves it out"
)]
pub trait Argument {
    /// Writes the trace type.
    fn trace_type(&self, signature: &mut Signature);
    /// Makes every tensor in it another one of the same values, whose gradients go on to the one that it was. `location` is the call's.
    fn set_apart(&mut self, location: &Location) {
        let _ = location;
    }
    /// What there may be in a value of the type. Of one that is [`Holds::Rust`] or [`Holds::Variables`] the trace type tells all, so that a graph needn't
    /// write a `&mut` parameter of the type: where tracing changes it, which shows in the trace type, the trace is for this one call. `depth`
    /// counts how deep in a type this one is; a type within itself is given up.
    fn holds(depth: usize) -> Holds {
        let _ = depth;
        Holds::Anything
    }
}

/// What there may be in the values of a type, the most of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Holds {
    /// Plain values.
    Rust,
    /// Variables and plain values.
    Variables,
    /// Also tensors, or what the trace type doesn't tell.
    Anything,
}

impl Holds {
    /// What two parts hold together.
    pub const fn and(self, other: Holds) -> Holds {
        match (self as u8) < other as u8 {
            true => other,
            false => self,
        }
    }
}

/// An argument whose type is forgotten: what a trait of a user's needs above it so that its objects can be arguments.
///
/// ```
/// use graph_runtime::function::{AnyArgument, Signature};
/// use graph_runtime::{Argument, TraceType, prelude::*};
///
/// trait Layer: AnyArgument {
///     fn apply(&self, x: Tensor<f32>) -> Tensor<f32>;
/// }
/// impl Argument for dyn Layer + '_ {
///     fn trace_type(&self, signature: &mut Signature) {
///         AnyArgument::trace_type(self, signature);
///     }
/// }
///
/// #[derive(TraceType)]
/// struct Scale(f32);
/// impl Layer for Scale {
///     fn apply(&self, x: Tensor<f32>) -> Tensor<f32> {
///         x * self.0
///     }
/// }
/// #[derive(TraceType)]
/// struct Shift(Tensor<f32>);
/// impl Layer for Shift {
///     fn apply(&self, x: Tensor<f32>) -> Tensor<f32> {
///         x + &self.0
///     }
/// }
///
/// #[graph_fn]
/// fn forward(layers: &[Box<dyn Layer>], x: Tensor<f32>) -> Tensor<f32> {
///     let mut x = x;
///     for layer in layers {
///         x = layer.apply(x);
///     }
///     x
/// }
///
/// let layers: [Box<dyn Layer>; 2] = [Box::new(Scale(2.0)), Box::new(Shift(tensor(1.0)))];
/// assert_eq!(forward(&layers, tensor(3.0)).item(), 7.0);
/// ```
pub trait AnyArgument {
    /// Writes the trace type.
    fn trace_type(&self, signature: &mut Signature);
}

impl<T: Argument> AnyArgument for T {
    fn trace_type(&self, signature: &mut Signature) {
        Argument::trace_type(self, signature);
    }
}
