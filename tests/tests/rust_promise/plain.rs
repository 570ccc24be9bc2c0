//! Functions as they occur in crates without tensors: slices behind `&mut`, parsers, iterators, results that borrow, side effects.

#![allow(dead_code, reason = "fields are there to be shown")]

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};

agree! { items_of_a_mutable_slice: call(&[-1.0, 2.0, -3.0]);
    fn relu(y: &mut [f64]) {
        for i in 0..y.len() {
            if y[i] < 0.0 {
                y[i] = 0.0;
            }
        }
    }
    fn call(x: &[f64]) -> Vec<f64> {
        let mut y = x.to_vec();
        relu(&mut y);
        y
    }
}

agree! { a_mutable_str_and_a_trait_object: call("abc", true), call("abc", false);
    fn f(text: &mut str, log: &mut dyn FnMut(usize), upper: bool) {
        while text.is_empty() {
            return;
        }
        if upper {
            text.make_ascii_uppercase();
            log(text.len());
        }
    }
    fn call(text: &str, upper: bool) -> (String, Vec<usize>) {
        let (mut text, mut seen) = (text.to_owned(), Vec::new());
        f(&mut text, &mut |n| seen.push(n), upper);
        (text, seen)
    }
}

agree! { what_no_graph_holds_from_behind_a_mutable_reference: call();
    fn next(p: &mut Parser) -> Token {
        let mut word = String::new();
        while p.at < p.text.len() && p.text[p.at] != ' ' {
            word.push(p.text[p.at]);
            p.at += 1;
        }
        p.at += 1;
        if word.is_empty() { Token::End } else { Token::Word(word) }
    }
    struct Parser {
        at: usize,
        text: Vec<char>,
        out: Vec<u8>,
    }
    #[derive(Debug)]
    enum Token {
        Word(String),
        End,
    }
    #[graph_fn]
    fn writer(p: &mut Parser) -> &mut Vec<u8> {
        p.out.push(1);
        &mut p.out
    }
    fn call() -> (String, Vec<u8>) {
        let mut p = Parser { at: 0, text: "ab cd".chars().collect(), out: vec![] };
        let tokens = [next(&mut p), next(&mut p), next(&mut p)];
        writer(&mut p).push(7);
        (format!("{tokens:?}"), p.out)
    }
}

agree! { side_effects_at_each_call: (next_id(), next_id(), next_id());
    fn next_id() -> u32 {
        static N: AtomicU32 = AtomicU32::new(0);
        N.fetch_add(1, Ordering::SeqCst) % 3
    }
}

agree! { side_effects_around_calls_that_no_graph_gives: (count(1), count(1), count(2));
    fn count(by: u32) -> (u32, u32) {
        static N: AtomicU32 = AtomicU32::new(0);
        let mut at = At(by);
        let more = next(&mut at) + adder(by)(1);
        (N.fetch_add(1, Ordering::SeqCst) % 3, more)
    }
    struct At(u32);
    #[graph_fn]
    fn next(at: &mut At) -> u32 {
        at.0 += 1;
        at.0
    }
    #[graph_fn]
    fn adder(n: u32) -> impl Fn(u32) -> u32 {
        move |x| x + n
    }
}

agree! { a_mutable_parameter_that_is_moved: call("ab/cd");
    fn skip<I: Iterator<Item = char>>(chars: &mut I) -> bool {
        let first = chars.next();
        if first == Some('a') {
            for c in chars {
                if c == '/' {
                    return true;
                }
            }
        }
        false
    }
    fn take(v: &mut Vec<i32>) -> usize {
        let mut w = v;
        w.push(1);
        let again = &mut w;
        again.push(2);
        again.len()
    }
    fn call(text: &str) -> (bool, String, usize) {
        let mut chars = text.chars();
        let found = skip(&mut chars);
        (found, chars.collect(), take(&mut vec![0]))
    }
}

agree! { a_mutable_self_that_is_moved: call();
    fn call() -> String {
        let mut a = Side::Left(vec![1]);
        a.put(&Side::Left(vec![2, 3]));
        let mut b = a.clone();
        b.put(&Side::Right(vec![]));
        format!("{a:?} {b:?}")
    }
    #[derive(Clone, Debug, PartialEq)]
    enum Side {
        Left(Vec<i32>),
        Right(Vec<i32>),
    }
    impl Side {
        #[graph_fn]
        fn put(&mut self, source: &Self) {
            match (self, source) {
                (Side::Left(to), Side::Left(from)) => to.clone_from(from),
                (Side::Right(to), Side::Right(from)) => to.clone_from(from),
                (to, from) => *to = from.clone(),
            }
        }
    }
}

agree! { a_parameter_called_result: f(3).len(), f(0).len();
    fn f(n: i32) -> String {
        let mut out = Vec::new();
        match fill(&mut out, n) {
            Ok(()) => format!("{out:?}"),
            Err(()) => String::new(),
        }
    }
    #[graph_fn]
    fn fill(result: &mut Vec<i32>, n: i32) -> Result<(), ()> {
        loop {
            if n == 0 {
                return Err(());
            }
            result.push(n);
            if result.len() > 2 {
                return Ok(());
            }
        }
    }
}

agree! { results_with_an_inferred_lifetime: f("a b c").len();
    fn f(text: &str) -> Vec<Word<'_>> {
        text.split(' ').map(Word).collect()
    }
    #[derive(Debug)]
    struct Word<'a>(&'a str);
}

agree! { tails_under_cfg: f(3), f(-3), g(2);
    fn f(n: i32) -> i32 {
        if n < 0 {
            return -1;
        }
        #[cfg(not(any()))]
        {
            n * 2
        }
        #[cfg(any())]
        {
            n * 3
        }
    }
    fn g(n: i32) -> bool {
        #[allow(clippy::match_like_matches_macro)]
        match n {
            2 => true,
            _ => false,
        }
    }
}

agree! { returns_in_closures_and_nested_functions: f("abs"), f("x");
    fn f(name: &str) -> (Option<i32>, bool) {
        fn check(n: i32) -> bool {
            if n < 0 {
                return false;
            }
            match n {
                0 => return true,
                _ => {}
            }
            n > 2
        }
        let number = |text: &str| {
            match text {
                "abs" => return Some(1),
                _ => {}
            }
            if let Some(rest) = text.strip_prefix("x") {
                return Some(rest.len() as i32);
            }
            None
        };
        let block = 'found: {
            if let Some(n) = number(name) {
                break 'found n;
            }
            7
        };
        (number(name), check(block))
    }
}

agree! { return_of_an_if: f(1, 2), f(2, 1), f(1, 1);
    fn f(a: i32, b: i32) -> i32 {
        if a != b {
            return if a < b { -1 } else { 1 };
        }
        if a == 7 {
            return match b {
                7 if a > 3 => 1,
                _ => 2,
            };
        }
        0
    }
}

agree! { operands_that_cannot_be_cloned: f(2), f(3);
    fn f(n: i32) -> i32 {
        struct Big(i32);
        impl std::ops::Add for Big {
            type Output = Big;
            fn add(self, other: Big) -> Big {
                Big(self.0 + other.0)
            }
        }
        let q = Big(n);
        let sum = if n % 2 == 0 { q } else { q + Big(1) };
        sum.0
    }
}

agree! { temporaries_of_the_left_operand: f();
    fn f() -> (bool, bool, usize) {
        let c = RefCell::new(vec![1]);
        let m = std::sync::Mutex::new(vec![1]);
        let pushed = !c.borrow().is_empty() && {
            c.borrow_mut().push(1);
            true
        };
        let free = m.lock().unwrap().len() == 1 && m.try_lock().is_ok();
        let len = c.borrow().len();
        (pushed, free, len)
    }
}

agree! { functions_called_like_other_items: call();
    fn gcd(a: i32, b: i32) -> i32 {
        if b == 0 { a * gcd::one() } else { gcd(b, a % b) }
    }
    #[graph_fn]
    fn f32(x: f32) -> f32 {
        x + 1.0
    }
    mod gcd {
        pub fn one() -> i32 {
            1
        }
    }
    fn call() -> (i32, f32) {
        (gcd(12, 18), f32(2.0))
    }
}

agree! { a_function_called_like_the_module_around_it: call();
    fn call() -> (u32, u32, f64) {
        (gcd(12, 18), gcd::steps(12, 18), area(2.0))
    }
    pub use gcd::gcd;
    mod gcd {
        use graph_runtime::prelude::*;
        #[graph_fn]
        pub fn gcd(a: u32, b: u32) -> u32 {
            if b == 0 { a } else { gcd(b, a % b) }
        }
        pub fn steps(a: u32, b: u32) -> u32 {
            assert_eq!(gcd::function().name(), "gcd");
            if b == 0 { 0 } else { 1 + steps(b, a % b) }
        }
    }
    #[graph_fn]
    fn area(side: f64) -> area {
        side * side
    }
    #[allow(non_camel_case_types)]
    type area = f64;
}

agree! { a_let_else_that_leaves_by_a_match: f("1"), f("x"), f("");
    fn f(text: &str) -> i32 {
        let Ok(n) = text.parse::<i32>() else {
            match text {
                "" => return -1,
                _ => return -2,
            }
        };
        let found = if let Some(c) = text.chars().next() {
            if c == '1' { return 10 } else { return n }
        } else {
            0
        };
        found
    }
}

agree! { coercions_in_branches: f(3), f(-1);
    fn f(n: i32) -> usize {
        fn len(text: &str) -> usize {
            text.len()
        }
        let s = &String::from("abc");
        let boxed = Box::new(String::from("de"));
        let mut t = 0;
        if n > 0 {
            t += len(s);
            t += len(&boxed);
        }
        t + len(s)
    }
}

agree! { conditions_that_are_not_compiled: f(&[1, 7, 3]), f(&[2]), f(&[]);
    fn f(items: &[i32]) -> Result<i32, String> {
        for n in items {
            #[cfg(any())]
            if *n == 7 {
                return Err("seven".into());
            }
            match *n {
                #[cfg(any())]
                n if n > 2 => return Ok(n),
                2 => break,
                _ => {}
            }
        }
        if items.len() > 3 {
            Ok(4)
        } else {
            #[cfg(any())]
            {
                if items.len() == 2 {
                    for n in items {
                        if *n == 3 {
                            return Ok(3);
                        }
                    }
                }
            }
            #[cfg(all())]
            if items.len() == 1 {
                return Ok(1);
            }
            Ok(0)
        }
    }
}

/// Without optimization, each move of this type takes 64 KB of the stack; the stack of a test's thread has 2 MB.
struct Large([u8; 1 << 16]);

impl From<[u8; 1 << 16]> for Large {
    #[graph_runtime::graph_fn(method)]
    fn from(array: [u8; 1 << 16]) -> Large {
        let mut large = Large::new();
        large.0.copy_from_slice(&array);
        large
    }
}

impl Large {
    #[graph_runtime::graph_fn(method)]
    fn new() -> Large {
        Large([0; 1 << 16])
    }
}

#[test]
fn large_values_leave_room_on_the_stack() {
    let large = Large::from([3; 1 << 16]);
    assert!(large.0.iter().all(|item| *item == 3));
}

/// The definition of a deprecated function causes no warning.
#[deny(deprecated)]
mod deprecated_functions {
    use graph_runtime::graph_fn;

    #[deprecated]
    #[graph_fn]
    pub fn before(n: i32) -> i32 {
        n + 1
    }

    #[graph_fn]
    #[deprecated(note = "use another")]
    pub fn behind(n: i32) -> i32 {
        n + 1
    }

    pub struct Number(pub i32);

    impl Number {
        #[graph_fn]
        #[deprecated]
        pub fn next(&self) -> i32 {
            self.0 + 1
        }
    }
}

#[test]
#[allow(deprecated)]
fn deprecated_functions_run() {
    use deprecated_functions::{Number, before, behind};
    assert_eq!([before(1), behind(2), Number(3).next()], [2, 3, 4]);
}
