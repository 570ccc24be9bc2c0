//! Generics: bounds that compare, const parameters, lifetimes, where-clauses, `impl Trait`.

use std::collections::HashMap;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::{Add, AddAssign, Mul};

use graph_runtime::Nest;

agree! { const_parameters: f([1, 2, 3]), f([7; 1]), f([]);
    fn f<const N: usize>(items: [i32; N]) -> (usize, i32) {
        let mut last = -1;
        if N > 1 {
            last = items[N - 1];
        }
        for i in 0..N {
            if items[i] > 2 {
                last += items[i];
            }
        }
        (N * 2, last)
    }
}

agree! { a_lifetime_in_the_signature: f("abc", "xy", true), f("abc", "xy", false);
    fn f<'a, 'b: 'a>(a: &'a str, b: &'b str, first: bool) -> usize {
        let chosen: &'a str = if first { a } else { b };
        chosen.len()
    }
}

agree! { a_slice_parameter_of_references: f(&["b", "a", "b"]);
    fn f<'a>(items: &'a [&'a str]) -> Vec<String> {
        let mut seen: Vec<&'a str> = Vec::new();
        for item in items {
            if !seen.iter().any(|s| s == item) {
                seen.push(item);
            }
        }
        seen.into_iter().map(String::from).collect()
    }
}

agree! { impl_trait_arguments: f([3, 1, 2], "n"), f(vec![5], 'c');
    fn f(items: impl IntoIterator<Item = i32>, label: impl Display) -> String {
        let mut text = String::new();
        for item in items {
            if item > 1 {
                text += &format!("{label}{item} ");
            }
        }
        text
    }
}

agree! { bounds_in_where_clauses: f(&[1, 2, 1]), f(&["a"]);
    fn f<K>(items: &[K]) -> Vec<(String, usize)>
    where
        K: Hash + Eq + Ord + Clone + Debug,
        for<'k> &'k K: PartialEq,
    {
        let mut counts: HashMap<K, usize> = HashMap::new();
        for item in items {
            if let Some(n) = counts.get_mut(item) {
                *n += 1;
            } else {
                counts.insert(item.clone(), 1);
            }
        }
        let mut pairs: Vec<(K, usize)> = counts.into_iter().collect();
        pairs.sort_by(|a, b| a.0.cmp(&b.0));
        pairs.into_iter().map(|(k, n)| (format!("{k:?}"), n)).collect()
    }
}

agree! { nested_generic_functions: f(4, 2), f(2, 4);
    fn f(a: i32, b: i32) -> (i32, f64, &'static str) {
        fn order<T: PartialOrd>(a: T, b: T) -> (T, T) {
            if a <= b { (a, b) } else { (b, a) }
        }
        let (low, _) = order(a, b);
        let (_, high) = order(a as f64, b as f64);
        let (first, _) = order("z", "y");
        (low, high, first)
    }
}

agree! { a_default_and_an_associated_constant: f::<u8>(250), f::<i16>(-3);
    fn f<T: Limits + Into<i64> + Copy>(x: T) -> (i64, bool) {
        let room = T::HIGHEST - x.into();
        (room, room < 10 || T::signed())
    }
    pub trait Limits {
        const HIGHEST: i64;
        fn signed() -> bool {
            false
        }
    }
    impl Limits for u8 {
        const HIGHEST: i64 = 255;
    }
    impl Limits for i16 {
        const HIGHEST: i64 = 32767;
        fn signed() -> bool {
            true
        }
    }
}

agree! { a_generic_over_a_function: f(|x: i32| x * 2, 3), f(|x: i32| x - 10, 3);
    fn f<F, R>(g: F, x: i32) -> Option<i32>
    where
        F: Fn(i32) -> R,
        R: Into<i64>,
    {
        let y: i64 = g(x).into();
        if y > 0 { Some(y as i32) } else { None }
    }
}

agree! { an_unsized_parameter: f::<str>("abc"), f::<[i32]>(&[1, 2]);
    fn f<T: ?Sized + Debug>(x: &T) -> String
    where
        T: ToOwned,
    {
        let text = format!("{x:?}");
        if text.len() > 5 { text.to_uppercase() } else { text }
    }
}

agree! { the_largest_by_a_partial_order: f(&[3, 9, 4]), f(&[0.5, -1.0]), f(&['x', 'b']);
    fn f<T: PartialOrd + Copy>(items: &[T]) -> T {
        let mut best = items[0];
        for &item in items {
            if item > best {
                best = item;
            }
        }
        best
    }
}

agree! { a_clamp_of_anything_ordered: f(5, 1, 3), f(2, 1, 3), f(-5, 1, 3), f(0.5, 1.0, 2.0);
    fn f<T>(x: T, low: T, high: T) -> T
    where
        T: PartialOrd,
    {
        if x < low {
            low
        } else if x > high {
            high
        } else {
            x
        }
    }
}

agree! { sums_of_anything_added: f(vec![1, 2, 3], 10), f(vec![0.5, 0.25], 2.0);
    fn f<T>(items: Vec<T>, by: T) -> T
    where
        T: Add<Output = T> + Mul<Output = T> + AddAssign + Default + Copy + PartialEq,
    {
        let mut sum = T::default();
        for item in items {
            sum += item * by;
        }
        if sum == T::default() { by } else { sum + by }
    }
}

agree! { const_and_type_parameters_together: f::<2, u8>(3), f::<0, i64>(3);
    fn f<const WIDTH: usize, T: From<u8> + Add<Output = T> + Copy + Nest>(x: u8) -> Vec<T> {
        let mut row = vec![T::from(x); WIDTH];
        if WIDTH > 0 {
            let sum = row[0] + T::from(1);
            row.push(sum);
        }
        row
    }
}

agree! { closures_as_results_over_the_types_of_a_function: call();
    fn by_key<T, K: Ord, F: FnMut(&T) -> K>(mut key: F) -> impl FnMut(&T, &T) -> std::cmp::Ordering {
        move |a, b| key(a).cmp(&key(b))
    }
    #[graph_fn]
    fn any_of<'a, T, const N: usize, F>(items: &'a [T; N], mut test: F) -> impl FnMut(&T) -> bool + use<'a, T, N, F>
    where
        F: FnMut(&T, &T) -> bool,
        T: 'a,
    {
        move |b| items.iter().any(|a| test(a, b))
    }
    fn call() -> (Vec<i32>, Vec<bool>) {
        let mut items = vec![3, -5, 1];
        items.sort_by(by_key(|x: &i32| x.abs()));
        let mut is_near = any_of(&[1, 10], |a, b| a - b < 2 && b - a < 2);
        (items.clone(), items.iter().map(|x| is_near(x)).collect())
    }
}

/// Closures as results of methods, over the types of their `impl`.
mod closures_of_methods {
    use graph_runtime::graph_fn;

    struct Among<T>(Vec<T>);

    impl<T: PartialEq + Clone> Among<T> {
        #[graph_fn]
        fn test(&self) -> impl Fn(&T) -> bool + use<T> {
            let items = self.0.clone();
            move |item| items.contains(item)
        }

        #[graph_fn]
        fn test_of<K>(self, of: impl Fn(&K) -> T) -> impl Fn(&K) -> bool {
            move |key| self.0.contains(&of(key))
        }
    }

    struct Line<'a, T>(&'a [T]);

    impl<'a, T: PartialEq> Line<'a, T> {
        #[graph_fn]
        fn holds(&self) -> impl Fn(&'a T) -> bool + 'a {
            let items = self.0;
            move |item| items.contains(item)
        }
    }

    #[test]
    fn take_references_of_any_lifetime() {
        let among = Among(vec![1, 2]);
        let test = among.test();
        assert_eq!([1, 3].map(|n| test(&n)), [true, false]);
        let test = among.test_of(|text: &String| text.len());
        assert!(test(&"ab".to_owned()) && !test(&String::new()));
        let items = [4, 5];
        assert!(Line(&items).holds()(&items[1]));
    }
}
