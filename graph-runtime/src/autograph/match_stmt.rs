//! `match_stmt`: a `match` in which a tensor may decide. Rust matches a Rust value. The values of a tensor are divided into classes
//! that all patterns treat alike, and the `match` runs once per class, on a number that represents the class. A guard that is a
//! tensor opens a branch of its own.

use std::cell::RefCell;
use std::marker::PhantomData;

use graph_kernels::{Array, Element};

use super::convert::{Choice, Choosable, Chosen, ChosenText, chosen, chosen_text};
use super::leave::{Leave, Leaving};
use super::loop_stmt::Escapes;
use crate::error::{Construct, Location};
use crate::kind::{Carried, Either, Graph, InGraph, Kind, Passes, Rust, given_value, parts};
use crate::kind::{Condition, Decision, KindOf};
use crate::kind::{Var, collect};
use crate::ops::{self, Attrs, OneValue, OpDef};
use crate::state::GraphState;
use crate::tensor::Tensor;
use crate::trace::{self, AfterPass, AnyTensor, Deciding};
use crate::variable::Variable;

/// The values that the pattern of each arm covers, as inclusive ranges.
pub(super) type Arms = [&'static [(i128, i128)]];

/// The arms, for each item of a tuple.
pub(super) type Positions = [&'static Arms];

/// Scrutinees of a `match` whose patterns are numbers, booleans and names: a plain value, a tensor, or a tuple of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be matched by numbers or truth values: they match numbers, `bool`s, and tensors of integers \
               or `bool`",
    label = "expected a number, a `bool`, or a tensor of integers or `bool`"
)]
pub trait Scrutinee: Sized {
    /// Whether Rust or the graph decides.
    type Kind: Kind;
    /// The value that is matched against the patterns.
    type Value;
    /// The value, or for a tensor a number that represents the class chosen by the decisions.
    #[doc(hidden)]
    fn choose(
        &self,
        positions: &Positions,
        decide: &mut dyn FnMut(&dyn Fn() -> AnyTensor) -> bool,
    ) -> Self::Value;
    /// The value of a scrutinee that isn't traced.
    #[doc(hidden)]
    #[track_caller]
    fn known(&self) -> Self::Value;
    /// The scrutinee, with a tensor as a scalar.
    #[doc(hidden)]
    #[track_caller]
    fn one(&self, location: &Location) -> Self;
    /// The value that a name in a pattern is bound to.
    type Bound;
    #[doc(hidden)]
    fn bind(&self, value: Self::Value) -> Self::Bound;
}

/// Numbers and booleans are `Copy`, and Rust matches them.
#[diagnostic::do_not_recommend]
impl<T: Copy> Scrutinee for T {
    type Kind = Rust;
    type Value = T;
    fn choose(&self, _: &Positions, _: &mut dyn FnMut(&dyn Fn() -> AnyTensor) -> bool) -> T {
        *self
    }
    fn known(&self) -> T {
        *self
    }
    fn one(&self, _: &Location) -> T {
        *self
    }
    type Bound = T;
    fn bind(&self, value: T) -> T {
        value
    }
}

/// A scrutinee that is a place, in a `match` on numbers or strings.
pub struct ScrutineeOf<'a, T>(&'a T);

/// Wraps a scrutinee that is a place, in a `match` on numbers or strings.
pub fn scrutinee<T>(variable: &T) -> ScrutineeOf<'_, T> {
    ScrutineeOf(variable)
}

// The compiler tries the three traits in this order, because it tries a receiver first by value, then by reference, then by `&mut`.

/// Tensors behind references, and variables, which are read. A reference to a Rust value is matched as a reference.
pub trait ScrutineeLent<T> {
    #[doc(hidden)]
    fn value(self) -> T;
}
macro_rules! lent {
    ($($type:ty),*) => { $(
        impl<T: Element, S> ScrutineeLent<Tensor<T, S>> for ScrutineeOf<'_, $type> {
            #[track_caller]
            fn value(self) -> Tensor<T, S> {
                Tensor::clone(self.0)
            }
        }
    )* };
}
lent! { &Tensor<T, S>, &&Tensor<T, S>, &mut Tensor<T, S>, Variable<T, S>, &Variable<T, S> }

/// Values and shared references, which are copied for each pass.
pub trait ScrutineeCloned<T> {
    #[doc(hidden)]
    fn value(&self) -> T;
}
impl<T: Clone> ScrutineeCloned<T> for ScrutineeOf<'_, T> {
    #[inline(always)]
    fn value(&self) -> T {
        self.0.clone()
    }
}

/// Numbers behind a `&mut` reference.
pub trait ScrutineeBehind<T> {
    #[doc(hidden)]
    fn value(&mut self) -> T;
}
impl<T: Copy> ScrutineeBehind<T> for ScrutineeOf<'_, &mut T> {
    #[inline(always)]
    fn value(&mut self) -> T {
        **self.0
    }
}

/// Tuples of scrutinees. They have types of their own, because only the items decide whether a tuple is `Copy`.
macro_rules! tuples {
    ($($tuple:ident ($($name:ident $index:tt),*) $kinds:ty;)*) => { $(
        /// A tuple of scrutinees.
        pub struct $tuple<$($name),*>($(pub $name),*);

        impl<$($name: Scrutinee),*> Scrutinee for $tuple<$($name),*> {
            type Kind = $kinds;
            type Value = ($($name::Value,)*);
            fn choose(&self, positions: &Positions, decide: &mut dyn FnMut(&dyn Fn() -> AnyTensor) -> bool) -> Self::Value {
                ($(self.$index.choose(&positions[$index..], decide),)*)
            }
            fn known(&self) -> Self::Value { ($(self.$index.known(),)*) }
            fn one(&self, location: &Location) -> Self { $tuple($(self.$index.one(location)),*) }
            type Bound = Self;
            fn bind(&self, _: Self::Value) -> Self { unreachable!("a name never stands for a whole tuple here") }
        }
    )* };
}
tuples! {
    Two (A 0, B 1) <A::Kind as Kind>::Or<B::Kind>;
    Three (A 0, B 1, C 2) <(A::Kind, B::Kind) as Kind>::Or<C::Kind>;
    Four (A 0, B 1, C 2, D 3) <(A::Kind, (B::Kind, C::Kind)) as Kind>::Or<D::Kind>;
}

/// The element types that patterns can match.
pub trait Matched: Element + Copy {
    /// The smallest and the largest value.
    #[doc(hidden)]
    const RANGE: (i128, i128);
    #[doc(hidden)]
    fn from_number(value: i128) -> Self;
}

macro_rules! matched {
    ($($type:ident),*) => { $(
        impl Matched for $type {
            const RANGE: (i128, i128) = ($type::MIN as i128, $type::MAX as i128);
            fn from_number(value: i128) -> $type { value as $type }
        }
    )* };
}
matched! { i8, i16, i32, i64, u8, u16, u32, u64 }
impl Matched for bool {
    const RANGE: (i128, i128) = (0, 1);
    fn from_number(value: i128) -> bool {
        value != 0
    }
}

#[diagnostic::do_not_recommend]
impl<T: Matched, S> Scrutinee for Tensor<T, S> {
    type Kind = Graph;
    type Value = T;
    fn choose(
        &self,
        positions: &Positions,
        decide: &mut dyn FnMut(&dyn Fn() -> AnyTensor) -> bool,
    ) -> T {
        let mut classes = classes(positions[0], T::RANGE);
        let last = classes.pop().expect("a dtype has values");
        let chosen = classes
            .iter()
            .find(|class| decide(&|| within::<T>(self.as_any(), class)));
        T::from_number(chosen.unwrap_or(&last)[0].0)
    }
    #[track_caller]
    fn known(&self) -> T {
        self.item()
    }
    fn one(&self, location: &Location) -> Self {
        Tensor::from_any(trace::scalar(self.as_any(), OneValue::Match, location))
    }
    type Bound = Self;
    fn bind(&self, _: T) -> Self {
        self.clone()
    }
}

/// Values that all patterns treat alike, as ranges. The first number of the first range represents the class.
type Class = Vec<(i128, i128)>;

/// A `match` in progress. `C` is the scrutinee's kind, `G` are the kinds of the guards.
pub struct Match<S, C: Kind, G: Kind> {
    scrutinee: S,
    /// In a cell, because a guard may use the `match` that it belongs to.
    deciding: <(C, G) as Kind>::InGraph<RefCell<Deciding>>,
    positions: &'static Positions,
}

/// Begins a `match` on numbers or booleans.
#[track_caller]
pub fn match_stmt<
    S: Scrutinee<Kind = C, Value = V, Bound = B>,
    V,
    B,
    C: Kind,
    K: Kind,
    E: Escapes<Kinds = K>,
>(
    scrutinee: S,
    positions: &'static Positions,
    guards: E,
) -> Match<Matching<S, V, B>, C, K> {
    let _ = guards;
    let one = scrutinee.one(&Location::caller());
    let known = if is_traced::<C, K>() {
        None
    } else {
        Some(one.known())
    };
    begin(
        Matching {
            scrutinee,
            one,
            known,
            choose: S::choose,
            bind: S::bind,
        },
        positions,
    )
}

/// The type of [`Scrutinee::choose`].
type Choose<S, V> = fn(&S, &Positions, &mut dyn FnMut(&dyn Fn() -> AnyTensor) -> bool) -> V;

/// A scrutinee. The functions of its type are chosen where the `match` begins, so that the compiler reports an unsuitable type only once.
pub struct Matching<S, V, B> {
    scrutinee: S,
    /// The scrutinee, with a tensor as a scalar.
    one: S,
    /// Its value, if nothing is traced.
    known: Option<V>,
    choose: Choose<S, V>,
    bind: fn(&S, V) -> B,
}

fn is_traced<C: Kind, G: Kind>() -> bool {
    (C::GRAPH || G::GRAPH) && trace::is_tracing()
}

/// Begins a `match` on any value, with guards that may be tensors.
#[track_caller]
pub fn match_guards<K: Kind, E: Escapes<Kinds = K>>(guards: E) -> Match<(), Rust, K> {
    let _ = guards;
    begin((), &[])
}

#[track_caller]
fn begin<S, C: Kind, G: Kind>(scrutinee: S, positions: &'static Positions) -> Match<S, C, G> {
    // Not in a closure, where the caller would be this function.
    let location = Location::caller().of(Construct::Match);
    let deciding = is_traced::<C, G>().then(|| RefCell::new(Deciding::new(location)));
    Match {
        scrutinee,
        deciding: InGraph::of(deciding),
        positions,
    }
}

/// Divides the values of a range into classes by the arms that cover them, in the order of the first such arm.
fn classes(arms: &Arms, (low, high): (i128, i128)) -> Vec<Class> {
    let mut starts: Vec<i128> = vec![low];
    for (a, b) in arms.iter().flat_map(|arm| arm.iter()) {
        starts.extend(
            [*a, b.saturating_add(1)]
                .into_iter()
                .filter(|n| *n > low && *n <= high),
        );
    }
    starts.sort();
    starts.dedup();
    let covers = |n: i128| -> Vec<bool> {
        arms.iter()
            .map(|arm| arm.iter().any(|(a, b)| *a <= n && n <= *b))
            .collect()
    };
    let mut found: Vec<(Vec<bool>, Class)> = Vec::new();
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).map_or(high, |next| next - 1);
        let key = covers(*start);
        match found.iter_mut().find(|(k, _)| *k == key) {
            Some((_, ranges)) => ranges.push((*start, end)),
            None => found.push((key, vec![(*start, end)])),
        }
    }
    found.sort_by_key(|(key, _)| key.iter().position(|c| *c).unwrap_or(usize::MAX));
    found.into_iter().map(|(_, ranges)| ranges).collect()
}

impl<S, C: Kind, G: Kind> Match<S, C, G> {
    /// States that surrounding loops know this `match` by a previously obtained kind.
    pub fn of(self, _: &KindOf<<(C, G) as Kind>::Or<Rust>>) -> Self {
        self
    }

    /// True while the arms are replayed.
    pub fn traced(&self) -> bool {
        self.deciding.get().is_some()
    }

    /// A string literal that is the value of an arm.
    #[track_caller]
    pub fn text(&self, text: &'static str) -> ChosenText<(C, G)> {
        chosen_text::<(C, G)>(text)
    }

    /// Another literal that is the value of an arm.
    #[track_caller]
    pub fn literal<L>(&self, literal: L) -> Chosen<(C, G), L>
    where
        Choice<(C, G), L>: Choosable<L>,
    {
        chosen::<(C, G), L>(literal)
    }

    /// The passes over the code.
    pub fn passes(&self) -> Passes<(C, G)> {
        Passes::new()
    }

    /// Whether every pass left early, so that the code after the `match` is never reached.
    pub fn exits(&self) -> bool {
        trace::with_trace(|trace| trace.pending.is_some())
    }

    /// A guard: whether to take the arm. A tensor's guard is evaluated only in the first pass that reaches it.
    #[track_caller]
    pub fn test<T: Condition>(&self, _: &KindOf<T::Kind>, guard: impl FnOnce() -> T) -> bool {
        if let Some(deciding) = self.deciding.get().filter(|_| T::Kind::GRAPH)
            && let Some(decision) = deciding.borrow_mut().repeat()
        {
            return decision;
        }
        match (guard().decide(Location::caller()), self.deciding.get()) {
            (Decision::Known(value), _) => value,
            (Decision::Traced(guard), Some(deciding)) => {
                deciding.borrow_mut().decide(&|| guard.0.clone())
            }
            (Decision::Traced(_), None) => {
                unreachable!("a traced guard belongs to a replayed `match`")
            }
        }
    }

    /// The replay. Where Rust decides, its type is uninhabited, so the compiler knows that the path ends here.
    pub fn graph(&mut self) -> MatchGraph<'_, C, G> {
        let witness = <(C, G)>::witness();
        MatchGraph {
            witness,
            deciding: self
                .deciding
                .get_mut()
                .expect("generated code asks before it replays")
                .get_mut(),
            kind: PhantomData,
        }
    }
}

impl<S, V, B, C: Kind, G: Kind> Match<Matching<S, V, B>, C, G> {
    /// The value that is matched against the patterns: the scrutinee's value, or a number that represents its class.
    pub fn value(&mut self) -> V {
        let Matching {
            one, known, choose, ..
        } = &mut self.scrutinee;
        match self.deciding.get_mut().map(RefCell::get_mut) {
            Some(deciding) => choose(one, self.positions, &mut |condition| {
                deciding.decide(condition)
            }),
            None => known.take().expect("a `match` that isn't traced runs once"),
        }
    }

    /// The value that a name in a pattern is bound to.
    pub fn bind(&self, value: V) -> B {
        (self.scrutinee.bind)(&self.scrutinee.scrutinee, value)
    }
}

/// Whether the tensor's value is in a class.
fn within<T: Matched>(tensor: &AnyTensor, class: &Class) -> AnyTensor {
    let apply = |op: &'static OpDef, a: &AnyTensor, b: &AnyTensor| {
        AnyTensor::apply(op, Attrs::default(), &[a, b])
    };
    let compare = |op, number| {
        apply(
            op,
            tensor,
            &AnyTensor::constant(Array::scalar(T::from_number(number))),
        )
    };
    // The tests against the smallest and the largest value are left out. They are always true, and booleans have no order.
    let (smallest, largest) = T::RANGE;
    let tests = class
        .iter()
        .map(|(low, high)| match (*low == smallest, *high == largest) {
            _ if low == high => compare(&ops::EQUAL, *low),
            (true, _) => compare(&ops::LESS_EQUAL, *high),
            (_, true) => compare(&ops::GREATER_EQUAL, *low),
            _ => apply(
                &ops::LOGICAL_AND,
                &compare(&ops::GREATER_EQUAL, *low),
                &compare(&ops::LESS_EQUAL, *high),
            ),
        });
    tests
        .reduce(|a, b| apply(&ops::LOGICAL_OR, &a, &b))
        .expect("a class has a range")
}

/// The replay of a `match`.
pub struct MatchGraph<'a, C: Kind, G: Kind> {
    /// The proof, for the compiler, that a tensor decides.
    pub witness: Either<C::Witness, G::Witness>,
    deciding: &'a mut Deciding,
    kind: PhantomData<(C, G)>,
}

impl<C: Kind, G: Kind> MatchGraph<'_, C, G> {
    /// Begins the next pass, or ends the `match` and returns true.
    pub fn next(self, vars: &mut [Var<'_, (C, G)>]) -> bool {
        self.deciding.next(&mut collect(vars)) != AfterPass::Run
    }

    /// Called when the arm reaches its end.
    pub fn falls(self) {}

    /// Records the value at the arm's end.
    pub fn yields<T>(self, value: T)
    where
        Carried<(C, G), T>: GraphState,
    {
        self.deciding.yields(parts::<(C, G), T>(value));
    }

    /// The value of the `match`.
    #[track_caller]
    pub fn value<T>(self) -> T
    where
        Carried<(C, G), T>: GraphState,
    {
        given_value::<(C, G), T>(self.deciding.value())
    }
}

impl<C: Kind, G: Kind> Leave<(C, G)> for MatchGraph<'_, C, G> {
    fn leave(self, how: Leaving) {
        self.deciding.leave(how.0);
    }
}
