//! Borrows: references that live across a branch or a loop, that are chosen by a branch, passed on or returned.

use std::borrow::Cow;
use std::collections::HashMap;

agree! { a_shared_borrow_alive_across_an_if_that_reads: f(1), f(4);
    fn f(n: usize) -> (usize, i32) {
        let v = vec![1, 2, 3];
        let borrowed = &v;
        let mut sum = 0;
        if n < v.len() {
            sum += v[n] + borrowed[0];
        }
        (borrowed.len(), sum)
    }
}

agree! { changed_after_the_last_use_of_a_borrow: f(true), f(false);
    fn f(pushes: bool) -> (i32, Vec<i32>) {
        let mut v = vec![1, 2, 3];
        let last = v.last();
        let seen = if let Some(x) = last { *x } else { 0 };
        if pushes {
            v.push(seen);
        }
        (seen, v)
    }
}

agree! { a_mutable_parameter_passed_on_again_and_again: call(1), call(2);
    fn f(n: i32, out: &mut Vec<i32>) {
        add(out, n);
        if n > 1 {
            add(out, n * 2);
            add(&mut *out, n * 3);
        } else {
            out.push(-1);
        }
        add(out, 0);
    }
    fn add(out: &mut Vec<i32>, x: i32) {
        out.push(x);
    }
    fn call(n: i32) -> Vec<i32> {
        let mut out = vec![100];
        f(n, &mut out);
        out
    }
}

agree! { a_mutable_borrow_used_in_one_arm: f(true), f(false);
    fn f(writes: bool) -> Vec<i32> {
        let mut v = vec![1];
        let r = &mut v;
        if writes {
            r.push(2);
        }
        v.push(3);
        v
    }
}

agree! { a_mutable_borrow_used_after_the_if: f(true), f(false);
    fn f(writes: bool) -> i32 {
        let mut x = 1;
        let r = &mut x;
        if writes {
            *r += 10;
        } else {
            *r -= 10;
        }
        *r *= 2;
        x
    }
}

agree! { a_reference_out_of_the_arms: f("long", "er"), f("a", "bc");
    fn f(a: &str, b: &str) -> String {
        let longest = if a.len() >= b.len() { a } else { b };
        let owned = String::from(longest);
        let chosen: &String = if owned.is_empty() { &EMPTY } else { &owned };
        chosen.clone()
    }
    static EMPTY: String = String::new();
}

agree! { a_mutable_reference_out_of_the_arms: f(true), f(false);
    fn f(left: bool) -> (i32, i32) {
        let mut a = 1;
        let mut b = 2;
        let slot = if left { &mut a } else { &mut b };
        *slot += 10;
        (a, b)
    }
}

agree! { looked_up_else_inserted: f("abca"), f("");
    fn f(text: &str) -> Vec<(char, usize)> {
        let mut counts: HashMap<char, usize> = HashMap::new();
        for c in text.chars() {
            match counts.get_mut(&c) {
                Some(n) => *n += 1,
                None => {
                    counts.insert(c, 1);
                }
            }
        }
        let mut sorted: Vec<_> = counts.into_iter().collect();
        sorted.sort();
        sorted
    }
}

agree! { counted_through_the_entry: f(&[3, 1, 3]);
    fn f(items: &[i32]) -> Vec<(i32, i32)> {
        let mut counts = HashMap::new();
        for &item in items {
            let n = counts.entry(item).or_insert(0);
            if *n < 1 {
                *n += 1;
            } else {
                *n *= 10;
            }
        }
        let mut sorted: Vec<_> = counts.into_iter().collect();
        sorted.sort_by_key(|(k, _)| *k);
        sorted
    }
}

agree! { two_fields_borrowed_at_once: f(3), f(0);
    fn f(n: i32) -> (i32, Vec<i32>) {
        struct State {
            count: i32,
            log: Vec<i32>,
        }
        let mut state = State { count: 0, log: vec![] };
        let count = &mut state.count;
        let log = &mut state.log;
        for i in 0..n {
            if i != 1 {
                *count += 1;
                log.push(*count * i);
            }
        }
        (state.count, state.log)
    }
}

agree! { both_halves_of_a_slice: f(vec![1, 2, 3, 4]);
    fn f(mut v: Vec<i32>) -> Vec<i32> {
        let (a, b) = v.split_at_mut(2);
        for (x, y) in a.iter_mut().zip(b.iter_mut()) {
            if *x < *y {
                std::mem::swap(x, y);
            }
        }
        v
    }
}

agree! { the_end_of_a_linked_list: f(0), f(3);
    fn f(n: i32) -> Vec<i32> {
        struct Node {
            value: i32,
            next: Option<Box<Node>>,
        }
        let mut list: Option<Box<Node>> = None;
        for value in 0..n {
            let mut end = &mut list;
            while let Some(node) = end {
                end = &mut node.next;
            }
            *end = Some(Box::new(Node { value, next: None }));
        }
        let mut values = Vec::new();
        let mut current = &list;
        while let Some(node) = current {
            values.push(node.value);
            current = &node.next;
        }
        values
    }
}

agree! { a_slice_eaten_from_the_front: f(&[5, 1, 7]), f(&[]);
    fn f(items: &[i32]) -> Vec<i32> {
        let mut rest = items;
        let mut out = vec![];
        while let [first, tail @ ..] = rest {
            if *first > 2 {
                out.push(first * tail.len() as i32);
            }
            rest = tail;
        }
        out
    }
}

agree! { a_local_struct_of_references: f("a b  c");
    fn f(text: &str) -> Vec<String> {
        struct Words<'a> {
            rest: &'a str,
        }
        impl<'a> Words<'a> {
            fn next(&mut self) -> Option<&'a str> {
                let rest = self.rest.trim_start();
                if rest.is_empty() {
                    return None;
                }
                let end = rest.find(' ').unwrap_or(rest.len());
                self.rest = &rest[end..];
                Some(&rest[..end])
            }
        }
        let mut words = Words { rest: text };
        let mut out = Vec::new();
        while let Some(word) = words.next() {
            out.push(word.to_uppercase());
        }
        out
    }
}

agree! { pushed_with_its_own_length: f(4), f(0);
    fn f(n: usize) -> Vec<usize> {
        let mut v = Vec::new();
        while v.len() < n {
            v.push(v.len() * 2);
        }
        v
    }
}

agree! { a_mutable_parameter_captured_by_a_closure: call(3);
    fn f(n: i32, log: &mut Vec<String>) -> i32 {
        let mut note = |s: &str| log.push(s.to_string());
        if n > 2 {
            note("big");
        } else {
            note("small");
        }
        note("done");
        log.len() as i32
    }
    fn call(n: i32) -> (i32, Vec<String>) {
        let mut log = vec![];
        let len = f(n, &mut log);
        (len, log)
    }
}

agree! { the_best_so_far_by_reference: f(&["b", "d", "a"]), f(&["z"]);
    fn f(items: &[&str]) -> (String, usize) {
        let mut best = &items[0];
        let mut at = 0;
        for (i, item) in items.iter().enumerate() {
            if item > best {
                best = item;
                at = i;
            }
        }
        (best.to_string(), at)
    }
}

agree! { owned_only_where_it_must_be: f("quiet"), f("a-b-c");
    fn f(text: &str) -> (String, bool) {
        let mut cow = Cow::Borrowed(text);
        if cow.contains('-') {
            let owned = cow.to_mut();
            owned.retain(|c| c != '-');
        }
        let borrowed = matches!(cow, Cow::Borrowed(_));
        (cow.into_owned(), borrowed)
    }
}

agree! { reborrowed_in_each_branch: call(0), call(5);
    fn f(x: &mut i32) {
        if *x > 0 {
            let y = &mut *x;
            *y += 1;
            let z = &mut *y;
            *z *= 2;
        } else {
            *x -= 1;
        }
        *x += 1000;
    }
    fn call(mut x: i32) -> i32 {
        f(&mut x);
        f(&mut x);
        x
    }
}

agree! { an_optional_mutable_reference: call(true), call(false);
    fn f(mut log: Option<&mut Vec<i32>>, n: i32) -> i32 {
        let mut sum = 0;
        for i in 0..n {
            sum += i;
            if let Some(log) = log.as_mut() {
                log.push(sum);
            }
        }
        if let Some(log) = log {
            log.push(-1);
        }
        sum
    }
    fn call(logs: bool) -> (i32, Vec<i32>) {
        let mut log = vec![];
        let sum = if logs { f(Some(&mut log), 3) } else { f(None, 3) };
        (sum, log)
    }
}

agree! { a_borrow_of_a_temporary_in_the_condition: f("ab"), f("");
    fn f(s: &str) -> usize {
        if s.to_string().as_str().trim() == "ab" {
            let v = &vec![1, 2, 3];
            return v.len();
        }
        let r: &[i32] = if s.is_empty() { &[] } else { &[1] };
        r.len()
    }
}

agree! { a_reference_to_a_local_of_an_outer_block: f(2), f(20);
    fn f(n: i32) -> i32 {
        let storage;
        let r = if n > 10 {
            storage = n * 2;
            &storage
        } else {
            &n
        };
        *r + 1
    }
}

agree! { mutable_references_in_a_tuple: f(1), f(-1);
    fn f(n: i32) -> (i32, i32) {
        let (mut a, mut b) = (1, 2);
        let (low, high) = if n > 0 { (&mut a, &mut b) } else { (&mut b, &mut a) };
        *low -= 10;
        *high += 10;
        (a, b)
    }
}

agree! { a_field_is_looked_at_while_another_one_is_lent: f(true, 1), f(false, 1), f(true, 9);
    fn f(flag: bool, b: u8) -> (usize, Vec<u32>) {
        let mut list = [1, 2, 3];
        let mut lent = Lent { items: &mut list, count: 0 };
        let mut items = lent.items.iter_mut();
        let early = loop {
            if b > 3 {
                if flag && lent.count == 2 && (b == 9 || b == 8) {
                    break true;
                }
            }
            let item = match items.next() {
                Some(item) => item,
                None => break false,
            };
            *item += 10;
            lent.count += 1;
        };
        let count = if early { lent.count + 100 } else { lent.count };
        drop(lent);
        (count, list.to_vec())
    }
    struct Lent<'a> {
        items: &'a mut [u32],
        count: usize,
    }
    impl Drop for Lent<'_> {
        fn drop(&mut self) {
            self.items[0] += 1000;
        }
    }
}
