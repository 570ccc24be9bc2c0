//! Jumps: `return`, `break`, `continue`, `?` and `else` of `let`, out of any depth, with and without labels and values.

agree! { returned_early_from_nested_loops: f(3), f(50);
    fn f(limit: i32) -> (i32, i32) {
        for i in 0..10 {
            for j in 0..10 {
                if i * j > limit {
                    return (i, j);
                }
            }
        }
        (-1, -1)
    }
}

agree! { breaks_and_continues_to_labels: f(7), f(0), f(3);
    fn f(n: i32) -> Vec<(i32, i32)> {
        let mut seen = vec![];
        'rows: for i in 0..n {
            let mut j = 0;
            'cells: while j < n {
                j += 1;
                if j == 2 {
                    continue 'cells;
                }
                if i == 1 && j == 3 {
                    continue 'rows;
                }
                if i * j > 10 {
                    break 'rows;
                }
                if j > i + 3 {
                    break 'cells;
                }
                seen.push((i, j));
            }
            seen.push((i, -1));
        }
        seen
    }
}

agree! { a_loop_with_a_value: f(10), f(1000);
    fn f(limit: i32) -> i32 {
        let mut n = 1;
        let found = loop {
            n *= 3;
            if n > limit {
                break n;
            }
            if n % 7 == 6 {
                break -n;
            }
        };
        found + 1
    }
}

agree! { a_value_broken_out_of_an_inner_loop: f(5), f(40);
    fn f(limit: i32) -> i32 {
        let mut a = 0;
        'outer: loop {
            a += 1;
            let b = loop {
                if a * a > limit {
                    break 'outer a;
                }
                if a % 2 == 1 {
                    break 1;
                }
                break 2;
            };
            a += b;
        }
    }
}

agree! { a_labelled_block: f(1), f(5), f(50);
    fn f(n: i32) -> &'static str {
        let size = 'size: {
            if n < 3 {
                break 'size "small";
            }
            for i in 0..n {
                if i > 20 {
                    break 'size "huge";
                }
            }
            "medium"
        };
        size
    }
}

agree! { a_labelled_block_inside_a_loop: f(7);
    fn f(n: i32) -> i32 {
        let mut total = 0;
        'turns: for i in 0..n {
            let r = 'a: {
                if i > 3 {
                    break 'a 100;
                }
                if i == 2 {
                    continue 'turns;
                }
                1
            };
            total += r;
        }
        total
    }
}

agree! { question_marks_on_options: f(&["1", "2"]), f(&["1", "x"]), f(&[]);
    fn f(texts: &[&str]) -> Option<i32> {
        let first: i32 = texts.first()?.parse().ok()?;
        let mut sum = first;
        for text in &texts[1..] {
            let n = text.parse::<i32>().ok()?;
            if n > 1 {
                sum += n * Some(10).filter(|t| *t > 5)?;
            }
        }
        Some(sum)
    }
}

agree! { question_marks_on_results: f("3,4"), f("3,x"), f("3"), f("9,9");
    fn f(text: &str) -> Result<i32, String> {
        let (a, b) = text.split_once(',').ok_or("no comma")?;
        let a: i32 = a.parse().map_err(|_| format!("bad left {a}"))?;
        let b = match b.parse::<i32>() {
            Ok(b) => b,
            Err(e) => return Err(e.to_string()),
        };
        if a > 5 {
            Err(String::from("too big"))?;
        }
        Ok(a * b)
    }
}

agree! { question_marks_convert_errors: f("12"), f("-1"), f("zz");
    fn f(text: &str) -> Result<u32, Failure> {
        let n: i32 = text.parse()?;
        if n < 0 {
            return Err(Failure(String::from("negative")));
        }
        Ok(u32::try_from(n)?)
    }
    #[derive(Debug)]
    pub struct Failure(String);
    impl<E: std::error::Error> From<E> for Failure {
        fn from(error: E) -> Failure {
            Failure(error.to_string())
        }
    }
    impl crate::support::Shown for Failure {
        fn shown(&self) -> String {
            self.0.clone()
        }
    }
}

agree! { while_let_over_a_stack: f(vec![1, 2, 3]), f(vec![]);
    fn f(mut stack: Vec<i32>) -> Vec<i32> {
        let mut out = vec![];
        while let Some(top) = stack.pop() {
            if top == 2 {
                stack.push(10);
                stack.push(20);
                continue;
            }
            out.push(top);
            if top > 15 && out.len() > 3 {
                break;
            }
        }
        out
    }
}

agree! { while_let_with_a_borrowed_temporary: f("a1b22");
    fn f(text: &str) -> (String, i32) {
        let mut chars = text.chars().peekable();
        let mut letters = String::new();
        let mut sum = 0;
        while let Some(c) = chars.peek().copied() {
            if c.is_alphabetic() {
                letters.push(c);
                chars.next();
                continue;
            }
            let mut n = 0;
            while let Some(d) = chars.peek().and_then(|c| c.to_digit(10)) && n < 100 {
                n = n * 10 + d as i32;
                chars.next();
            }
            sum += n;
        }
        (letters, sum)
    }
}

agree! { a_closure_returns_for_itself: f(&[1, 5, 9]);
    fn f(items: &[i32]) -> Vec<i32> {
        let grade = |x: &i32| {
            if *x > 8 {
                return 3;
            }
            for limit in [2, 6] {
                if *x < limit {
                    return limit;
                }
            }
            0
        };
        items.iter().map(grade).collect()
    }
}

agree! { a_break_out_of_a_match_in_a_loop: f("ab;c");
    fn f(text: &str) -> (usize, String) {
        let mut out = String::new();
        let mut n = 0;
        loop {
            match text.chars().nth(n) {
                None | Some(';') => break,
                Some(c @ ('a' | 'e')) => out.push(c.to_ascii_uppercase()),
                Some(c) => out.push(c),
            }
            n += 1;
        }
        (n, out)
    }
}

agree! { returned_from_every_branch: f(1), f(-1);
    fn f(n: i32) -> i32 {
        if n > 0 {
            return 10;
        } else {
            return 20;
        }
    }
}

agree! { returned_in_the_middle_of_an_expression: f(Some(1)), f(None);
    fn f(n: Option<i32>) -> i32 {
        let sum = 1 + match n {
            Some(n) => n,
            None => return -1,
        } + 10;
        sum * 2
    }
}

agree! { a_unit_function_that_returns: call(3), call(-3);
    fn f(n: i32, log: &mut Vec<i32>) {
        if n < 0 {
            log.push(0);
            return;
        }
        log.push(n);
    }
    fn call(n: i32) -> Vec<i32> {
        let mut log = vec![];
        f(n, &mut log);
        log
    }
}

agree! { an_empty_body_and_empty_branches: f(1), f(2);
    fn f(n: i32) -> i32 {
        if n > 1 {
        } else {
        }
        while n > 5 {}
        for _ in 0..n {}
        {}
        n
    }
}

agree! { loops_that_never_run: f(0);
    fn f(n: i32) -> (i32, Option<i32>) {
        let mut last = None;
        let mut count = 0;
        for i in (0..n).rev() {
            last = Some(i);
        }
        while count > n {
            count -= 1;
        }
        for i in 5..2 {
            last = Some(i);
        }
        (count, last)
    }
}

agree! { ranges_of_every_kind: f(5);
    fn f(n: usize) -> Vec<usize> {
        let mut out = vec![];
        for i in 0..=n {
            out.push(i);
        }
        for i in (1..n).step_by(2) {
            out.push(i * 10);
        }
        for i in (0..=n).rev().skip(1).step_by(3) {
            out.push(i * 100);
        }
        for c in 'a'..='c' {
            out.push(c as usize);
        }
        for i in n.. {
            if i > 7 {
                break;
            }
            out.push(i * 1000);
        }
        let range = 1..3;
        out.extend(range.clone());
        for i in range {
            out.push(i);
        }
        out
    }
}

agree! { chains_of_lets_in_conditions: f(Some(3), "4"), f(Some(3), "x"), f(None, "1"), f(Some(9), "9");
    fn f(a: Option<i32>, b: &str) -> i32 {
        if let Some(a) = a && let Ok(b) = b.parse::<i32>() && a < 5 && b > a {
            a * b
        } else if let Some(a) = a && a > 5 {
            -a
        } else {
            0
        }
    }
}

agree! { let_else_that_returns_breaks_or_continues: f(&[Some(1), None, Some(5), Some(100), Some(7)]);
    fn f(items: &[Option<i32>]) -> Vec<i32> {
        let mut out = vec![];
        for item in items {
            let Some(n) = *item else {
                out.push(-1);
                continue;
            };
            let (true, m) = (n < 50, n + 1) else { break };
            out.push(m);
        }
        let [first, .., last] = out[..] else { return vec![] };
        out.push(first * last);
        out
    }
}

agree! { question_marks_inside_conditions_and_operands: f("3"), f("30"), f("x"), f("-1");
    fn f(text: &str) -> Option<i32> {
        if text.parse::<i32>().ok()? > 5 && text.parse::<i64>().ok()? != 7 {
            return Some(text.parse::<i32>().ok()? * 2);
        }
        let n = text.parse::<i32>().ok()? + u8::try_from(text.len()).ok()? as i32;
        if n < i32::try_from(text.parse::<u32>().ok()?).ok()? {
            return None;
        }
        Some(if u32::try_from(n).ok()? > 1 { n } else { text.chars().next()?.to_digit(10)? as i32 })
    }
}

agree! { try_in_closures_and_nested_functions: f(&["1", "x", "3"]);
    fn f(texts: &[&str]) -> (Vec<Option<i32>>, Result<i32, String>) {
        let half = |t: &str| -> Option<i32> {
            let n: i32 = t.parse().ok()?;
            if n > 2 { Some(n / 2) } else { None? }
        };
        fn sum(texts: &[&str]) -> Result<i32, String> {
            let mut s = 0;
            for t in texts {
                s += t.parse::<i32>().map_err(|e| format!("{t}: {e}"))?;
            }
            Ok(s)
        }
        (texts.iter().map(|t| half(t)).collect(), sum(texts))
    }
}

agree! { iterators_left_and_continued: f(&[1, 5, 2, 9, 3]);
    fn f(items: &[i32]) -> (i32, i32, Option<i32>) {
        let mut it = items.iter();
        let mut first = 0;
        for x in it.by_ref() {
            first += x;
            if *x > 4 {
                break;
            }
        }
        let mut second = 0;
        while let Some(x) = it.next() {
            if *x < 3 {
                continue;
            }
            second = second * 10 + x;
        }
        (first, second, it.next().copied())
    }
}

agree! { threads_and_channels: f(3);
    fn f(n: i32) -> (i32, Vec<i32>) {
        let (sender, receiver) = std::sync::mpsc::channel();
        let mut squares = vec![0; n as usize];
        std::thread::scope(|scope| {
            for (i, slot) in squares.iter_mut().enumerate() {
                let sender = sender.clone();
                scope.spawn(move || {
                    let i = i as i32;
                    *slot = if i > 1 { i * i } else { -i };
                    if i != 1 {
                        sender.send(i).unwrap();
                    }
                });
            }
        });
        drop(sender);
        let mut sum = 0;
        while let Ok(i) = receiver.recv() {
            sum += i;
        }
        (sum, squares)
    }
}

agree! { arms_that_leave_among_arms_that_do_not: f(4), f(13);
    fn f(n: i32) -> Vec<i32> {
        let mut out = vec![];
        for i in 0.. {
            let x = if i > n {
                break;
            } else if i % 3 == 0 {
                continue;
            } else {
                i
            };
            let y = match x {
                1 => 100,
                8 => return vec![-8],
                x if x % 2 == 0 => continue,
                x => x * 2,
            };
            out.push(y);
        }
        out
    }
}

agree! { jumps_inside_conditions: f(3), f(30);
    fn f(n: i32) -> Vec<i32> {
        let mut out = vec![];
        let mut i = 0;
        while i < n {
            i += 1;
            if (if i == 2 { continue } else if i > 8 { break } else { i }) > 4 {
                out.push(i);
            }
        }
        if loop { break n > 5 } {
            out.push(100);
        }
        let x = loop {
            break if n > 5 { 1 } else { 2 };
        };
        if { if x == 1 { return out; } false } {
            out.push(200);
        }
        out.push(if (match n { 3 => true, _ => return vec![] }) && x == 2 { 7 } else { 8 });
        out
    }
}

agree! { a_panic_on_the_right_of_an_and: f(1, true), f(4, true), f(4, false), f(-1, true);
    fn f(n: i32, fails: bool) -> i32 {
        if n > 0 {
            let large = n > 3 && {
                if fails {
                    panic!("{n} fails");
                }
                true
            };
            if large { 1 } else { 2 }
        } else {
            3
        }
    }
}
