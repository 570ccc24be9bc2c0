//! Everyday programs in one function: parsers, searches, text, maps. Several forms meet in each.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::rc::Rc;

agree! { an_operator_precedence_parser: f("1 + 2 * (3 - 4) / 2"), f("(1"), f("2 ^ 3"), f("");
    fn f(text: &str) -> Result<i64, String> {
        #[derive(Debug, Clone, Copy, PartialEq)]
        enum Tok {
            Num(i64),
            Op(char),
            Open,
            Close,
        }
        let mut toks = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(&c) = chars.peek() {
            match c {
                ' ' => {
                    chars.next();
                }
                '0'..='9' => {
                    let mut v = 0i64;
                    while let Some(d) = chars.peek().and_then(|c| c.to_digit(10)) {
                        v = v * 10 + i64::from(d);
                        chars.next();
                    }
                    toks.push(Tok::Num(v));
                }
                '+' | '-' | '*' | '/' => {
                    toks.push(Tok::Op(c));
                    chars.next();
                }
                '(' => {
                    toks.push(Tok::Open);
                    chars.next();
                }
                ')' => {
                    toks.push(Tok::Close);
                    chars.next();
                }
                other => return Err(format!("bad char {other:?}")),
            }
        }
        let prec = |op: char| if op == '+' || op == '-' { 1 } else { 2 };
        let (mut out, mut ops): (Vec<i64>, Vec<Tok>) = (vec![], vec![]);
        fn apply(out: &mut Vec<i64>, op: char) -> Result<(), String> {
            let (Some(b), Some(a)) = (out.pop(), out.pop()) else {
                return Err("stack".into());
            };
            out.push(match op {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                '/' if b == 0 => return Err("zero".to_string()),
                '/' => a / b,
                _ => unreachable!(),
            });
            Ok(())
        }
        for tok in toks {
            match tok {
                Tok::Num(n) => out.push(n),
                Tok::Op(op) => {
                    while let Some(Tok::Op(top)) = ops.last().copied() {
                        if prec(top) < prec(op) {
                            break;
                        }
                        ops.pop();
                        apply(&mut out, top)?;
                    }
                    ops.push(tok);
                }
                Tok::Open => ops.push(tok),
                Tok::Close => loop {
                    match ops.pop() {
                        Some(Tok::Open) => break,
                        Some(Tok::Op(op)) => apply(&mut out, op)?,
                        Some(_) | None => return Err("paren".into()),
                    }
                },
            }
        }
        while let Some(t) = ops.pop() {
            let Tok::Op(op) = t else { return Err("open".into()) };
            apply(&mut out, op)?;
        }
        out.pop().ok_or_else(|| String::from("empty"))
    }
}

agree! { a_tree_of_shared_nodes: f(5), f(0);
    fn f(n: u32) -> (u32, usize, Vec<u32>) {
        #[derive(Default)]
        struct Node {
            value: u32,
            kids: Vec<Rc<RefCell<Node>>>,
        }
        let root = Rc::new(RefCell::new(Node::default()));
        let mut at = Rc::clone(&root);
        for i in (1..=n).rev() {
            let kid = Rc::new(RefCell::new(Node {
                value: i,
                ..Default::default()
            }));
            at.borrow_mut().kids.push(Rc::clone(&kid));
            if i % 2 == 0 {
                at = kid;
            }
        }
        fn sum(node: &Rc<RefCell<Node>>, seen: &mut Vec<u32>) -> u32 {
            let node = node.borrow();
            seen.push(node.value);
            let mut total = node.value;
            for kid in &node.kids {
                total += sum(kid, seen);
            }
            total
        }
        let mut seen = vec![];
        let total = sum(&root, &mut seen);
        (total, Rc::strong_count(&root), seen)
    }
}

agree! { macros_of_the_body_that_change_a_variable: f(3), f(-3);
    fn f(n: i32) -> (i32, Vec<i32>, i32) {
        macro_rules! max {
                ($a:expr) => { $a };
                ($a:expr, $($rest:expr),+) => {{ let a = $a; let b = max!($($rest),+); if a > b { a } else { b } }};
            }
        macro_rules! squares { ($($e:expr),* $(,)?) => { vec![$($e * $e),*] }; }
        let mut count = 0;
        macro_rules! bump {
            () => {
                count += 1;
            };
            ($by:expr) => {
                count += $by;
            };
        }
        bump!();
        if n > 0 {
            bump!(n);
        } else {
            bump!();
            bump!(2 * n);
        }
        (max!(n, 2, n * n), squares![1, n, n + 1,], count)
    }
}

agree! { question_marks_in_a_loop_that_box_an_error: f("1,2,x").map_err(|e| e.to_string()), f("1,2,3").map_err(|e| e.to_string()), f("200").map_err(|e| e.to_string());
    fn f(text: &str) -> Result<u8, Box<dyn std::error::Error>> {
        #[derive(Debug)]
        enum MyErr {
            Parse(std::num::ParseIntError),
            Big(i32),
        }
        impl std::fmt::Display for MyErr {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    MyErr::Parse(e) => write!(f, "parse: {e}"),
                    Self::Big(n) => write!(f, "big: {n}"),
                }
            }
        }
        impl std::error::Error for MyErr {}
        impl From<std::num::ParseIntError> for MyErr {
            fn from(e: std::num::ParseIntError) -> Self {
                MyErr::Parse(e)
            }
        }
        fn one(s: &str) -> Result<i32, MyErr> {
            let n: i32 = s.trim().parse()?;
            if n > 100 {
                Err(MyErr::Big(n))?
            }
            Ok(n)
        }
        let mut total = 0;
        for part in text.split(',') {
            total += one(part)?;
        }
        Ok(u8::try_from(total)?)
    }
}

agree! { a_state_taken_out_and_put_back: f("aab"), f("c");
    fn f(input: &str) -> String {
        enum State {
            Start,
            Run { ch: char, len: usize, out: String },
            Failed(String),
        }
        let mut st = State::Start;
        for c in input.chars() {
            st = match std::mem::replace(&mut st, State::Start) {
                State::Start if c.is_ascii_uppercase() => State::Failed("upper".into()),
                State::Start => State::Run {
                    ch: c,
                    len: 1,
                    out: String::new(),
                },
                State::Run { ch, len, out } if ch == c => State::Run {
                    ch,
                    len: len + 1,
                    out,
                },
                State::Run { ch, len, mut out } => {
                    out.push_str(&format!("{ch}{len}"));
                    State::Run { ch: c, len: 1, out }
                }
                f @ State::Failed(_) => f,
            };
        }
        match st {
            State::Run { ch, len, out } => out + &format!("{ch}{len}"),
            State::Failed(why) => why,
            State::Start => String::from("-"),
        }
    }
}

agree! { a_breadth_first_search: f(&["..#", ".#.", "..."], (0, 0), (2, 2)), f(&[".#."], (0, 0), (2, 0));
    fn f(grid: &[&str], start: (usize, usize), goal: (usize, usize)) -> Option<usize> {
        let grid: Vec<Vec<char>> = grid.iter().map(|r| r.chars().collect()).collect();
        let mut seen = HashSet::new();
        let mut q = VecDeque::from(vec![(start, 0)]);
        while let Some(((x, y), d)) = q.pop_front() {
            if (x, y) == goal {
                return Some(d);
            }
            if !seen.insert((x, y)) {
                continue;
            }
            for (dx, dy) in [(0i32, 1i32), (1, 0), (0, -1), (-1, 0)] {
                let (nx, ny) = (x as i32 + dx, y as i32 + dy);
                if nx < 0 || ny < 0 {
                    continue;
                }
                let (nx, ny) = (nx as usize, ny as usize);
                match grid.get(ny).and_then(|row| row.get(nx)) {
                    Some('.') if !seen.contains(&(nx, ny)) => q.push_back(((nx, ny), d + 1)),
                    _ => (),
                }
            }
        }
        None
    }
}

agree! { a_grid_changed_row_by_row: f(4, 3);
    fn f(w: usize, h: usize) -> (Vec<Vec<u32>>, u32) {
        let mut g = vec![vec![1u32; w]; h];
        for y in 1..h {
            for x in 1..w {
                g[y][x] = g[y - 1][x] + g[y][x - 1];
                if g[y][x] % 2 == 0 {
                    let row = &mut g[y];
                    row[x] += 1;
                }
            }
        }
        let (top, bottom) = g.split_at_mut(1);
        std::mem::swap(&mut top[0][0], &mut bottom[0][1]);
        let t = g[0][1];
        g[0][1] = g[2][2];
        g[2][2] = t;
        for (i, x) in g[1].iter_mut().enumerate().skip(1).rev() {
            *x += i as u32;
            if *x > 5 {
                *x = 0;
            }
        }
        let total = g.iter().flatten().sum();
        (g, total)
    }
}

agree! { a_linked_list_reversed_in_place: f(&[1, 2, 3]), f(&[]);
    fn f(v: &[i32]) -> Vec<i32> {
        struct Node {
            v: i32,
            next: Option<Box<Node>>,
        }
        let mut head = None;
        for &v in v {
            head = Some(Box::new(Node { v, next: head }));
        }
        let mut tail = &mut head;
        while let Some(node) = tail {
            tail = &mut node.next;
        }
        *tail = Some(Box::new(Node { v: 99, next: None }));
        let (mut prev, mut cur) = (None, head);
        while let Some(mut node) = cur {
            cur = node.next.take();
            node.next = prev;
            prev = Some(node);
        }
        let mut out = vec![];
        let mut at = &prev;
        while let Some(n) = at {
            out.push(n.v);
            at = &n.next;
        }
        out
    }
}

agree! { fields_checked_by_let_else_and_a_labelled_block: f("name=rust;age=15"), f("age=x"), f("name=;age=1"), f("name=a");
    fn f(text: &str) -> Result<(String, u8), &'static str> {
        let mut fields = BTreeMap::new();
        let mut errors = 0;
        let mut put = |pair: &str| {
            let Some((k, v)) = pair.split_once('=') else {
                errors += 1;
                return;
            };
            fields.insert(k.to_owned(), v.to_owned());
        };
        text.split(';').for_each(&mut put);
        put("extra=1");
        let age = 'age: {
            let Some(a) = fields.get("age") else {
                break 'age None;
            };
            if a.is_empty() {
                break 'age None;
            }
            a.parse::<u8>().ok()
        };
        let Some(name) = fields.remove("name").filter(|n| !n.is_empty()) else {
            return Err("name");
        };
        match age {
            Some(age @ 1..=17) => Ok((name, age)),
            Some(_) => Err("old"),
            None if errors > 0 => Err("format"),
            None => Err("age"),
        }
    }
}

agree! { a_text_copied_only_if_it_changes: f("a<b").into_owned(), f("plain").into_owned(), f("<&>").into_owned();
    fn f(s: &str) -> std::borrow::Cow<'_, str> {
        use std::borrow::Cow;
        let Some(first) = s.find(['<', '>', '&']) else {
            return Cow::Borrowed(s);
        };
        let mut out = String::with_capacity(s.len() * 2);
        out += &s[..first];
        for c in s[first..].chars() {
            match c {
                '<' => out += "&lt;",
                '>' => out += "&gt;",
                '&' => out.push_str("&amp;"),
                c => out.push(c),
            }
        }
        out.into()
    }
}

agree! { a_name_shadowed_in_each_form: f(Some(3)), f(None);
    fn f(x: Option<i32>) -> Option<i32> {
        let x = x?;
        let x = {
            let x = x + 1;
            if x > 3 {
                let x = x * 2;
                x
            } else {
                x
            }
        };
        let x = match x {
            x if x > 5 => {
                let x = x - 1;
                x
            }
            x => x,
        };
        for x in [x, x + 1] {
            let x = x * 2;
            if x > 100 {
                return Some(x);
            }
        }
        let x = (|x: i32| {
            let x = x + 1;
            x
        })(x);
        let x = 'x: {
            if x == 8 {
                break 'x x + 1;
            }
            x
        };
        Some(x)
    }
}

agree! { a_map_by_its_entries: f("hello");
    fn f(s: &str) -> (Vec<(char, Vec<usize>)>, Vec<(char, usize)>) {
        let mut at: BTreeMap<char, Vec<usize>> = BTreeMap::new();
        for (i, c) in s.char_indices() {
            if let Some(v) = at.get_mut(&c) {
                v.push(i);
            } else {
                at.insert(c, vec![i]);
            }
        }
        let mut counts: Vec<_> = at.iter().map(|(c, v)| (*c, v.len())).collect();
        counts.sort_by_key(|&(c, n)| (std::cmp::Reverse(n), c));
        *at.get_mut(&'h').unwrap() = vec![at[&'l'].len()];
        at.entry('z').and_modify(|v| v.push(0)).or_insert_with(|| vec![9]);
        at.retain(|_, v| v.len() < 2 || v[0] > 1);
        (at.into_iter().collect(), counts)
    }
}

agree! { comparisons_of_every_shape: f(1, 2, "a");
    fn f(a: i32, b: i32, s: &str) -> Vec<bool> {
        let owned = s.to_string();
        vec![
            !(a < b),
            (a < b) == (b > a),
            owned == s,
            *s == owned,
            s == "a" && owned != *"b",
            a as f64 <= 1.0,
            -a < -b,
            !a != b,
            (a, s) < (b, "0"),
            [a, b] == [1, 2],
            Some(a) > None,
            "a" < s,
            Box::new(a) == Box::new(1),
            &&a == &&1,
            a.eq(&b),
            ('a'..='c') == ('a'..='c'),
        ]
    }
}
