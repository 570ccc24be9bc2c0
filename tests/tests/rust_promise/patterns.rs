//! Patterns: everything that a `match`, an `if let` or a `for` can destructure in Rust.

agree! { ranges_guards_and_bindings: f(-3), f(0), f(3), f(4), f(5), f(9), f(12), f(100);
    fn f(n: i32) -> String {
        match n {
            i32::MIN..=-1 => String::from("negative"),
            0 => String::from("zero"),
            1..=3 => String::from("few"),
            4 | 5 => String::from("some"),
            n if n % 2 == 1 => format!("odd {n}"),
            n @ (10 | 12 | 14) => format!("picked {n}"),
            n @ 50.. => format!("large {n}"),
            other => format!("other {other}"),
        }
    }
}

agree! { nested_enums: f(0), f(1), f(2), f(3), f(4);
    fn f(which: i32) -> i32 {
        enum Shape {
            Empty,
            Circle(i32),
            Rect { w: i32, h: i32 },
            Pair(Box<Shape>, Option<Box<Shape>>),
        }
        fn make(which: i32) -> Shape {
            match which {
                0 => Shape::Empty,
                1 => Shape::Circle(4),
                2 => Shape::Rect { w: 2, h: 3 },
                3 => Shape::Pair(Box::new(make(1)), None),
                _ => Shape::Pair(Box::new(make(2)), Some(Box::new(make(3)))),
            }
        }
        fn area(shape: &Shape) -> i32 {
            match shape {
                Shape::Empty => 0,
                Shape::Circle(r) if *r > 3 => 3 * r * r,
                Shape::Circle(_) => 1,
                Shape::Rect { w, .. } if *w < 0 => 0,
                Shape::Rect { w, h: height } => w * height,
                Shape::Pair(a, Some(b)) => area(a) + area(b),
                Shape::Pair(a, None) => area(a),
            }
        }
        area(&make(which))
    }
}

agree! { slices: f(&[]), f(&[1]), f(&[1, 2]), f(&[5, 2, 3, 5]), f(&[1, 2, 3]);
    fn f(items: &[i32]) -> String {
        match items {
            [] => String::from("none"),
            [x] => format!("one {x}"),
            [a, b] if a < b => format!("up {a} {b}"),
            [first, middle @ .., last] if first == last => format!("ring of {}", middle.len()),
            [first, rest @ ..] => format!("{first} and {rest:?}"),
        }
    }
}

agree! { texts: f("go"), f("stop"), f("wait 5"), f("wait x"), f("");
    fn f(command: &str) -> i32 {
        match command {
            "go" | "run" => 1,
            "stop" => 0,
            text if text.starts_with("wait ") => match text[5..].parse::<i32>() {
                Ok(n) => n,
                Err(_) => -1,
            },
            _ => -2,
        }
    }
}

agree! { references_and_ref_mut: f(true), f(false);
    fn f(flag: bool) -> (String, Vec<i32>, i32) {
        let mut pair = (String::from("s"), vec![1]);
        let mut n = 5;
        match pair {
            (ref mut s, ref v) if v.len() == 1 => s.push('!'),
            (_, ref mut v) => v.push(0),
        }
        match &mut pair {
            (s, v) if flag => {
                s.push('?');
                v.push(2);
            }
            (_, v) => v.clear(),
        }
        match &mut n {
            x @ &mut (0..=9) => *x += 1,
            x => *x = 0,
        }
        let &mut ref m = &mut n;
        let m = *m;
        let &k = &m;
        (pair.0, pair.1, k)
    }
}

agree! { tuples_of_comparisons: f(1, 2), f(2, 1), f(3, 3), f(0, 0);
    fn f(a: i32, b: i32) -> i32 {
        match (a > 1, b > 1) {
            (true, true) => 11,
            (true, false) => 10,
            (false, x) => match a < b {
                true => x as i32,
                false => -1,
            },
        }
    }
}

agree! { constants_and_negative_literals: f(-1), f(7), f(i32::MAX), f(8);
    fn f(n: i32) -> &'static str {
        const LUCKY: i32 = 7;
        match n {
            -1 => "minus one",
            LUCKY => "lucky",
            i32::MAX => "max",
            _ => "none",
        }
    }
}

agree! { characters_bytes_and_floats: f('q', b'7', 1.5), f('Z', b'x', -0.0), f('?', b' ', 9.0);
    fn f(c: char, b: u8, x: f32) -> (i32, i32, i32) {
        let kind = match c {
            'a'..='z' => 1,
            'A'..='Z' => 2,
            _ => 3,
        };
        let digit = match b {
            b @ b'0'..=b'9' => (b - b'0') as i32,
            b' ' | b'\t' => -1,
            _ => -2,
        };
        let size = match x {
            0.0 => 0,
            x if x < 2.0 => 1,
            _ => 2,
        };
        (kind, digit, size)
    }
}

agree! { nested_alternatives: f(Some(Ok(1))), f(Some(Ok(5))), f(Some(Err(2))), f(Some(Err(9))), f(None);
    fn f(x: Option<Result<i32, i32>>) -> i32 {
        match x {
            Some(Ok(n @ (1 | 2)) | Err(n @ 2)) => n * 10,
            Some(Ok(n) | Err(n)) if n < 8 => n,
            Some(_) => -1,
            None => -2,
        }
    }
}

agree! { let_patterns_of_every_kind: f((1, [2, 3, 4]), Some(5));
    fn f((a, [b, rest @ ..]): (i32, [i32; 3]), opt: Option<i32>) -> Vec<i32> {
        struct Point {
            x: i32,
            y: (i32, i32),
        }
        let Point { x, y: (y0, _) } = Point { x: a + b, y: (b, a) };
        let (first, .., last) = (1, 2, 3, 4);
        let Some(o) = opt else { unreachable!() };
        let [p, q] = rest;
        vec![x, y0, first, last, o, p, q]
    }
}

agree! { destructuring_assignment: f(1, 2);
    fn f(a: i32, b: i32) -> Vec<i32> {
        struct Pair {
            l: i32,
            r: i32,
        }
        let (mut x, mut y, mut z);
        (x, y) = (a, b);
        (x, y) = (y, x);
        [z, _, x] = [x, y, y + 5];
        (_, (y, ..)) = (0, (y * 7, 1, 2));
        Pair { l: x, r: z } = Pair { l: z, r: x };
        vec![x, y, z]
    }
}

agree! { patterns_in_for_loops: f(vec![(1, "a"), (2, "b")]);
    fn f(items: Vec<(i32, &str)>) -> Vec<String> {
        let mut out = vec![];
        for (i, &(n, s)) in items.iter().enumerate() {
            out.push(format!("{i}{n}{s}"));
        }
        for (n, _) in items {
            if let 2.. = n {
                out.push(n.to_string());
            }
        }
        out
    }
}

agree! { else_if_lets: f(Ok(1)), f(Ok(50)), f(Err("x")), f(Err("long"));
    fn f(r: Result<i32, &str>) -> i32 {
        if let Ok(0..=9) = r {
            1
        } else if let Err(text) = r
            && text.len() > 1
        {
            2
        } else if let Ok(n) = r {
            n
        } else {
            3
        }
    }
}

agree! { matched_by_reference_in_a_loop: f();
    fn f() -> Vec<i32> {
        let items = vec![Some(1), None, Some(20)];
        let mut out = vec![];
        for item in &items {
            match item {
                Some(n) if *n > 10 => out.push(*n),
                &Some(n) => out.push(-n),
                None => {}
            }
        }
        out.push(items.len() as i32);
        out
    }
}

agree! { matches_as_operands_and_conditions: f(3), f(40);
    fn f(n: i32) -> i32 {
        let a = match n {
            0..10 => 1,
            _ => 2,
        } * match n % 2 {
            0 => 10,
            _ => 100,
        };
        if match n {
            3 => true,
            _ => n > 39 && a == 20,
        } {
            a + 1
        } else {
            a
        }
    }
}

agree! { box_and_vec_contents: f(2), f(0);
    fn f(n: usize) -> (usize, i32) {
        let boxed: Box<[i32]> = (0..n as i32).collect();
        let len = match boxed.len() {
            0 => 100,
            len => len,
        };
        match &*boxed {
            [a, b] => (len, a + b * 10),
            _ => (len, -1),
        }
    }
}

agree! { a_guard_with_lets_and_side_effects: f(1), f(2), f(3);
    fn f(n: i32) -> (i32, Vec<&'static str>) {
        let mut log = vec![];
        let mut note = |s, b| {
            log.push(s);
            b
        };
        let r = match n {
            1 if note("a", false) => 1,
            1 | 2 if note("b", n == 2) => 2,
            x if note("c", true) && x < 3 => 3,
            _ => 4,
        };
        (r, log)
    }
}

agree! { a_constant_in_a_pattern_and_in_its_arm: f(Some(3)), f(Some(0)), f(None), g(2), g(3);
    fn f(item: Option<i32>) -> (Option<String>, Option<i32>) {
        let mut text = Some("before".to_owned());
        for item in [item, None] {
            match item {
                Some(0) => return (None, None),
                Some(n) => text = Some(n.to_string()),
                None => text = None,
            }
        }
        if let None = item {
            text = None;
        }
        (text, None)
    }
    #[graph_fn]
    fn g(x: i32) -> (Vec<String>, String) {
        let name = x.to_string();
        let mut all = vec![];
        for name in ["a".to_owned(), name.clone()] {
            all.push(name);
        }
        match Some(name.clone()) {
            Some(name) if x > 2 => all.push(name),
            Some(name) => return (all, name),
            None => {}
        }
        if let Some(name) = all.pop() {
            all.push(name);
        }
        (all, name)
    }
}

agree! { parameters_by_mutable_reference: f(1, (2, 3), &mut 4);
    fn f(ref mut x: i32, (ref mut a, b): (i32, i32), &mut ref mut c: &mut i32) -> (i32, i32, i32) {
        *x += 1;
        if *x > 1 {
            *a += b;
        }
        *c += 1;
        (*x, *a, *c)
    }
}

/// A name in a pattern may be that of a variant. Such a pattern moves nothing, so the value may be behind a reference or used again.
mod variants_by_their_names {
    use graph_runtime::graph_fn;

    #[derive(Debug, PartialEq)]
    pub enum Token {
        Any,
        Rest,
        Char(char),
    }
    use Token::{Any, Char, Rest};

    #[graph_fn]
    pub fn matching(tokens: &[Token], text: &str, strict: bool) -> usize {
        let mut count = 0;
        for token in tokens {
            for c in text.chars() {
                match *token {
                    Rest if !strict => continue,
                    Any if strict && c == '.' => return count,
                    _ => (),
                }
                match *token {
                    Char(expected) if expected != c => {}
                    Any | Rest | Char(_) => count += 1,
                }
            }
        }
        count
    }

    #[graph_fn]
    pub fn kept(n: usize) -> (usize, Token) {
        let token = if n > 2 { Any } else { Char('x') };
        let number = match token {
            Any if n > 3 => n,
            Rest => 0,
            _ => 1,
        };
        (number, token)
    }

    #[test]
    fn they_are_no_variables() {
        let tokens = [Any, Rest, Char('b')];
        assert_eq!(matching(&tokens, "abc", false), 4);
        assert_eq!(matching(&tokens, "ab.c", true), 2);
        assert_eq!((kept(4), kept(3)), ((4, Any), (1, Any)));
        assert_eq!(kept(1), (1, Char('x')));
    }
}

agree! { numbers_in_patterns_tell_the_type: call("1"), call("7"), call("12"), call("x"), g("2.5"), g("-1");
    fn f(text: &str) -> Result<(&'static str, i32), std::num::ParseIntError> {
        let x = text.parse()?;
        let word = match x {
            0 => "none",
            1 | 2 => "few",
            n @ 3..=9 if n % 2 == 1 => "odd",
            _ => "many",
        };
        Ok((word, x * 2))
    }
    fn call(text: &str) -> String {
        format!("{:?}", f(text))
    }
    #[graph_fn]
    fn g(text: &str) -> (u8, f64) {
        let x = text.parse().unwrap();
        let sign = match x {
            ..0.0 => 1,
            0.0 => 2,
            _ => 3,
        };
        (sign, x)
    }
}
