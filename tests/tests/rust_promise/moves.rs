//! Moves: a value used by value in some branches, in all, in none; moved and assigned again; moved in parts.

use std::cell::RefCell;
use std::ops::Add;

agree! { the_same_local_by_value_in_both_branches: f(true), f(false);
    fn f(reversed: bool) -> Vec<String> {
        let names = vec![String::from("a"), String::from("b")];
        if reversed { names.into_iter().rev().collect() } else { names }
    }
}

agree! { not_cloneable_and_moved_in_one_branch: f(true), f(false);
    fn f(redeems: bool) -> i32 {
        struct Ticket(i32);
        fn redeem(ticket: Ticket) -> i32 {
            ticket.0
        }
        let ticket = Ticket(7);
        let mut total = 1;
        if redeems {
            total += redeem(ticket);
        }
        total
    }
}

agree! { not_cloneable_and_moved_in_both_branches: f(true), f(false);
    fn f(left: bool) -> i32 {
        struct Ticket(i32);
        let ticket = Ticket(7);
        if left {
            let Ticket(n) = ticket;
            n
        } else {
            let moved = ticket;
            -moved.0
        }
    }
}

agree! { moved_and_initialized_again: f(true), f(false);
    fn f(renews: bool) -> (Vec<i32>, usize) {
        let mut v = vec![1, 2];
        let mut taken = 0;
        if renews {
            let old = v;
            taken = old.len();
            v = vec![9];
        }
        v.push(3);
        (v, taken)
    }
}

agree! { moved_in_the_loop_and_initialized_again: f(0), f(3);
    fn f(rounds: usize) -> Vec<Vec<usize>> {
        let mut current = Vec::new();
        let mut done = Vec::new();
        for i in 0..rounds {
            current.push(i);
            if i % 2 == 0 {
                done.push(current);
                current = vec![100];
            }
        }
        done.push(current);
        done
    }
}

agree! { one_field_moved_the_other_still_used: f(true), f(false);
    fn f(takes: bool) -> (String, usize) {
        struct Pair {
            name: String,
            numbers: Vec<i32>,
        }
        let pair = Pair { name: String::from("n"), numbers: vec![1, 2, 3] };
        if takes {
            let name = pair.name;
            (name, pair.numbers.len())
        } else {
            (format!("{}!", pair.name), pair.numbers.capacity().min(1))
        }
    }
}

agree! { a_moved_field_is_put_back_in_both_branches: f(true), f(false);
    fn f(long: bool) -> (String, String, i32) {
        struct Pair {
            name: String,
            number: i32,
        }
        let mut pair = Pair { name: String::from("first"), number: 4 };
        let first = pair.name;
        if long {
            pair.name = String::from("second");
            pair.number += 1;
        } else {
            pair.name = String::new();
        }
        let pair = pair;
        (first, pair.name, pair.number)
    }
}

agree! { a_guard_dropped_early_in_one_branch: f(true), f(false);
    fn f(early: bool) -> i32 {
        let cell = RefCell::new(1);
        let guard = cell.borrow_mut();
        if early {
            drop(guard);
            *cell.borrow_mut() += 10;
        } else {
            let mut guard = guard;
            *guard += 100;
        }
        let end = *cell.borrow();
        end
    }
}

agree! { moved_out_of_a_loop_by_break: f(0), f(3);
    fn f(n: i32) -> String {
        let s = String::from("s");
        let mut i = 0;
        loop {
            if i == n {
                break s + &i.to_string();
            }
            i += 1;
        }
    }
}

agree! { moved_out_of_a_loop_by_return: f(1), f(5);
    fn f(n: i32) -> String {
        let s = String::from("s");
        for i in 0..n {
            if i == 2 {
                return s;
            }
        }
        s + "!"
    }
}

agree! { taken_replaced_and_swapped_through_references: f(true), f(false);
    fn f(swaps: bool) -> (String, String, Option<i32>, Option<i32>) {
        let mut a = String::from("a");
        let mut b = String::from("b");
        let mut slot = Some(1);
        let taken = if swaps { slot.take() } else { slot.replace(2) };
        if swaps {
            std::mem::swap(&mut a, &mut b);
        } else {
            b = std::mem::take(&mut a);
        }
        (a, b, slot, taken)
    }
}

agree! { a_once_closure_called_in_one_branch: f(true), f(false);
    fn f(calls: bool) -> String {
        let s = String::from("owned");
        let consume = move || s;
        if calls { consume() } else { String::from("left") }
    }
}

agree! { a_guard_looks_at_what_the_arm_moves: f(vec![1, 2]), f(vec![1]), f(vec![]);
    fn f(v: Vec<i32>) -> Vec<i32> {
        match Some(v) {
            Some(v) if v.len() > 1 => v,
            Some(v) if v.is_empty() => vec![-1],
            other => other.unwrap_or_default().into_iter().map(|x| x * 10).collect(),
        }
    }
}

agree! { moved_out_of_a_box: f(true), f(false);
    fn f(unboxes: bool) -> (String, usize) {
        let boxed = Box::new((String::from("in the box"), 3));
        if unboxes {
            let (text, n) = *boxed;
            (text, n)
        } else {
            let n = boxed.0.len();
            (boxed.0, n)
        }
    }
}

agree! { strings_swapped_by_destructuring: f(1), f(2);
    fn f(times: usize) -> (String, String) {
        let (mut a, mut b) = (String::from("a"), String::from("b"));
        for _ in 0..times {
            (a, b) = (b, a);
        }
        (a, b)
    }
}

agree! { moved_into_the_early_return_of_a_let_else: f(Some(2)), f(None);
    fn f(n: Option<usize>) -> Vec<String> {
        let names = vec![String::from("x")];
        let Some(n) = n else { return names };
        names.into_iter().cycle().take(n).collect()
    }
}

agree! { pushed_to_in_both_branches: f(true), f(false);
    fn f(first: bool) -> Vec<String> {
        let mut v = Vec::new();
        if first {
            v.push(String::from("then"));
        } else {
            v.push(String::from("else"));
            v.push(String::from("more"));
        }
        v.push(String::from("end"));
        v
    }
}

agree! { a_string_operand_moves_into_its_sum: f("x"), f("");
    fn f(s: &str) -> String {
        let head = String::from("head ");
        let tail = String::from(s);
        if tail.is_empty() { head + "empty" } else { head + &tail }
    }
}

agree! { an_option_moved_in_a_chain_of_conditions: f(0), f(1), f(2), f(3);
    fn f(which: i32) -> String {
        let s = Some(String::from("s"));
        if which == 0 {
            s.unwrap()
        } else if which == 1 {
            s.map(|s| s.clone() + &s).unwrap_or_default()
        } else if which == 2 {
            drop(s);
            String::from("dropped")
        } else {
            s.into_iter().chain(None).collect()
        }
    }
}

agree! { moved_in_the_branch_that_leaves: f(&[3, 1]), f(&[1]);
    fn f(items: &[i32]) -> Vec<String> {
        let mut out = Vec::new();
        for item in items {
            let label = format!("item {item}");
            if *item > 2 {
                out.push(label);
                continue;
            }
            out.push(label.to_uppercase());
        }
        out
    }
}

agree! { a_parameter_moved_in_one_branch_only: f(vec![1], true), f(vec![2], false);
    fn f(v: Vec<i32>, keeps: bool) -> Vec<i32> {
        let mut kept = Vec::new();
        if keeps {
            kept.extend(v);
        } else {
            kept.push(-1);
        }
        kept
    }
}

agree! { an_owned_value_moves_through_nested_ifs: f(1), f(5), f(15);
    fn f(n: i32) -> Box<i32> {
        let b = Box::new(n);
        let c = if n > 3 {
            if n > 10 { Box::new(*b - 10) } else { b }
        } else {
            let mut b = b;
            *b += 100;
            b
        };
        c
    }
}

agree! { operands_that_cannot_be_cloned: f(1.5), f(-1.0);
    fn f(x: f64) -> f64 {
        #[derive(PartialEq, PartialOrd)]
        struct Meters(f64);
        impl Add for Meters {
            type Output = Meters;
            fn add(self, other: Meters) -> Meters {
                Meters(self.0 + other.0)
            }
        }
        let a = Meters(x);
        let b = Meters(2.0);
        if a > b || a == b {
            return 0.0;
        }
        let sum = a + b;
        if sum < Meters(3.0) { sum.0 } else { -sum.0 }
    }
}

agree! { initialized_once_in_a_loop: f(3), f(8);
    fn f(n: i32) -> (i32, String) {
        let found;
        let name;
        let mut i = 0;
        loop {
            if i * i > n {
                found = i;
                name = String::from("square");
                break;
            }
            i += 1;
        }
        (found, name)
    }
}

agree! { operators_of_types_that_cannot_be_cloned: f(1.5), f(-1.0);
    fn f(x: f64) -> (f64, f64, f64) {
        struct Meters(f64);
        impl Add for Meters {
            type Output = Meters;
            fn add(self, other: Meters) -> Meters {
                Meters(self.0 + other.0)
            }
        }
        impl<'a> Add<&'a Meters> for &'a Meters {
            type Output = Meters;
            fn add(self, other: &'a Meters) -> Meters {
                Meters(self.0 * 100.0 + other.0)
            }
        }
        impl std::ops::AddAssign for Meters {
            fn add_assign(&mut self, other: Meters) {
                self.0 += other.0;
            }
        }
        impl std::ops::Neg for Meters {
            type Output = Meters;
            fn neg(self) -> Meters {
                Meters(-self.0)
            }
        }
        let (a, b) = (Meters(1.0), Meters(x));
        let by_reference = &a + &b;
        let mut sum = -a;
        if x > 0.0 {
            sum += Meters(0.5);
        }
        let total = sum + b;
        let boxed = Box::new(Meters(7.0));
        let unboxed = *boxed;
        (by_reference.0, total.0, unboxed.0)
    }
}

agree! { mutable_references_by_value_more_than_once: f(3);
    fn f(n: i32) -> (Vec<i32>, i32) {
        fn push(v: &mut Vec<i32>, n: i32) -> &mut Vec<i32> {
            v.push(n);
            v
        }
        fn both(v: &mut Vec<i32>) {
            push(v, 1);
            push(v, 2).push(3);
        }
        let mut v = Vec::new();
        let r = &mut v;
        both(r);
        push(r, n);
        for x in [&mut 4, &mut 5] {
            add(x);
            add(x);
            push(r, *x);
        }
        let len = r.len() as i32;
        (v, len)
    }
    fn add(x: &mut i32) {
        *x += 1;
    }
}

agree! { copies_of_copy_types_are_taken_once_each: f(2);
    fn f(n: i32) -> Vec<i32> {
        #[derive(Clone, Copy)]
        struct Meters(i32);
        fn take(m: Meters) -> i32 {
            m.0
        }
        let m = Meters(n);
        let text = "ab";
        let boxed: Box<dyn Fn(Meters) -> i32> = Box::new(take);
        let mut all = vec![take(m), take(m), boxed(m), text.len() as i32];
        for _ in 0..2 {
            all.push(take(m));
        }
        let unused: &dyn Fn(Meters) -> i32 = &*boxed;
        all.push(unused(m) + unused(m));
        all
    }
}

agree! { taken_for_the_last_time_by_a_guard: f(Some(1), 'x', "ab"), f(Some(2), 'y', "ab"), f(Some(3), 'x', "ab"), f(None, 'y', "");
    fn f(n: Option<i32>, c: char, text: &str) -> usize {
        let owned = String::from(text);
        let mut changed = 0;
        match n {
            Some(1) if is_marked(c) => changed += 1,
            Some(2) => match c {
                _ if is_long(owned) => changed += 20,
                _ => changed += 200,
            },
            Some(_) if is_marked(c) => {
                changed += 3;
            }
            _ => {}
        }
        changed
    }
    fn is_marked(c: char) -> bool {
        c == 'x'
    }
    fn is_long(text: String) -> bool {
        text.len() > 1
    }
}

agree! { closures_that_take_what_is_used_elsewhere: f(3), f(0);
    fn f(k: usize) -> (usize, usize, Vec<Vec<i32>>) {
        let list = vec![1, 2, 3];
        let (n, m) = (list.len(), list.len() * 2);
        let doubled = m + n;
        let text = String::from("b") + "c";
        let sum: usize = std::thread::scope(|scope| {
            let mut all = Vec::new();
            for _ in 0..k {
                all.push(scope.spawn(|| times(doubled, k)));
            }
            all.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        let mut lists = vec![list.clone(), Vec::new()];
        let last = lists.last_mut().unwrap();
        let mut add = |value: i32| push(last, value);
        add(7);
        add(8);
        last.push(9);
        let mut i = 0;
        let length = loop {
            if i == k {
                let length = || length(text);
                break length();
            }
            i += 1;
        };
        let either = pick(k > 0, || doubled, || times(doubled, 2));
        (sum + either, length + doubled, lists)
    }
    fn times(n: usize, m: usize) -> usize {
        n * m
    }
    fn push(list: &mut Vec<i32>, value: i32) {
        list.push(value);
    }
    fn length(text: String) -> usize {
        text.len()
    }
    fn pick<A: FnOnce() -> usize, B: FnOnce() -> usize>(first: bool, a: A, b: B) -> usize {
        if first { a() } else { b() }
    }
}
