//! Results that borrow from the arguments: references out of `&mut self`, iterators and closures over parameters, and results with the type
//! `impl Trait`.

#![allow(dead_code, reason = "fields are there to be shown")]

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::{Debug, Display};

agree! { a_reference_out_of_mutable_self: call();
    impl Table {
        fn slot(&mut self, key: usize) -> &mut u32 {
            if self.slots.is_none() {
                self.allocate();
            }
            let mut at = self.place(key);
            if self.slots.as_ref().expect("allocated above")[at] == 0 {
                self.used += 1;
                if self.used > 2 {
                    self.grow();
                    at = self.place(key);
                }
            }
            &mut self.slots.as_mut().expect("allocated above")[at]
        }
        fn two(&mut self, a: usize, b: usize) -> (Option<&mut u32>, Option<&mut u32>) {
            let len = self.len();
            if a == b {
                if a > len {
                    return (self.get(a), None);
                }
                return (None, self.get(b));
            }
            match self.slots.as_mut() {
                Some(slots) if b < len => {
                    let (low, high) = slots.split_at_mut(b);
                    (low.get_mut(a), high.first_mut())
                }
                _ => (None, None),
            }
        }
    }
    struct Table {
        slots: Option<Vec<u32>>,
        used: usize,
    }
    impl Table {
        fn allocate(&mut self) {
            self.slots = Some(vec![0; 2]);
        }
        fn grow(&mut self) {
            self.slots.get_or_insert_default().resize(8, 0);
        }
        fn place(&self, key: usize) -> usize {
            key % self.len()
        }
        fn len(&self) -> usize {
            self.slots.as_ref().map_or(0, Vec::len)
        }
        fn get(&mut self, at: usize) -> Option<&mut u32> {
            self.slots.as_mut().and_then(|slots| slots.get_mut(at))
        }
    }
    fn call() -> String {
        let mut table = Table { slots: None, used: 0 };
        for key in [1, 6, 11] {
            *table.slot(key) = key as u32;
        }
        *table.two(2, 3).1.unwrap() += 5;
        *table.two(3, 3).1.unwrap() += 1;
        let none = table.two(9, 9).1.is_none();
        format!("{none} {:?} {}", table.slots, table.used)
    }
}

agree! { a_struct_that_keeps_self: call();
    impl Parser {
        fn values(&mut self) -> Result<Values<'_>, String> {
            if self.at < self.words.len() || self.is_quiet() {
                Ok(Values { first: true, parser: Some(self) })
            } else {
                Err(format!("nothing behind {}", self.at))
            }
        }
    }
    struct Parser {
        at: usize,
        words: Vec<&'static str>,
    }
    impl Parser {
        fn is_quiet(&mut self) -> bool {
            self.at += 1;
            self.words.is_empty()
        }
    }
    struct Values<'a> {
        first: bool,
        parser: Option<&'a mut Parser>,
    }
    fn call() -> (usize, Result<bool, String>) {
        let mut parser = Parser { at: 0, words: vec!["a"] };
        parser.values().unwrap().parser.unwrap().at += 3;
        (parser.at, parser.values().map(|values| values.first))
    }
}

agree! { a_closure_that_takes_self_along: call();
    impl Pair {
        fn extend<T: IntoIterator<Item = Result<i32, char>>>(&mut self, items: T) {
            items.into_iter().for_each(move |item| match item {
                Ok(item) => self.0.extend(std::iter::once(item)),
                Err(item) => self.1.extend(std::iter::once(item)),
            });
        }
        fn drained(&mut self) -> impl Iterator<Item = i32> + '_ {
            std::iter::from_fn(move || {
                if self.0.len() > 1 {
                    self.1.push('d');
                }
                self.0.pop()
            })
        }
        fn counter(&mut self) -> impl FnMut() -> usize + '_ {
            || {
                self.0.push(0);
                self.0.len()
            }
        }
        fn longer(&mut self, by: i32) -> impl Iterator<Item = &mut i32> + '_ {
            if by > 10 {
                self.0.clear();
            }
            self.0.iter_mut().map(move |x| {
                *x += by;
                x
            })
        }
        fn above(&self, limit: i32) -> Box<dyn Iterator<Item = &i32> + '_> {
            if limit < 0 {
                return Box::new(self.0.iter());
            }
            Box::new(self.0.iter().filter(move |x| self.is_above(**x, limit)))
        }
    }
    struct Pair(Vec<i32>, Vec<char>);
    impl Pair {
        fn is_above(&self, x: i32, limit: i32) -> bool {
            x > limit + self.1.len() as i32
        }
    }
    fn call() -> String {
        let mut pair = Pair(vec![], vec![]);
        pair.extend([Ok(1), Err('x'), Ok(5)]);
        let above: Vec<i32> = pair.above(2).copied().collect();
        let all = pair.above(-1).count();
        let longer: Vec<i32> = pair.longer(3).map(|x| *x).collect();
        let counted = pair.counter()();
        let drained: Vec<i32> = pair.drained().collect();
        format!("{above:?} {all} {longer:?} {counted} {drained:?} {:?}", pair.1)
    }
}

agree! { a_closure_over_a_parameter: adder(&1)(2), boxed(3)(4), boxed(-3)(4), call();
    fn adder(n: &i32) -> impl Fn(i32) -> i32 + '_ {
        move |x| x + n
    }
    #[graph_fn]
    fn boxed(n: i32) -> Box<dyn Fn(i32) -> i32> {
        if n > 0 {
            Box::new(move |x| x + n)
        } else {
            Box::new(|x| x)
        }
    }
    #[graph_fn]
    fn count(n: &mut i32) -> impl FnMut() -> i32 + '_ {
        || {
            *n += 1;
            *n
        }
    }
    #[graph_fn]
    fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
        move |x| g(f(x))
    }
    fn call() -> (i32, i32, i32) {
        let mut n = 5;
        let counted = count(&mut n)();
        (counted, n, compose(|x: i32| x + 1, |x| x * 2)(3))
    }
}

agree! { an_iterator_that_is_an_impl: call();
    fn shifted(items: &[i32], by: i32) -> impl Iterator<Item = i32> + '_ {
        items.iter().map(move |x| x + by)
    }
    #[graph_fn]
    fn behind<T: Clone>(items: &[T], first: usize) -> impl Iterator<Item = T> + '_ {
        if first > items.len() {
            return items[..0].iter().cloned();
        }
        items[first..].iter().cloned()
    }
    #[graph_fn]
    fn evens(n: u32) -> impl Iterator<Item = u32> {
        let mut found = vec![];
        for i in 0..n {
            if i % 2 == 0 {
                found.push(i);
            }
        }
        found.into_iter()
    }
    #[graph_fn]
    fn letters(text: &str) -> Option<impl Iterator<Item = char> + '_> {
        let first = text.chars().next()?;
        if first == 'a' {
            return None;
        }
        Some(text.chars().rev())
    }
    fn call() -> String {
        let shifted: Vec<i32> = shifted(&[1, 2], 3).collect();
        let behind = (behind(&["a", "b"], 1).last(), behind(&[1], 2).last());
        let letters: Vec<Option<String>> = ["abc", "cba", ""].map(|t| Some(letters(t)?.collect())).to_vec();
        format!("{shifted:?} {behind:?} {:?} {letters:?}", evens(5).collect::<Vec<_>>())
    }
}

agree! { a_result_that_is_an_impl_in_part: shown(3), shown(-1), always(), call(9), call(3);
    fn shown(n: i32) -> Result<String, String> {
        half(n).map(|n| n.to_string())
    }
    #[graph_fn]
    fn half(n: i32) -> Result<impl Display, String> {
        if n < 0 {
            return Err("negative".into());
        }
        Ok(n as f64 / 2.0)
    }
    #[graph_fn]
    fn three() -> Result<impl Display, String> {
        Ok(3)
    }
    #[graph_fn]
    fn wide() -> impl Into<i64> {
        3
    }
    #[graph_fn]
    fn nothing() -> (impl IntoIterator<Item = Own>, Option<u8>) {
        (vec![Own], None)
    }
    struct Own;
    fn always() -> (String, i64, usize) {
        (three().unwrap().to_string(), wide().into(), nothing().0.into_iter().count())
    }
    #[graph_fn]
    fn early(n: i32) -> impl Debug {
        let mut i = n;
        while i > 3 {
            if i == 7 {
                return "seven".to_owned();
            }
            i -= 1;
        }
        n.to_string()
    }
    fn call(n: i32) -> String {
        format!("{:?}", early(n))
    }
}

agree! { what_a_loop_borrows_is_returned: f(&["a", "long"]), f(&["a"]), g(&["a", "bc", "defgh"]), g(&["ab"]), h(&["a"]), h(&[]);
    fn f(items: &[&str]) -> Vec<String> {
        let v: Vec<String> = items.iter().map(|s| s.to_string()).collect();
        for s in &v {
            if s.len() > 3 {
                return v;
            }
        }
        Vec::new()
    }
    #[graph_fn]
    fn g(items: &[&str]) -> Vec<String> {
        let mut v: Vec<String> = items.iter().map(|s| s.to_string()).collect();
        for s in v.iter().filter(|s| s.len() > 1) {
            match s.len() {
                5 => return v,
                7 => break,
                _ => {}
            }
        }
        while let Some(s) = v.first() {
            if s.len() > 3 {
                return v;
            }
            v.pop();
        }
        'found: {
            for s in &v {
                if s.is_empty() {
                    break 'found v;
                }
            }
            v
        }
    }
    #[graph_fn]
    fn h(items: &[&str]) -> Result<Vec<String>, Vec<String>> {
        let v: Vec<String> = items.iter().map(|s| s.to_string()).collect();
        match v.first() {
            Some(s) if s.len() > 3 => return Err(v),
            Some(s) => {
                if s.len() == 1 {
                    return Ok(v);
                }
            }
            None => {}
        }
        Err(v)
    }
}

agree! { maps_with_borrowed_keys: call();
    fn counts<'a>(words: &[&'a str]) -> HashMap<&'a str, usize> {
        let mut counts = HashMap::new();
        for word in words {
            *counts.entry(*word).or_insert(0) += 1;
        }
        counts
    }
    fn lengths(text: &str) -> BTreeMap<&str, usize> {
        text.split(' ').map(|word| (word, word.len())).collect()
    }
    fn call() -> (Vec<(String, usize)>, usize) {
        let text = String::from("a bc a");
        let words: Vec<&str> = text.split(' ').collect();
        let mut counts: Vec<(String, usize)> =
            counts(&words).into_iter().map(|(word, n)| (word.to_owned(), n)).collect();
        counts.sort();
        (counts, lengths(&text)["bc"])
    }
}

agree! { a_closure_that_takes_references: call(&[1.0, 4.0]);
    fn counted<'a>(calls: &'a Cell<usize>) -> impl Fn(&[f64], &[f64]) -> f64 + 'a {
        move |a, b| {
            calls.set(calls.get() + 1);
            if a.len() > 1 { a[0] * b[0] + a[1] * b[1] } else { 0.0 }
        }
    }
    fn first(at_least: usize) -> impl Fn(&str) -> Option<&str> {
        let count = at_least.max(1);
        move |text| text.get(..count)
    }
    fn scaled<T: Copy + std::ops::Mul<Output = T>>(by: T) -> impl Fn(T) -> T {
        move |x| x * by
    }
    fn call(x: &[f64]) -> (f64, f64, usize, Option<String>, i32) {
        let calls = Cell::new(0);
        let product = counted(&calls);
        let results = (product(x, x), product(&x[..1], x));
        (results.0, results.1, calls.get(), first(2)("abc").map(str::to_owned), scaled(3)(4))
    }
}

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;
type Maybe<T> = Option<T>;
type Step<T> = std::ops::ControlFlow<T, T>;
type Ready<T> = std::task::Poll<Result<T, String>>;

agree! { question_marks_under_other_names: call("2"), call("3"), call("x"), call("");
    fn f(text: &str) -> Outcome<(i32, i32)> {
        let n: i32 = text.parse()?;
        if n > 2 {
            Err("large")?;
        }
        Ok((n, std::str::from_utf8(text.as_bytes())?.parse()?))
    }
    #[graph_fn]
    fn g(text: &str) -> Maybe<u8> {
        let mut sum = 0;
        for word in text.split(' ') {
            sum += word.bytes().next()?;
        }
        Some(sum)
    }
    #[graph_fn]
    fn h(n: i32) -> Step<i32> {
        let half = (|| if n > 0 { Step::Continue(n / 2) } else { Step::Break(-1) })()?;
        Step::Continue(half + 1)
    }
    #[graph_fn]
    fn p(given: Result<i32, u8>) -> Ready<i32> {
        let n = given.map_err(|n| n.to_string())?;
        std::task::Poll::Ready(Ok(n + 1))
    }
    fn call(text: &str) -> String {
        let n = text.len() as i32;
        format!("{:?} {:?} {:?} {:?} {:?}", f(text), g(text), h(n), p(Ok(n)), p(Err(2)))
    }
}
