//! `for` over a dataset: a loop of the graph that takes elements until there are none left. A dataset, and an iterator over rows, also implement
//! Rust's `IntoIterator`, so the choice is made where the iterable is wrapped: `ag::iterable(dataset).each()`.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::items::{Items, Iterate, Limit};
use super::iter::{Counted, Iter, Walk};
use crate::data::{self, Dataset, Record};
use crate::error::Location;
use crate::kind::Graph;
use crate::trace::AnyTensor;

/// The wrapped iterable of a `for … in`, before it becomes an [`Iterate`].
pub struct Iterable<I>(Cell<Option<I>>);

/// Wraps an iterable for [`EachElement`] or [`EachItem`], whichever its type allows.
pub fn iterable<I>(iterable: I) -> Iterable<I> {
    Iterable(Cell::new(Some(iterable)))
}

/// Datasets, and iterators over rows.
#[diagnostic::on_unimplemented(
    message = "the type of this value isn't known yet where the loop begins",
    label = "only later code tells the type",
    note = "write the type where the value is made: `let list: Vec<_> = …`"
)]
pub trait EachElement<T> {
    /// The elements, as something that a loop takes.
    type Each: Iterate;
    /// The elements.
    fn each(self) -> Self::Each;
}

#[diagnostic::do_not_recommend]
impl<I: Counted> EachElement<I> for Iterable<Iter<I>> {
    type Each = Walk<I>;
    fn each(self) -> Walk<I> {
        self.0.into_inner().expect("a new iterable").walk()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Record> EachElement<T> for Iterable<Dataset<T>> {
    type Each = Elements<T>;
    #[track_caller]
    fn each(self) -> Elements<T> {
        Elements::new(self.0.into_inner().expect("a new iterable"))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Record> EachElement<T> for Iterable<&Dataset<T>> {
    type Each = Elements<T>;
    #[track_caller]
    fn each(self) -> Elements<T> {
        Elements::new(self.0.into_inner().expect("a new iterable").clone())
    }
}

#[diagnostic::do_not_recommend]
impl<T: Record> EachElement<T> for Iterable<&mut Dataset<T>> {
    type Each = Elements<T>;
    #[track_caller]
    fn each(self) -> Elements<T> {
        Elements::new(self.0.into_inner().expect("a new iterable").clone())
    }
}

/// References to the collections of the standard library. They aren't elements, but a program may tell only behind the loop that a value is such
/// a collection, and the compiler looks for the type here.
macro_rules! collections {
    ($($collection:ident<$($part:ident),+>)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<'a, $($part),+> EachElement<()> for Iterable<&'a $collection<$($part),+>> {
            type Each = &'a $collection<$($part),+>;
            fn each(self) -> Self::Each {
                self.0.into_inner().expect("a new iterable")
            }
        }
    )* };
}
collections! { Vec<T> VecDeque<T> HashMap<K, V, S> HashSet<T, S> BTreeMap<K, V> BTreeSet<T> }

/// Everything else.
pub trait EachItem<I> {
    /// Returns the iterable unchanged.
    fn each(&self) -> I
    where
        I: Iterate;
}

impl<I> EachItem<I> for Iterable<I> {
    fn each(&self) -> I
    where
        I: Iterate,
    {
        self.0.take().expect("a new iterable")
    }
}

/// The elements of a dataset.
pub struct Elements<T> {
    dataset: Dataset<T>,
    location: Location,
    /// The iteration, if the loop is traced.
    iteration: Option<AnyTensor>,
    /// The Rust iterator, if it isn't.
    iter: Option<data::Iter<T>>,
}

impl<T: Record> Elements<T> {
    #[track_caller]
    fn new(dataset: Dataset<T>) -> Elements<T> {
        Elements {
            dataset,
            location: Location::caller(),
            iteration: None,
            iter: None,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Record> Iterate for Elements<T> {
    type Kind = Graph;
    type Items = Elements<T>;
    fn items(self) -> Elements<T> {
        self
    }
}

impl<T: Record> Items for Elements<T> {
    type Item = T;

    fn limit(&mut self) -> Option<Limit> {
        let iteration = self.dataset.begin_traced(&self.location);
        Some(Limit::Elements(self.iteration.insert(iteration).clone()))
    }

    fn next(&mut self, _: Option<&AnyTensor>) -> Option<T> {
        match &self.iteration {
            Some(iteration) => Some(self.dataset.take_traced(iteration, &self.location)),
            None => {
                let begin = || self.dataset.begin(&self.location);
                self.iter.get_or_insert_with(begin).next()
            }
        }
    }
}
