//! Order: side effects and drops happen where Rust defines them. Each program writes a log.

use std::cell::RefCell;
use std::rc::Rc;

/// Logs its drop. It isn't `Clone`, because a copy would be dropped, too.
struct Noisy<'a>(&'a Log, &'static str);

type Log = RefCell<Vec<String>>;

impl Drop for Noisy<'_> {
    fn drop(&mut self) {
        self.0.borrow_mut().push(format!("drop {}", self.1));
    }
}

impl Noisy<'_> {
    fn size(&self) -> usize {
        self.1.len()
    }
}

/// Logs that it was evaluated.
fn at<T>(log: &Log, name: &str, value: T) -> T {
    log.borrow_mut().push(name.to_string());
    value
}

agree! { operands_from_left_to_right: f(1), f(4);
    fn f(n: i32) -> (i32, bool, Vec<String>) {
        let log = Log::default();
        let sum = at(&log, "a", n) + at(&log, "b", 2) * at(&log, "c", 3);
        let less = at(&log, "d", sum) < at(&log, "e", 10);
        (sum, less, log.into_inner())
    }
}

agree! { arguments_before_later_changes: f(5);
    fn f(start: i32) -> (i32, Vec<i32>, (i32, i32), [i32; 3]) {
        fn add2(p: i32, q: i32) -> i32 {
            100 * p + q
        }
        let mut x = start;
        let a = add2(x, { x += 1; x });
        let v = vec![x, { x += 1; x }, x];
        let t = (x, { x += 1; x });
        let r = [x, { x *= 2; x }, x];
        (a, v, t, r)
    }
}

agree! { short_circuits: f(true, false), f(false, true), f(true, true), f(false, false);
    fn f(a: bool, b: bool) -> (bool, bool, Vec<String>) {
        let log = Log::default();
        let and = at(&log, "a", a) && at(&log, "b", b) && at(&log, "c", true);
        let or = at(&log, "d", a) || at(&log, "e", b) || at(&log, "f", false);
        if at(&log, "g", a) && (at(&log, "h", b) || at(&log, "i", a)) {
            at(&log, "then", ());
        } else if at(&log, "j", b) {
            at(&log, "else if", ());
        }
        (and, or, log.into_inner())
    }
}

agree! { conditions_once_per_iteration: f(3), f(0);
    fn f(n: i32) -> Vec<String> {
        let log = Log::default();
        let mut i = 0;
        while at(&log, "test", i < n) {
            at(&log, "body", ());
            i += at(&log, "step", 1);
        }
        for _ in at(&log, "range", 0)..at(&log, "end", n) {
            at(&log, "item", ());
        }
        log.into_inner()
    }
}

agree! { the_right_side_of_an_assignment_first: f();
    fn f() -> (Vec<i32>, Vec<String>) {
        let log = Log::default();
        let mut v = vec![1, 2];
        v[at(&log, "index", 0)] = at(&log, "value", 5);
        v[at(&log, "index", 1)] += at(&log, "value", 6);
        let mut s = String::from("s");
        s += at(&log, "text", "t");
        (v, log.into_inner())
    }
}

agree! { struct_fields_in_the_order_written: f(2);
    fn f(n: i32) -> (i32, i32, Vec<String>) {
        struct Pair {
            a: i32,
            b: i32,
        }
        let log = Log::default();
        let p = Pair { b: at(&log, "b", n), a: at(&log, "a", n > 1) as i32 };
        (p.a, p.b, log.into_inner())
    }
}

agree! { guards_and_arms_in_order: f(1), f(2), f(3);
    fn f(n: i32) -> (i32, Vec<String>) {
        let log = Log::default();
        let r = match at(&log, "scrutinee", n) {
            1 if at(&log, "first", false) => 1,
            1 | 2 if at(&log, "second", n > 1) => at(&log, "arm", 2),
            _ => at(&log, "rest", 3),
        };
        (r, log.into_inner())
    }
}

agree! { locals_dropped_in_reverse: call(true), call(false);
    fn f(log: &Log, flag: bool) -> i32 {
        let _a = Noisy(log, "a");
        let _b = Noisy(log, "b");
        if flag {
            let _c = Noisy(log, "c");
            at(log, "in the branch", ());
        }
        at(log, "after the branch", ());
        let _d = Noisy(log, "d");
        at(log, "value", 1)
    }
    fn call(flag: bool) -> (i32, Vec<String>) {
        let log = Log::default();
        (f(&log, flag), log.into_inner())
    }
}

agree! { dropped_where_moved_or_left: call(0), call(1), call(2), call(3);
    fn f(log: &Log, which: i32) {
        let a = Noisy(log, "a");
        let b = Noisy(log, "b");
        if which == 0 {
            drop(a);
        } else if which == 1 {
            let _moved = b;
            at(log, "moved b", ());
        } else if which == 2 {
            at(log, "leaving", ());
            return;
        }
        at(log, "end", ());
    }
    fn call(which: i32) -> Vec<String> {
        let log = Log::default();
        f(&log, which);
        log.into_inner()
    }
}

agree! { dropped_on_break_and_continue: call(4);
    fn f(log: &Log, n: i32) {
        for i in 0..n {
            let _each = Noisy(log, "each");
            if i == 0 {
                continue;
            }
            let _later = Noisy(log, "later");
            if i == 2 {
                break;
            }
            at(log, "whole", ());
        }
        at(log, "behind", ());
    }
    fn call(n: i32) -> Vec<String> {
        let log = Log::default();
        f(&log, n);
        log.into_inner()
    }
}

agree! { temporaries_of_conditions_and_scrutinees: call(1), call(0);
    fn f(log: &Log, n: i32) -> i32 {
        if Noisy(log, "condition").size() > 0 {
            at(log, "then", ());
        }
        let x = match Noisy(log, "scrutinee").size() {
            0 => 0,
            size => at(log, "arm", size as i32),
        };
        if let 9 = Noisy(log, "if let").size() {
            at(log, "nine", ());
        } else {
            at(log, "else", ());
        }
        let mut i = 0;
        while Noisy(log, "while").size() > 4 && i < n {
            i += at(log, "body", 1);
        }
        x
    }
    fn call(n: i32) -> (i32, Vec<String>) {
        let log = Log::default();
        (f(&log, n), log.into_inner())
    }
}

agree! { a_replaced_value_dropped_at_the_assignment: call(true), call(false);
    fn f(log: &Log, replaces: bool) {
        let mut slot = Noisy(log, "old");
        at(log, "before", ());
        if replaces {
            slot = Noisy(log, "new");
            at(log, "replaced", ());
        }
        at(log, slot.1, ());
    }
    fn call(replaces: bool) -> Vec<String> {
        let log = Log::default();
        f(&log, replaces);
        log.into_inner()
    }
}

agree! { an_underscore_drops_at_once: call();
    fn f(log: &Log) {
        let _ = Noisy(log, "underscore");
        at(log, "next", ());
        let _kept = Noisy(log, "kept");
        (_, _) = (Noisy(log, "left"), at(log, "tuple", 1));
        at(log, "end", ());
    }
    fn call() -> Vec<String> {
        let log = Log::default();
        f(&log);
        log.into_inner()
    }
}

agree! { shared_owners_are_counted: f(true), f(false);
    fn f(shares: bool) -> (usize, usize, usize) {
        let a = Rc::new(5);
        let before = Rc::strong_count(&a);
        let b = if shares { Some(Rc::clone(&a)) } else { None };
        let during = Rc::strong_count(&a);
        let sum = *a + b.as_deref().copied().unwrap_or(0);
        drop(b);
        (before, during + sum as usize, Rc::strong_count(&a))
    }
}

agree! { dropped_when_a_panic_unwinds: call(true), call(false);
    fn f(log: &Log, panics: bool) {
        let _a = Noisy(log, "a");
        if panics {
            let _b = Noisy(log, "b");
            assert!(!panics, "as asked");
        }
        at(log, "survived", ());
    }
    fn call(panics: bool) -> (String, Vec<String>) {
        let log = Log::default();
        let outcome = crate::support::outcome(|| f(&log, panics));
        (outcome, log.into_inner())
    }
}

agree! { dropped_with_the_question_mark: call("1"), call("x");
    fn f(log: &Log, text: &str) -> Option<i32> {
        let _a = Noisy(log, "a");
        let n: i32 = text.parse().ok()?;
        at(log, "parsed", ());
        Some(n)
    }
    fn call(text: &str) -> (Option<i32>, Vec<String>) {
        let log = Log::default();
        (f(&log, text), log.into_inner())
    }
}

agree! { a_loop_value_and_its_scope: call(2);
    fn f(log: &Log, n: i32) -> i32 {
        let mut i = 0;
        let found = loop {
            let _turn = Noisy(log, "turn");
            i += 1;
            if i == n {
                break at(log, "break", i * 10);
            }
        };
        at(log, "found", found)
    }
    fn call(n: i32) -> (i32, Vec<String>) {
        let log = Log::default();
        (f(&log, n), log.into_inner())
    }
}

agree! { an_operand_changed_by_the_next: f(5), f(-5);
    fn f(start: i32) -> (i32, i32, i32, bool) {
        let mut x = start;
        let a = x + { x += 1; x };
        let b = { x *= 2; x } - x;
        let c = x * { x = 3; x } * x;
        let d = x < { x += 1; x };
        (a, b, c, d)
    }
}

agree! { owned_parameters_dropped_last: call(true), call(false);
    fn f(_first: Noisy<'_>, second: Noisy<'_>, _: Noisy<'_>, flag: bool) -> usize {
        let _local = Noisy(second.0, "local");
        if flag {
            return at(second.0, "early", second.size());
        }
        let moved = second;
        at(moved.0, "late", moved.size() + 1)
    }
    fn call(flag: bool) -> (usize, Vec<String>) {
        let log = Log::default();
        (f(Noisy(&log, "first"), Noisy(&log, "second"), Noisy(&log, "unnamed"), flag), log.into_inner())
    }
}

agree! { values_of_branches_and_blocks_dropped_in_order: call(1), call(2);
    fn f(log: &Log, n: i32) {
        let a = if n > 1 { Noisy(log, "then") } else { Noisy(log, "else") };
        let _b = {
            let _inner = Noisy(log, "inner");
            Noisy(log, "block")
        };
        let c = match n {
            1 => Some(Noisy(log, "one")),
            _ => None,
        };
        if let Some(c) = c {
            at(log, c.1, ());
        }
        at(log, "end", ());
        drop(a);
        at(log, "really", ());
    }
    fn call(n: i32) -> Vec<String> {
        let log = Log::default();
        f(&log, n);
        log.into_inner()
    }
}
