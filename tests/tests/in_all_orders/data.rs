//! Prefetched and cached elements: they arrive in order and complete, even if the consumer stops early or making one panics.

#[path = "../../../graph-ir/src/recipes/cache.rs"]
mod cache;
#[path = "../../../graph-ir/src/recipes/prefetch.rs"]
mod prefetch;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use loom::thread;

use cache::Cache;
use prefetch::Prefetch;
use recipe::{Cursor, Element, Operands, PassThrough, Recipe, Source, next_number};

/// The parts of a recipe that `prefetch` and `cache` use.
mod recipe {
    use std::sync::Arc;

    use graph_runtime::{Array, Error};

    use crate::graph::TensorType;

    pub type Element = u32;
    pub type Operands = Vec<Arc<Array>>;

    pub trait Cursor: Send {
        fn next(&mut self) -> Result<Option<Element>, Error>;
    }

    pub trait PassThrough: Send + Sync {
        fn source(&self) -> &Recipe;
        fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error>;
        fn count(&self, operands: &[TensorType]) -> Option<usize>;
        fn write(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result;
    }

    /// Returns the numbers below a limit, and then does something else.
    #[derive(Clone)]
    pub struct Source {
        pub count: u32,
        pub then: fn() -> Result<Option<Element>, Error>,
    }

    #[derive(Clone)]
    pub struct Recipe(pub Source);

    impl std::fmt::Display for Recipe {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("numbers")
        }
    }

    impl Source {
        pub fn begin(&self, _: &[Arc<Array>], _: u64) -> Result<Box<dyn Cursor>, Error> {
            Ok(Box::new(Numbers(0, self.clone())))
        }
        pub fn is_seed(&self, _: usize) -> bool {
            false
        }
        pub fn count(&self, _: &[TensorType]) -> Option<usize> {
            None
        }
    }

    struct Numbers(u32, Source);

    impl Cursor for Numbers {
        fn next(&mut self) -> Result<Option<Element>, Error> {
            if self.0 == self.1.count {
                return (self.1.then)();
            }
            self.0 += 1;
            Ok(Some(self.0 - 1))
        }
    }

    pub fn next_number() -> u64 {
        1
    }
}

fn numbers(count: u32) -> Recipe {
    Recipe(Source {
        count,
        then: || Ok(None),
    })
}

fn ahead(source: Recipe, count: usize) -> Box<dyn Cursor> {
    Prefetch(source, count).begin(&[], 0).unwrap()
}

#[test]
fn elements_made_ahead_come_in_order_and_end() {
    for ahead_of in [0, 1, 2] {
        loom::model(move || {
            let mut elements = ahead(numbers(2), ahead_of);
            let seen = [(); 4].map(|()| elements.next().unwrap());
            assert_eq!(seen, [Some(0), Some(1), None, None]);
        });
    }
}

#[test]
fn whoever_leaves_in_the_middle_ends_the_thread() {
    for ahead_of in [0, 1] {
        // If the thread continued or waited, there would be no end or a deadlock; loom reports both.
        loom::model(move || {
            let mut elements = ahead(numbers(u32::MAX), ahead_of);
            assert_eq!(elements.next().unwrap(), Some(0));
        });
    }
}

#[test]
fn a_panic_goes_on_where_the_element_is_taken() {
    let panics = Recipe(Source {
        count: 1,
        then: || resume_unwind(Box::new("planned")),
    });
    loom::model(move || {
        let mut elements = ahead(panics.clone(), 1);
        assert_eq!(elements.next().unwrap(), Some(0));
        let panic = catch_unwind(AssertUnwindSafe(|| elements.next()))
            .err()
            .unwrap();
        assert_eq!(panic.downcast_ref(), Some(&"planned"));
        assert_eq!(elements.next().unwrap(), None);
    });
}

#[test]
fn two_iterations_at_once_keep_all_elements() {
    loom::model(|| {
        let cache = loom::sync::Arc::new(Cache::new(numbers(2)));
        let all = |cache: &Cache| {
            let mut elements = cache.begin(&[], 0).unwrap();
            assert_eq!(
                [(); 3].map(|()| elements.next().unwrap()),
                [Some(0), Some(1), None]
            );
        };
        let other = cache.clone();
        let thread = thread::spawn(move || all(&other));
        // An iteration that ends early doesn't fill the cache.
        assert_eq!(cache.begin(&[], 0).unwrap().next().unwrap(), Some(0));
        all(&cache);
        thread.join().unwrap();
        all(&cache);
    });
}
