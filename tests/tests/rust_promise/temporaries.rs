//! Temporaries: how long a borrowed temporary lives in a condition, a scrutinee, an arm, a `let`.

use std::cell::RefCell;
use std::sync::{Mutex, RwLock};

agree! { a_condition_gives_its_borrow_back_before_the_branch: f(4), f(2);
    fn f(n: i32) -> i32 {
        let cell = RefCell::new(n);
        if *cell.borrow() > 3 {
            *cell.borrow_mut() += 10;
        } else if *cell.borrow_mut() > 1 {
            *cell.borrow_mut() += 100;
        }
        while *cell.borrow() < 20 {
            *cell.borrow_mut() += 7;
        }
        cell.into_inner()
    }
}

agree! { a_lock_in_a_condition: f(3);
    fn f(n: i32) -> (i32, usize) {
        let m = Mutex::new(n);
        let l = RwLock::new(vec![1, 2]);
        if *m.lock().unwrap() == 3 && l.read().unwrap().len() > 1 {
            *m.lock().unwrap() += 1;
            l.write().unwrap().push(3);
        }
        let at = l.read().unwrap()[1] + *m.lock().unwrap();
        (at, l.into_inner().unwrap().len())
    }
}

agree! { a_scrutinee_holds_its_borrow: f(vec![1]), f(vec![]);
    fn f(v: Vec<i32>) -> i32 {
        let cell = RefCell::new(v);
        let r = match cell.borrow().first() {
            Some(x) => *x + cell.borrow().len() as i32,
            None => -1,
        };
        if let Some(x) = cell.borrow_mut().pop() {
            return x + if cell.try_borrow().is_err() { 100 } else { 200 };
        } else {
            cell.borrow_mut().push(r);
        }
        let popped = cell.borrow_mut().pop();
        popped.unwrap_or(0)
    }
}

agree! { a_while_let_holds_its_borrow_for_the_body: f(vec![1, 2]);
    fn f(v: Vec<i32>) -> Vec<bool> {
        let cell = RefCell::new(v);
        let mut out = vec![];
        while let Some(_) = cell.borrow_mut().pop() {
            out.push(cell.try_borrow().is_ok());
        }
        while let Some(x) = { let next = out.pop(); next } {
            cell.borrow_mut().push(x as i32);
        }
        vec![cell.borrow().len() == 2, cell.borrow()[0] == 1]
    }
}

agree! { slices_of_different_lengths_out_of_arms: f(0), f(1), f(2);
    fn f(n: i32) -> (usize, i32) {
        let s: &[i32] = match n {
            0 => &[],
            1 => &[1],
            _ => &[1, 2],
        };
        let t: &[i32] = if s.is_empty() { &[5, 6] } else { s };
        (s.len(), t.iter().sum())
    }
}

agree! { a_borrowed_block_value: f(3);
    fn f(n: i32) -> usize {
        let text = &{
            let mut s = String::new();
            for i in 0..n {
                if i != 1 {
                    s.push_str("ab");
                }
            }
            s
        };
        let [a, b] = &mut [1, 2];
        if *a < *b {
            *a += 5;
        }
        text.len() + *a as usize
    }
}

agree! { compound_assignment_through_temporaries: f(3);
    fn f(n: usize) -> (Vec<usize>, usize) {
        let cell = RefCell::new(vec![n, n]);
        cell.borrow_mut()[0] += 1;
        cell.borrow_mut()[1] *= 2;
        let first = cell.borrow()[0];
        let pair = (RefCell::new(1), 2);
        *pair.0.borrow_mut() += pair.1;
        let last = *pair.0.borrow();
        (cell.into_inner(), first + last)
    }
}

agree! { chained_methods_on_temporaries: f("b,a;c"), f("");
    fn f(text: &str) -> (Vec<String>, bool, usize) {
        let words: Vec<String> = text.split(|c| c == ',' || c == ';').map(str::trim).filter(|w| w.len() > 0).map(String::from).collect();
        let sorted = { let mut w = words.clone(); w.sort(); w };
        let same = words == sorted && !words.iter().any(|w| w.as_str() > "b");
        let n = if let Some(first) = text.chars().filter(|c| *c != ',').collect::<String>().chars().next() { first.len_utf8() } else { 0 };
        (words, same, n)
    }
}

agree! { a_for_holds_its_iterator: f(vec![3, 4]);
    fn f(v: Vec<i32>) -> (i32, bool) {
        let cell = RefCell::new(v);
        let mut sum = 0;
        let mut free = true;
        for x in cell.borrow().iter() {
            free = free && cell.try_borrow_mut().is_ok();
            if *x > 3 {
                sum += x;
            }
        }
        (sum, free || cell.try_borrow_mut().is_ok())
    }
}

agree! { temporaries_in_arms_live_as_long_as_the_let: f(true), f(false);
    fn f(first: bool) -> (usize, i32, String) {
        let v = if first { &vec![1, 2] } else { &vec![3] };
        let x = match v.len() {
            1 => &(v[0] * 10),
            _ => &(v[0] + v[1]),
        };
        let s: &str = if *x > 3 { &String::from("big") } else { &format!("small {x}") };
        (v.len(), *x, s.to_string())
    }
}
