//! Sets a thread-local value while a function runs.

use std::cell::RefCell;
use std::thread::LocalKey;

/// Runs `f` while the thread-local has this value. Returns the result of `f` and the value at its end. The previous value is restored, even if
/// `f` panics.
pub fn scoped<T: 'static, R>(
    place: &'static LocalKey<RefCell<T>>,
    value: T,
    f: impl FnOnce() -> R,
) -> (R, T) {
    struct Outer<T: 'static> {
        place: &'static LocalKey<RefCell<T>>,
        value: Option<T>,
    }
    impl<T> Outer<T> {
        fn put_back(&mut self) -> Option<T> {
            self.value.take().map(|value| self.place.replace(value))
        }
    }
    impl<T> Drop for Outer<T> {
        fn drop(&mut self) {
            self.put_back();
        }
    }
    let mut outer = Outer {
        place,
        value: Some(place.replace(value)),
    };
    let result = f();
    let inner = outer.put_back();
    (result, inner.expect("it is put back once"))
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    thread_local! {
        static PLACE: RefCell<Vec<i32>> = const { RefCell::new(Vec::new()) };
    }

    #[test]
    fn what_was_there_before_is_put_back() {
        let add = |n| PLACE.with_borrow_mut(|all| all.push(n));
        add(1);
        let (inner, outer) = scoped(&PLACE, vec![2], || {
            add(3);
            let (_, inner) = scoped(&PLACE, vec![], || add(4));
            assert!(catch_unwind(|| scoped(&PLACE, vec![], || panic!("out"))).is_err());
            add(5);
            inner
        });
        assert_eq!((inner, outer), (vec![4], vec![2, 3, 5]));
        assert_eq!(PLACE.take(), [1]);
    }
}
