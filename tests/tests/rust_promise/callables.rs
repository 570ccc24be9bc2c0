//! Closures, function pointers and trait objects: captured state, chosen functions, iterator chains that compare.

use std::fmt::Display;

agree! { a_trait_object_out_of_the_arms: f(true, 3), f(false, 3);
    fn f(doubles: bool, x: i32) -> i32 {
        let g: Box<dyn Fn(i32) -> i32> = if doubles { Box::new(|x| x * 2) } else { Box::new(move |y| y + x) };
        g(x) + g(1)
    }
}

agree! { trait_objects_by_reference: f(1), f(-1);
    fn f(n: i32) -> String {
        let text = String::from("text");
        let shown: &dyn Display = if n > 0 { &n } else { &text };
        shown.to_string()
    }
}

agree! { a_function_pointer_out_of_a_match: f('+'), f('-'), f('?');
    fn f(op: char) -> i32 {
        fn add(a: i32, b: i32) -> i32 {
            a + b
        }
        let g: fn(i32, i32) -> i32 = match op {
            '+' => add,
            '-' => |a, b| a - b,
            _ => i32::max,
        };
        g(7, 3)
    }
}

agree! { filters_and_maps_that_compare: f(&[1, 5, 3, 8]);
    fn f(v: &[i32]) -> (Vec<i32>, i32, usize, bool, bool, Option<usize>) {
        (
            v.iter().filter(|x| **x > 3).copied().collect(),
            v.iter().filter(|&&x| x != 5).map(|x| if *x < 2 { 0 } else { *x }).sum(),
            v.iter().take_while(|x| **x < 6).count(),
            v.iter().any(|x| *x == 8),
            v.iter().all(|x| *x >= 1 && *x <= 8),
            v.iter().position(|&x| x == 3),
        )
    }
}

agree! { sorted_by_comparisons: f(vec![3.5, 1.0, 2.0]);
    fn f(mut v: Vec<f64>) -> (Vec<f64>, Vec<f64>, f64) {
        v.sort_by(|a, b| b.partial_cmp(a).unwrap());
        let mut w = v.clone();
        w.sort_by(|a, b| if a < b { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater });
        let max = v.iter().fold(f64::MIN, |m, x| if *x > m { *x } else { m });
        (v, w, max)
    }
}

agree! { grouped_partitioned_and_zipped: f(&[4, 9, 2, 7], &[1, 10, 2, 8]);
    fn f(a: &[i32], b: &[i32]) -> (Vec<i32>, Vec<i32>, Vec<bool>, i32) {
        let (big, small): (Vec<i32>, Vec<i32>) = a.iter().partition(|x| **x > 3);
        let above = a.iter().zip(b).map(|(x, y)| x > y).collect();
        let best = a.iter().zip(b.iter()).max_by_key(|(x, y)| (*x - *y).abs()).map(|(x, _)| *x);
        (big, small, above, best.unwrap_or(0))
    }
}

agree! { a_closure_that_changes_what_it_captured: f(4);
    fn f(n: i32) -> (i32, Vec<i32>) {
        let mut total = 0;
        let mut seen = vec![];
        let mut add = |x: i32| {
            if x % 2 == 0 {
                total += x;
            } else {
                seen.push(x);
            }
            total > 3
        };
        let mut i = 0;
        while !add(i) && i < n {
            i += 1;
        }
        add(7);
        (total, seen)
    }
}

agree! { two_closures_of_a_call_look_at_a_variable: f(4, Some(2)), f(4, None), f(-4, Some(2));
    fn f(n: i32, by: Option<i32>) -> i32 {
        let mut left: i32 = n;
        loop {
            left = match by.map_or_else(
                || if n > 0 { left.checked_sub(1) } else { left.checked_add(1) },
                |by| if n > 0 { left.checked_sub(by) } else { left.checked_add(by) },
            ) {
                Some(0) | None => return n,
                Some(rest) => rest,
            };
            if left.abs() < 2 {
                return left;
            }
        }
    }
}

agree! { a_closure_without_mut_looks_at_a_variable: f(3), f(0);
    fn f(n: usize) -> usize {
        let mut v = vec![1, 2, 3];
        v.push(n);
        let get = |i: usize| if i < 3 { v.get(i).copied().unwrap_or(0) } else { v.first().copied().unwrap_or(9) };
        let has = |i: usize| match i {
            0 => v.contains(&n),
            _ => v.is_empty(),
        };
        let mut words = vec!["a".to_string()];
        words.push(n.to_string());
        let told = |i: usize| {
            if i > 0 {
                return words.len();
            }
            words.join("-").len()
        };
        let first = if n > 1 { get(1) } else { get(7) };
        let mut total = first + usize::from(has(n));
        for i in 0..n {
            if i != 1 {
                total += told(i);
            }
        }
        total + v.len() + words.len()
    }
}

agree! { a_once_closure_changes_what_it_takes_along: f(3), f(-3);
    fn f(n: i32) -> Vec<i32> {
        let mut v = vec![1];
        v.push(n);
        let give = || {
            if n > 0 {
                v.push(7);
            }
            v
        };
        give()
    }
}

agree! { a_closure_without_types_that_compares: f(5);
    fn f(n: i32) -> (bool, bool) {
        let above = |x| x > 3;
        let same = |a, b| a == b;
        (above(n), same(n, 5))
    }
}

agree! { a_closure_without_types_that_calculates: f(5);
    fn f(n: i32) -> i32 {
        let add = |a, b| a + b * 2;
        let square = |x| x * x;
        add(n, square(n))
    }
}

agree! { closures_in_a_collection: f(3);
    fn f(n: i32) -> Vec<i32> {
        let mut steps: Vec<Box<dyn FnMut(i32) -> i32>> = Vec::new();
        let mut calls = 0;
        steps.push(Box::new(|x| x + 1));
        steps.push(Box::new(move |x| {
            calls += 1;
            if calls > 1 { x * calls } else { -x }
        }));
        let mut out = vec![];
        for _ in 0..2 {
            for step in steps.iter_mut() {
                out.push(step(n));
            }
        }
        out
    }
}

agree! { a_closure_handed_to_an_argument: call(3), call(12);
    fn f(n: i32, g: impl Fn(i32) -> bool) -> i32 {
        let mut count = 0;
        for i in 0..n {
            if g(i) {
                count += 1;
            }
        }
        count
    }
    fn call(n: i32) -> (i32, i32) {
        (f(n, |i| i % 2 == 0), f(n, |i| i > n / 2))
    }
}

agree! { a_closure_argument_by_dyn_reference: call(5);
    fn f(xs: &[i32], pick: &dyn Fn(&i32) -> bool, each: &mut dyn FnMut(i32)) -> usize {
        let mut n = 0;
        for x in xs {
            if pick(x) {
                each(*x);
                n += 1;
            }
        }
        n
    }
    fn call(limit: i32) -> (usize, Vec<i32>) {
        let mut out = vec![];
        let n = f(&[1, 9, 3], &|x| *x < limit, &mut |x| out.push(x));
        (n, out)
    }
}

agree! { a_once_closure_as_an_argument: call(true), call(false);
    fn f(runs: bool, g: impl FnOnce() -> String) -> String {
        if runs { g() } else { String::from("not run") }
    }
    fn call(runs: bool) -> String {
        let owned = String::from("ran");
        f(runs, move || owned)
    }
}

agree! { nested_functions_that_call_each_other: f(10), f(7);
    fn f(n: u32) -> (bool, u64) {
        fn even(n: u32) -> bool {
            if n == 0 { true } else { odd(n - 1) }
        }
        fn odd(n: u32) -> bool {
            n != 0 && even(n - 1)
        }
        fn factorial(n: u64) -> u64 {
            match n {
                0 | 1 => 1,
                n => n * factorial(n - 1),
            }
        }
        (even(n), factorial(n as u64))
    }
}

agree! { a_closure_made_by_a_nested_function: f(2), f(-2);
    fn f(n: i32) -> (i32, bool) {
        fn adder(by: i32) -> impl Fn(i32) -> i32 {
            move |x| if x > 0 { x + by } else { x - by }
        }
        fn at_least(limit: i32) -> Box<dyn Fn(i32) -> bool> {
            Box::new(move |x| x >= limit)
        }
        (adder(10)(n), at_least(2)(n))
    }
}

agree! { an_iterator_by_hand: f(3);
    fn f(n: usize) -> Vec<u64> {
        struct Fibonacci(u64, u64);
        impl Iterator for Fibonacci {
            type Item = u64;
            fn next(&mut self) -> Option<u64> {
                let next = self.0;
                (self.0, self.1) = (self.1, self.0 + self.1);
                if next > 100 { None } else { Some(next) }
            }
        }
        let mut out: Vec<u64> = Fibonacci(1, 2).skip(1).step_by(n).collect();
        for x in Fibonacci(0, 1) {
            if x > 10 {
                out.push(x);
            }
        }
        out
    }
}

agree! { lazily_chosen_values: f(None), f(Some(7));
    fn f(n: Option<i32>) -> (i32, i32, String) {
        let a = n.unwrap_or_else(|| if n.is_none() { 1 } else { 2 });
        let b = n.filter(|n| *n > 5 && *n != 6).map_or(0, |n| n / 2);
        let c = (b > 0).then(|| format!("{b}")).unwrap_or_default();
        (a, b, c)
    }
}

agree! { a_recursive_descent: f("2*(3+4)-5"), f("1+");
    fn f(text: &str) -> Result<i32, String> {
        struct Parser<'a> {
            rest: &'a [u8],
        }
        impl Parser<'_> {
            fn peek(&self) -> u8 {
                if let [first, ..] = self.rest { *first } else { 0 }
            }
            fn take(&mut self) -> u8 {
                let c = self.peek();
                if c != 0 {
                    self.rest = &self.rest[1..];
                }
                c
            }
            fn sum(&mut self) -> Result<i32, String> {
                let mut value = self.product()?;
                loop {
                    match self.peek() {
                        b'+' => {
                            self.take();
                            value += self.product()?;
                        }
                        b'-' => {
                            self.take();
                            value -= self.product()?;
                        }
                        _ => break Ok(value),
                    }
                }
            }
            fn product(&mut self) -> Result<i32, String> {
                let mut value = self.atom()?;
                while self.peek() == b'*' {
                    self.take();
                    value *= self.atom()?;
                }
                Ok(value)
            }
            fn atom(&mut self) -> Result<i32, String> {
                match self.take() {
                    d @ b'0'..=b'9' => Ok((d - b'0') as i32),
                    b'(' => {
                        let value = self.sum()?;
                        if self.take() != b')' {
                            return Err(String::from("no closing parenthesis"));
                        }
                        Ok(value)
                    }
                    0 => Err(String::from("unexpected end")),
                    c => Err(format!("unexpected {}", c as char)),
                }
            }
        }
        Parser { rest: text.as_bytes() }.sum()
    }
}
