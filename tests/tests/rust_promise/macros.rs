//! Macros in the body: those of the standard library, with comparisons among their arguments, and the user's own.

use std::fmt::Write;

agree! { assertions_in_closures_whose_parameters_a_use_tells: f(4, 2), f(2, 4);
    fn f(n: usize, k: usize) -> (usize, bool) {
        let product = |n, k| {
            debug_assert!(n != k);
            assert!(n >= k, "{n} is less than {k}");
            (n - k + 1..=n).product::<usize>()
        };
        let both = |(a, b), c| {
            assert!(a < c);
            a + b < c
        };
        (product(n, k), both((1u8, 2), 4))
    }
}

agree! { comparisons_in_the_arguments_of_macros: f(3), f(9);
    fn f(n: i32) -> (String, Vec<bool>, Vec<bool>, String) {
        println!("{} {}", n > 5, if n == 3 { "three" } else { "other" });
        eprint!("{}", n < 1);
        (
            format!("{} {:?} {:>6} {n:03} {0}", n > 5, Some(n == 3), n <= 9),
            vec![n > 5, n < 5, n != 3],
            vec![n > 5; 2],
            [format!("{n}"), format!("{n:?}")].concat(),
        )
    }
}

agree! { assertions_that_hold_and_fail: f(3), f(-3), f(0), f(11);
    fn f(n: i32) -> i32 {
        assert!(n > -2);
        assert!(n != 0, "zero is not allowed: {n}");
        debug_assert!(n < 100);
        assert!(n < 10 && n > -1, "too large");
        n
    }
}

agree! { equal_assertions_that_hold_and_fail: f(3, 3), f(3, 4), f(5, 5), f(6, 7);
    fn f(a: i32, b: i32) -> i32 {
        if a > 4 {
            assert_ne!(a, b);
            assert_eq!(a, b, "{a} is not {b}");
        }
        assert_eq!(a, b);
        assert_eq!(vec![a], [b]);
        assert_ne!(Some(a), None);
        debug_assert_eq!(a + 1, b + 1);
        a
    }
}

agree! { matches_with_and_without_guards: f(Some(3)), f(Some(30)), f(None);
    fn f(x: Option<i32>) -> Vec<bool> {
        vec![matches!(x, Some(_)), matches!(x, Some(n) if n > 5 && n < 50), !matches!(x, Some(1..=3) | None), matches!(x > None, true)]
    }
}

agree! { panics_keep_their_messages: f(0), f(1), f(2), f(3), f(4);
    fn f(n: i32) -> i32 {
        match n {
            0 => panic!("plain"),
            1 => panic!("with {n} and {}", n > 0),
            2 => unreachable!("never {n}"),
            3 => todo!(),
            _ => unimplemented!("later"),
        }
    }
}

agree! { a_macro_of_the_body: f(3), f(30);
    fn f(n: i32) -> (i32, i32, bool) {
        macro_rules! largest {
            ($first:expr) => { $first };
            ($first:expr, $($rest:expr),+) => {{
                let (a, b) = ($first, largest!($($rest),+));
                if a > b { a } else { b }
            }};
        }
        macro_rules! either {
            ($a:expr => $b:block else $c:block) => { if $a $b else $c };
        }
        let m = largest!(n, 7, n - 20);
        let e = either!(n > 10 => { n * 2 } else { -n });
        (m, e, largest!(1, 2) == 2)
    }
}

agree! { a_macro_of_the_module: f(3), f(30);
    fn f(n: i32) -> (i32, Vec<i32>) {
        let clamped = clamp_to!(n, 10);
        let mut out = vec![];
        repeat!(2, {
            out.push(clamped);
        });
        (clamped, out)
    }
}
macro_rules! clamp_to {
    ($x:expr, $limit:expr) => {
        if $x > $limit { $limit } else { $x }
    };
}
use clamp_to;
macro_rules! repeat {
    ($n:expr, $body:block) => {
        for _ in 0..$n $body
    };
}
use repeat;

agree! { written_into_a_string: f(&[1, 20]);
    fn f(items: &[i32]) -> String {
        let mut out = String::new();
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                write!(out, ", ").unwrap();
            }
            write!(out, "{}", if *item > 9 { "big" } else { "small" }).unwrap();
        }
        writeln!(out, "{}", items.len() == 2).unwrap();
        out
    }
}

agree! { dbg_gives_its_value_on: f(4);
    fn f(n: i32) -> (i32, bool) {
        let x = dbg!(n * 2) + 1;
        let b = dbg!(x > 8);
        (x, b)
    }
}

agree! { nested_macros: f(3);
    fn f(n: i32) -> String {
        format!("{:?}", vec![format!("{}", n > 2), String::from(concat!("a", 1)), stringify!(a > b).to_string()])
    }
}

agree! { environment_and_places_at_compile_time: f(1);
    fn f(n: i32) -> (bool, String, bool) {
        let here = module_path!().split("::").last().unwrap_or_default().len() > n as usize;
        (cfg!(test), String::from(env!("CARGO_PKG_NAME")), here && line!() > 0)
    }
}

agree! { named_and_positional_width_and_precision: f(2.0, 8);
    fn f(x: f64, width: usize) -> String {
        let precision = 3;
        let doubled = x * 2.0;
        format!("[{doubled:>width$.precision$}] [{:<1$}] [{a:+}] [{2:^8}]", x > 1.0, width, width == 8, a = -x)
    }
}

agree! { macros_as_statements_tails_and_conditions: f(2), f(5);
    fn f(n: i32) -> Vec<i32> {
        let v = if matches!(n, 0..3) { vec![n] } else { vec![n, i32::from(n > 4)] };
        assert!(!v.is_empty());
        vec![v.len() as i32, n]
    }
}

/// A macro call may be a place expression: assignments and method calls change the place, not a copy.
mod places_by_macros {
    use graph_runtime::graph_fn;

    pub struct Nodes {
        pub roots: Vec<Option<u32>>,
        pub names: Vec<String>,
    }

    impl Nodes {
        #[graph_fn]
        pub fn visit(&mut self, offset: usize, count: usize) -> usize {
            macro_rules! root {
                ($node:expr) => {
                    self.roots[$node + offset]
                };
            }
            macro_rules! name {
                ($node:expr) => {
                    self.names[$node + offset]
                };
            }
            let mut changed = 0;
            for node in 0..count {
                if root![node].is_some() && root![node] > root![0] {
                    root![node] = root![0];
                    name![node] += "!";
                    name![node].push('?');
                    changed += 1;
                } else if root![node].is_none() {
                    let slot = &mut root![node];
                    *slot = Some(7);
                    if changed > 0 {
                        root![0].take();
                    }
                }
            }
            changed
        }
    }

    #[test]
    fn they_are_no_copies() {
        let mut nodes = Nodes {
            roots: vec![Some(9), Some(2), Some(3), None],
            names: vec![String::new(); 4],
        };
        assert_eq!(nodes.visit(1, 3), 1);
        assert_eq!(nodes.roots, [Some(9), None, Some(2), Some(7)]);
        assert_eq!(nodes.names[2], "!?");
    }
}

/// A macro writes each mention of a variable that it was given with the same token.
macro_rules! halved {
    ($name:ident) => {
        agree! { functions_that_a_macro_writes: halved(Half(8)), twice(Half(3), true);
            fn halved<T: std::ops::Div<i32, Output = T> + std::ops::DivAssign<i32>>(mut $name: T) -> T {
                $name /= 2;
                $name / 2
            }
            #[graph_fn]
            fn twice<T: std::ops::Div<i32, Output = T>>($name: T, again: bool) -> T {
                let $name = $name / 1;
                if again { $name / 2 } else { $name }
            }
        }
    };
}
halved!(number);

/// A number that can't be cloned.
struct Half(i32);

impl std::ops::Div<i32> for Half {
    type Output = Half;
    fn div(self, by: i32) -> Half {
        Half(self.0 / by)
    }
}

impl std::ops::DivAssign<i32> for Half {
    fn div_assign(&mut self, by: i32) {
        self.0 /= by;
    }
}

impl crate::support::Shown for Half {
    fn shown(&self) -> String {
        self.0.to_string()
    }
}
