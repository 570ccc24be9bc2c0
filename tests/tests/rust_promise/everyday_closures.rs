//! Everyday programs with closures, threads and values that are dropped in an order.

use std::cell::RefCell;
use std::rc::Rc;

agree! { temporaries_of_if_let_and_match: f(false), f(true);
    fn f(full: bool) -> (bool, usize) {
        let c = RefCell::new(if full { vec![1] } else { vec![] });
        let mut found;
        if let Some(x) = c.borrow().first() {
            found = *x > 0;
        } else {
            let free = c.try_borrow_mut().is_ok();
            found = free;
        }
        let n = match c.borrow().first() {
            Some(_) => 1,
            None => {
                if c.try_borrow_mut().is_ok() {
                    2
                } else {
                    3
                }
            }
        };
        while let Some(_) = c.borrow().get(5) {
            found = !found;
        }
        (found, n)
    }
}

agree! { locals_shadowed_and_moved_are_dropped_in_order: f(2), f(0);
    fn f(n: usize) -> Vec<String> {
        let log = Rc::new(RefCell::new(Vec::new()));
        struct Loud(String, Rc<RefCell<Vec<String>>>);
        impl Drop for Loud {
            fn drop(&mut self) {
                self.1.borrow_mut().push(format!("-{}", self.0));
            }
        }
        let mk = |s: &str| Loud(s.to_string(), log.clone());
        {
            let a = mk("a");
            let a = Loud(format!("{}2", a.0), Rc::clone(&a.1));
            for i in 0..n {
                let l = mk(&i.to_string());
                if i == 1 {
                    break;
                }
                drop(l);
                let _x = mk("x");
            }
            let v = vec![mk("v0"), mk("v1")];
            let b = if n > 0 {
                let mut v = v;
                v.pop()
            } else {
                None
            };
            match b {
                Some(l) if l.0 == "v1" => log.borrow_mut().push("got".into()),
                _ => log.borrow_mut().push("none".into()),
            }
            let _ = a;
            log.borrow_mut().push("end".into());
        }
        let out = log.borrow().clone();
        out
    }
}

agree! { drops_in_a_closure_that_returns_early: f(true), f(false);
    fn f(early: bool) -> Vec<String> {
        struct D<'a>(&'static str, &'a RefCell<Vec<String>>);
        impl Drop for D<'_> {
            fn drop(&mut self) {
                self.1.borrow_mut().push(self.0.to_string());
            }
        }
        let log = RefCell::new(vec![]);
        let run = || {
            let _a = D("a", &log);
            let b = D("b", &log);
            if early {
                return 1;
            }
            let _ = D("tmp", &log);
            let c = match Some(D("m", &log)) {
                Some(d) if d.0.len() == 1 => d,
                other => other.unwrap(),
            };
            drop(b);
            let _c2 = c;
            2
        };
        let n = run();
        log.borrow_mut().push(n.to_string());
        log.take()
    }
}

agree! { closures_over_any_lifetime: call();
    fn apply<F>(f: F, words: &[&str]) -> Vec<String>
    where
        F: for<'a> Fn(&'a str) -> &'a str,
    {
        let mut out = vec![];
        for w in words {
            let t = f(w);
            if !t.is_empty() {
                out.push(t.to_owned());
            }
        }
        out
    }
    #[graph_fn]
    fn trimmer<'c>(chars: &'c [char]) -> impl for<'s> Fn(&'s str) -> &'s str + use<'c> {
        move |s| s.trim_matches(chars)
    }
    fn call() -> Vec<String> {
        apply(trimmer(&['-']), &["-a-", "--", "b"])
    }
}

agree! { functions_made_of_functions: call();
    fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
        move |x| g(f(x))
    }
    #[graph_fn]
    fn adder(n: i32) -> Box<dyn Fn(i32) -> i32> {
        if n == 0 {
            Box::new(|x| x)
        } else {
            Box::new(move |x| x + n)
        }
    }
    #[graph_fn]
    fn table() -> [(&'static str, fn(f64) -> f64); 3] {
        [
            ("sqrt", f64::sqrt),
            ("neg", |x| -x),
            ("id", std::convert::identity),
        ]
    }
    fn call() -> (i32, String, Vec<f64>) {
        let h = compose(adder(2), |x: i32| x * 10);
        let s = compose(|x: i32| x > 3, |b: bool| b.to_string());
        (h(1), s(4), table().iter().map(|(_, f)| f(4.0)).collect())
    }
}

agree! { closures_in_fields: call(3);
    fn call(n: i32) -> (i32, Vec<i32>) {
        struct Button<'a> {
            on: Vec<Box<dyn FnMut(i32) -> bool + 'a>>,
        }
        impl<'a> Button<'a> {
            fn press(&mut self, k: i32) -> usize {
                let mut n = 0;
                for on in self.on.iter_mut() {
                    if on(k) {
                        n += 1;
                    }
                }
                n
            }
        }
        let log = RefCell::new(vec![]);
        let mut total = 0;
        {
            let mut b = Button { on: vec![] };
            b.on.push(Box::new(|k| {
                log.borrow_mut().push(k);
                k > 1
            }));
            b.on.push(Box::new(|k| {
                total += k;
                total > n
            }));
            for k in 0..n {
                if b.press(k) == 2 {
                    break;
                }
            }
            (b.on[0])(99);
        }
        (total, log.into_inner())
    }
}

agree! { threads_in_a_scope: f(6);
    fn f(n: u32) -> (u32, Vec<u32>) {
        let data: Vec<u32> = (0..n).collect();
        let mut squares = vec![0; data.len()];
        let total = std::thread::scope(|s| {
            let h = s.spawn(|| data.iter().filter(|x| **x > 2).sum::<u32>());
            for (out, x) in squares.chunks_mut(2).zip(data.chunks(2)) {
                s.spawn(move || {
                    for (o, x) in out.iter_mut().zip(x) {
                        *o = if x % 2 == 0 { x * x } else { *x };
                    }
                });
            }
            h.join().unwrap()
        });
        (total, squares)
    }
}

agree! { arms_and_fields_under_cfg: f(2);
    fn f(n: i32) -> (Vec<i32>, i32) {
        let v = vec![1, 2];
        let k = match n {
            #[cfg(any())]
            2 => 100,
            #[cfg(not(any()))]
            2 => 200,
            _ => 0,
        };
        struct P {
            a: i32,
            #[cfg(any())]
            b: i32,
        }
        let p = P {
            a: k,
            #[cfg(any())]
            b: 1,
        };
        #[cfg(not(any()))]
        {
            return (v, p.a);
        }
        #[allow(unreachable_code)]
        (v, 0)
    }
}
