//! Names, attributes and items: the user's names, and the items beside and inside a body, keep their meaning.

agree! { names_like_those_of_generated_code: f(3, 1), f(-3, 1);
    fn f(call: i32, result: i32) -> Vec<i32> {
        let if_stmt = call + result;
        let while_stmt = if if_stmt > 0 { 1 } else { 2 };
        let mut kind = 0;
        let body = |value: i32| value > kind_of(while_stmt);
        'if_stmt: loop {
            kind += 1;
            'while_stmt: for for_stmt in 0..5 {
                if for_stmt == 3 {
                    continue 'if_stmt;
                }
                if kind > 2 {
                    break 'if_stmt;
                }
                if for_stmt > kind {
                    break 'while_stmt;
                }
            }
            if kind > 10 {
                break;
            }
        }
        let (target, argument_0, function, call_function) = (1, 2, 3, 4);
        vec![call, result, if_stmt, while_stmt, kind, body(4) as i32, target, argument_0, function + call_function]
    }
    fn kind_of(x: i32) -> i32 {
        x
    }
}

agree! { functions_like_those_of_generated_code: f(3), f(5);
    fn f(n: i32) -> (bool, i32, i32) {
        fn cmp(a: &i32, b: &i32) -> bool {
            a > b
        }
        fn ld(x: &i32) -> i32 {
            if *x > 4 { *x } else { 0 }
        }
        fn lift(x: i32) -> i32 {
            x + 1
        }
        (cmp(&n, &4), ld(&n), lift(n))
    }
}

agree! { methods_like_those_of_generated_code: f(3), f(-3);
    fn f(n: i32) -> Vec<i32> {
        struct Own(i32);
        impl Own {
            fn lt(&self, other: i32) -> i32 {
                if self.0 < other { 1 } else { 0 }
            }
            fn bind(self, x: i32) -> Own {
                Own(self.0 + x)
            }
            fn get_item(&self, i: i32) -> i32 {
                self.0 * i
            }
            fn value(&self) -> i32 {
                self.0
            }
            fn returns(&self) -> i32 {
                -self.0
            }
        }
        let own = Own(n).bind(1);
        vec![own.lt(2), own.get_item(3), own.value(), own.returns(), n.max(1)]
    }
}

agree! { raw_and_foreign_identifiers: f(3);
    fn f(r#type: i32) -> i32 {
        let r#match = if r#type > 2 { 10 } else { 20 };
        let größe = r#match + r#type;
        let _unused_on_purpose = größe > 3;
        größe
    }
}

agree! { shadowed_names_of_the_prelude: f(3), f(-3);
    fn f(n: i32) -> (i32, i32) {
        #[derive(PartialEq)]
        enum Answer {
            Some,
            None,
        }
        use Answer::*;
        let answer = if n > 0 { Some } else { None };
        let mut vec = 0;
        while vec < 3 && answer == Some {
            vec += 1;
        }
        let drop = |x: i32| x * 2;
        (vec, drop(n))
    }
}

agree! { attributes_on_statements_and_expressions: f(3), f(-3);
    #[inline]
    #[must_use]
    #[allow(clippy::needless_return)]
    /// Documented.
    fn f(n: i32) -> i32 {
        #[allow(unused_variables)]
        let unused = n > 1;
        #[cfg(any())]
        let n = this_is_not_compiled(n > 1);
        #[cfg(all())]
        let n = n + 1;
        #[allow(unused_parens)]
        let m = (n * 2);
        let r = match n {
            #[cfg(any())]
            4 => not_compiled(),
            #[cfg(all())]
            4 => 40,
            _ => m,
        };
        #[rustfmt::skip]
        if r > 10 { return r };
        let v = [
            #[cfg(any())]
            1,
            2,
        ];
        r + v.len() as i32
    }
}

agree! { constants_computed_by_control_flow: f(3), f(9);
    fn f(n: usize) -> (usize, [u8; 3], bool) {
        const LEN: usize = if 2 > 1 { 3 } else { 4 };
        const LARGE: bool = LEN > 2 && LEN < 10;
        static TABLE: [usize; LEN] = [1; LEN];
        const fn square(x: usize) -> usize {
            let mut s = 0;
            let mut i = 0;
            while i < x {
                s += x;
                i += 1;
            }
            if s > 1000 { 0 } else { s }
        }
        enum Code {
            A = if LEN == 3 { 7 } else { 8 },
        }
        let zeros = [0u8; { if LEN > 2 { 3 } else { 1 } }];
        let from_block = const { square(4) };
        let sum = square(n) + TABLE[n.min(2)] + from_block + Code::A as usize;
        (sum, zeros, LARGE)
    }
}

agree! { const_arguments_with_comparisons: f(2);
    fn f(n: usize) -> (usize, &'static str) {
        fn named<const LARGE: bool>() -> &'static str {
            if LARGE { "large" } else { "small" }
        }
        fn sized<const N: usize>(x: usize) -> usize {
            if x < N { N } else { x }
        }
        (sized::<{ 1 + 2 }>(n), named::<{ 3 > 2 }>())
    }
}

agree! { a_module_inside_the_body: f(3), f(1);
    fn f(n: i32) -> bool {
        mod inner {
            pub fn above(x: i32) -> bool {
                if x > 2 { true } else { false }
            }
            pub struct Limit(pub i32);
            impl Limit {
                pub fn over(&self, x: i32) -> bool {
                    x > self.0 && above(x)
                }
            }
        }
        use inner::Limit;
        inner::above(n) && Limit(2).over(n)
    }
}

agree! { traits_and_impls_inside_the_body: f(3), f(7);
    fn f(n: i32) -> (i32, bool, bool) {
        trait Grow {
            fn by(&self) -> i32;
            fn grown(&self) -> i32 {
                if self.by() > 5 { self.by() * 2 } else { 5 }
            }
        }
        impl Grow for i32 {
            fn by(&self) -> i32 {
                let mut x = *self;
                while x < 6 {
                    x += 2;
                }
                x
            }
        }
        #[derive(PartialEq)]
        struct Reversed(i32);
        impl PartialOrd for Reversed {
            fn partial_cmp(&self, other: &Reversed) -> Option<std::cmp::Ordering> {
                if self.0 == other.0 { Some(std::cmp::Ordering::Equal) } else { other.0.partial_cmp(&self.0) }
            }
        }
        (n.grown(), Reversed(n) < Reversed(5), Reversed(n) >= Reversed(7))
    }
}

agree! { local_aliases_and_uses: f(3), f(0);
    fn f(n: i32) -> (f64, u8) {
        use std::cmp::Ordering::{self, *};
        use std::f64::consts as numbers;
        type Pair = (f64, u8);
        let order: Ordering = n.cmp(&2);
        let pair: Pair = match order {
            Less => (0.0, 1),
            Equal => (1.0, 2),
            Greater if n > 2 => (numbers::PI.floor(), 3),
            Greater => unreachable!(),
        };
        pair
    }
}

agree! { parameters_of_every_pattern: f(1, (2, 3), [4, 5, 6], 7, &8, Point { x: 9, y: 10 });
    fn f(mut a: i32, (b, mut c): (i32, i32), [d, rest @ ..]: [i32; 3], _: u8, &e: &i32, Point { x, .. }: Point) -> Vec<i32> {
        if a < b {
            a += 100;
            c *= 2;
        }
        let mut out = vec![a, b, c, d, e, x];
        for r in rest {
            if r > 5 {
                out.push(r);
            }
        }
        out
    }
    pub struct Point {
        x: i32,
        #[allow(dead_code)]
        y: i32,
    }
}

agree! { unsafe_blocks_and_raw_pointers: f(3), f(-3);
    fn f(n: i32) -> (i32, u32) {
        let mut x = n;
        let p = &raw mut x;
        // SAFETY: `p` points at a live local.
        unsafe {
            if *p > 0 {
                *p += 1;
            }
            while *p < 0 {
                *p += 2;
            }
        }
        union Bits {
            float: f32,
            int: u32,
        }
        let bits = Bits { float: 1.0 };
        // SAFETY: all bit patterns are valid for `u32`.
        let int = unsafe { bits.int };
        (x, if int > 1 { int } else { 0 })
    }
}

agree! { an_empty_match: f(Ok(3)), f(Ok(-3));
    fn f(r: Result<i32, Never>) -> i32 {
        let x = match r {
            Ok(x) => x,
            Err(never) => match never {},
        };
        if x > 0 { x } else { -x }
    }
    pub enum Never {}
}

agree! { what_is_never_reached: f(3), f(0);
    fn f(n: i32) -> i32 {
        let x: i32 = if n > 0 { n } else { panic!("not positive: {n}") };
        let Some(y) = x.checked_mul(2) else { unreachable!() };
        match y {
            6 => y,
            _ => loop {
                if y > 100 {
                    std::process::exit(1);
                }
                return -1;
            },
        }
    }
}

agree! { literals_of_every_kind: f();
    fn f() -> (usize, Vec<u8>, f64, String, bool) {
        let raw = r#"a "quoted" text"#;
        let bytes = b"by\x01";
        let c = c"zero";
        let number = 1e-3 + 2. + 0x1F as f64 + 1_000.5_f64;
        let text = concat!("a", 1, 2.5, true).to_string() + "\u{e9}\n\
            continued";
        let right = 'x' == '\x78' && b'\n' < 11 && 0b11 == 3u8 && 0o17 > 1i64;
        (raw.len() + c.count_bytes(), bytes.to_vec(), number, text, right)
    }
}

/// A glob import brings a type, a module and a macro with the name of a graph function. In expressions the name means the function; the
/// type and the module are imported by name where they are needed.
mod called_like_what_a_glob_brings {
    mod shapes {
        #![allow(non_camel_case_types, dead_code)]
        pub struct area {
            pub side: i32,
        }
        pub mod volume {
            pub fn cube(side: i32) -> i32 {
                side * side * side
            }
        }
        pub struct border;
        macro_rules! edge {
            ($side:expr) => {
                $side * 4
            };
        }
        pub(crate) use edge;
    }

    mod by_glob {
        use super::shapes::*;
        use graph_runtime::prelude::*;

        #[graph_fn]
        fn area(side: i32) -> i32 {
            side * side
        }
        #[graph_fn]
        fn border(side: i32) -> i32 {
            4 * side
        }
        #[graph_fn]
        fn edge(side: i32) -> i32 {
            edge!(side) / 4
        }
        pub fn all() -> (i32, i32, i32) {
            (area(3), border(3), edge(3))
        }
    }

    mod by_name {
        #[allow(unused_imports)]
        use super::shapes::*;
        use super::shapes::{area, volume};
        use graph_runtime::prelude::*;

        #[graph_fn]
        fn area(shape: area) -> i32 {
            shape.side * shape.side
        }
        #[graph_fn]
        fn volume(side: i32) -> i32 {
            volume::cube(side)
        }
        pub fn all() -> (i32, i32) {
            (area(area { side: 3 }), volume(2))
        }
    }

    #[test]
    fn they_go_side_by_side() {
        assert_eq!(by_glob::all(), (9, 12, 3));
        assert_eq!(by_name::all(), (9, 8));
    }
}

/// Items beside the functions, called like items of generated code used to be.
const FUNCTION: i32 = 5;

struct Closure(i32);

fn given(n: i32) -> i32 {
    n + 1
}

agree! { items_like_those_of_generated_code: call(1);
    fn adds(n: i32) -> impl Fn(&Closure) -> i32 {
        let n = given(n);
        move |x| x.0 + n
    }
    struct Number(i32);
    impl std::ops::Neg for Number {
        type Output = i32;
        #[graph_fn]
        fn neg(self) -> i32 {
            if self.0 > 0 { FUNCTION - self.0 } else { FUNCTION }
        }
    }
    fn call(n: i32) -> (i32, i32) {
        (adds(n)(&Closure(2)), -Number(n))
    }
}

/// A module that uses variants with the names of those of `Option` and `Result`.
mod replies {
    use std::option::Option as Maybe;

    #[derive(Clone, Copy, PartialEq, Debug)]
    pub enum Reply {
        Ok,
        Err,
        Some,
        None,
    }
    use Reply::*;

    impl crate::support::Shown for Reply {
        fn shown(&self) -> String {
            format!("{self:?}")
        }
    }

    agree! { variants_called_like_those_of_option_and_result: f(Ok, 5, "a"), f(Some, 1, "b"), f(None, -5, "c");
        fn f(reply: Reply, n: i32, name: &str) -> (Reply, String, i32) {
            let mut total = 0;
            for i in 0..n {
                if i == 2 {
                    continue;
                }
                total += i;
                if total > 10 {
                    break;
                }
            }
            let name = name.to_string();
            let kept = if n > 2 { name } else { String::new() };
            let reply = match reply {
                Ok if n > 3 => Err,
                Err => Some,
                Some => None,
                other => other,
            };
            let list = [Maybe::Some(1)];
            let first = list[0].unwrap();
            assert!(n > -9, "too small: {n}");
            assert!(n != -5);
            while let Maybe::Some(one) = list.first() {
                total += first + one.unwrap();
                if total > n {
                    break;
                }
            }
            if [1, 2].contains(&n) {
                return (reply, kept, total);
            }
            debug_assert!(total >= n);
            (reply, kept, -total)
        }
    }
}
