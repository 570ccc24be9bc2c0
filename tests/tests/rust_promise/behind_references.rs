//! What is behind `self` and behind raw pointers: references to it that a method gives away, and changes of it under a condition.

use crate::support::{assert_ways, outcome};

macro_rules! types {
    ($(#[$graph:meta])?) => {
        #[derive(Debug)]
        pub enum Side<A, B> {
            Left(A),
            Right(B),
            Both(A, B),
        }

        impl<A, B> Side<A, B> {
            $(#[$graph])?
            pub fn left(&mut self) -> Option<&mut A> {
                if let Side::Left(left) = self {
                    return Some(left);
                }
                if let Side::Both(left, _) = self { Some(left) } else { None }
            }

            $(#[$graph])?
            pub fn set_left(&mut self, left: A) -> &mut A {
                *self = Side::Left(left);
                if let Side::Left(left) = self { left } else { unreachable!() }
            }

            $(#[$graph])?
            pub fn right(&self) -> Option<&B> {
                if let Side::Right(right) = self {
                    Some(right)
                } else if let Side::Both(_, right) = self {
                    Some(right)
                } else {
                    None
                }
            }

            $(#[$graph])?
            pub fn into_left(self, or: A) -> A {
                if let Side::Left(left) = self { left } else { or }
            }
        }

        pub struct Node<K> {
            key: Vec<K>,
            next: *mut Node<K>,
        }

        pub struct List<K> {
            head: *mut Node<K>,
            visits: usize,
        }

        impl<K> List<K> {
            pub fn of(keys: Vec<K>) -> List<K> {
                let mut head = std::ptr::null_mut();
                for key in keys.into_iter().rev() {
                    head = Box::into_raw(Box::new(Node { key: vec![key], next: head }));
                }
                List { head, visits: 0 }
            }

            $(#[$graph])?
            pub fn find<F: FnMut(&K) -> bool>(&mut self, mut is_meant: F) -> Option<(&K, usize)> {
                let mut node = self.head;
                while !node.is_null() {
                    let found = is_meant(unsafe { &(&(*node).key)[0] });
                    if found {
                        self.visits += 1;
                        return Some(unsafe { ((*node).key.first().expect("a key"), (*node).key.len()) });
                    }
                    unsafe { node = (*node).next };
                }
                None
            }

            $(#[$graph])?
            pub fn double(&mut self, is_meant: impl Fn(&K) -> bool) -> usize
            where
                K: Clone,
            {
                let mut node = self.head;
                let mut doubled = 0;
                while !node.is_null() {
                    if is_meant(unsafe { &(&(*node).key)[0] }) {
                        let key = unsafe { (&(*node).key)[0].clone() };
                        unsafe { (*node).key.push(key) };
                        doubled += unsafe { (*node).key.len() };
                    }
                    node = unsafe { (*node).next };
                }
                doubled
            }
        }

        impl<K> Drop for List<K> {
            fn drop(&mut self) {
                while !self.head.is_null() {
                    let node = unsafe { Box::from_raw(self.head) };
                    self.head = node.next;
                }
            }
        }

        pub fn outcomes() -> Vec<String> {
            let mut out = Vec::new();
            for mut side in [Side::Left(1), Side::Right("r"), Side::Both(2, "b")] {
                out.push(outcome(|| side.right().copied()));
                out.push(outcome(|| side.left().map(|left| std::mem::replace(left, 7))));
                out.push(format!("{side:?}"));
                *side.set_left(3) += 1;
                out.push(outcome(|| side.into_left(0)));
            }
            out.push(outcome(|| Side::<i32, i32>::Right(1).into_left(5)));
            let mut list = List::of(vec![3, 5, 8]);
            out.push(outcome(|| list.double(|key| *key > 3)));
            out.push(outcome(|| list.find(|key| key % 2 == 0).map(|(key, len)| (*key, len))));
            out.push(outcome(|| list.find(|key| *key > 9).map(|(key, len)| (*key, len))));
            out.push(outcome(|| list.visits));
            out
        }
    };
}

mod native {
    use super::*;
    types! {}
}

mod graph {
    use super::*;
    types! { #[graph_runtime::graph_fn] }
}

#[test]
fn rust_values_agree() {
    let expected = native::outcomes();
    assert_eq!(expected[2], "Left(7)");
    assert_ways(&expected, graph::outcomes);
}

/// Nothing refers to a field of a packed struct: a pattern takes it by value.
#[test]
fn fields_of_packed_structs_are_taken_by_patterns() {
    use graph_runtime::graph_fn;

    #[derive(Clone, Copy)]
    #[repr(C, packed)]
    struct Header {
        kind: u8,
        length: u32,
    }

    #[graph_fn]
    impl Header {
        fn end(&self, start: u32) -> u32 {
            let Header { kind, length } = *self;
            if kind > 1 && length != 3 {
                start + length
            } else {
                start
            }
        }
    }
    let header = |kind, length| Header { kind, length };
    let ends = [(1, 9), (2, 9), (2, 3)].map(|(kind, length)| header(kind, length).end(1));
    assert_eq!(ends, [1, 10, 1]);
}
