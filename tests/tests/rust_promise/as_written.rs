//! Programs that users wrote, as they wrote them: several forms meet in each, where the other files have one at a time.

#![allow(dead_code, reason = "fields are there to be shown")]

use std::cell::RefCell;
use std::ops::{Index, IndexMut};
use std::sync::Mutex;

agree! { pairs_beside_a_variable_called_item: f(vec![(1, 2), (3, 4), (5, 6)], (3, 4)), f(vec![], (0, 0));
    fn f(pairs: Vec<(i32, i32)>, item: (i32, i32)) -> i32 {
        let mut n = 0;
        for (a, b) in pairs {
            if (a, b) == item {
                n += 1;
            }
        }
        n
    }
}

agree! { temporaries_of_the_left_operand_of_or: f();
    fn f() -> (bool, bool, usize) {
        let c = RefCell::new(vec![1]);
        let m = Mutex::new(vec![1]);
        let pushed = c.borrow().is_empty() || {
            c.borrow_mut().push(1);
            true
        };
        let free = m.lock().unwrap().len() != 1 || m.try_lock().is_ok();
        if c.borrow().is_empty() || { c.borrow_mut().push(2); true } {
            c.borrow_mut().push(3);
        }
        while !c.borrow().is_empty() && { c.borrow_mut().pop(); c.borrow().len() > 2 } {}
        let len = c.borrow().len();
        (pushed, free, len)
    }
}

agree! { unsized_types_behind_mut_under_each_construct: call(0, "aB"), call(1, "aB"), call(3, "");
    fn f(y: &mut [f64], text: &mut str, log: &mut dyn FnMut(usize), n: usize) {
        let mut i = 0;
        while i < y.len() {
            y[i] += 1.0;
            text.make_ascii_uppercase();
            log(i);
            i += 1;
        }
        match n {
            0 => y[0] = 7.0,
            1 => {
                text.make_ascii_lowercase();
                log(text.len());
            }
            _ => log(9),
        }
        for k in 0..n {
            y[k % 2] *= 2.0;
            text.make_ascii_lowercase();
            log(k);
        }
        if n > 2 {
            y.reverse();
        }
    }
    fn call(n: usize, text: &str) -> (Vec<f64>, String, Vec<usize>) {
        let (mut y, mut text, mut seen) = (vec![-1.0, 2.0], text.to_owned(), Vec::new());
        f(&mut y, &mut text, &mut |n| seen.push(n), n);
        (y, text, seen)
    }
}

agree! { an_iterator_and_its_next: f("ab  c d"), f("");
    fn f(text: &str) -> Vec<String> {
        let mut words = Words { rest: text.to_owned() };
        let first = words.next();
        first.into_iter().chain(words.by_ref()).collect()
    }
    struct Words {
        rest: String,
    }
    impl Iterator for Words {
        type Item = String;
        #[graph_fn]
        fn next(&mut self) -> Option<String> {
            let rest = self.rest.trim_start().to_owned();
            if rest.is_empty() {
                return None;
            }
            let end = rest.find(' ').unwrap_or(rest.len());
            self.rest = rest[end..].to_owned();
            Some(rest[..end].to_owned())
        }
    }
}

agree! { items_of_a_type_of_its_own: f(1), f(0);
    fn f(row: usize) -> Vec<i32> {
        let mut grid = Grid { cells: vec![1, 2, 3, 4], width: 2, writes: 0 };
        grid[(row, 1)] += 10;
        if grid[(1, 1)] > 10 {
            grid[(0, 0)] = -1;
        }
        grid.cells.push(grid.writes);
        grid.cells
    }
    struct Grid {
        cells: Vec<i32>,
        width: usize,
        writes: i32,
    }
    impl Index<(usize, usize)> for Grid {
        type Output = i32;
        #[graph_fn]
        fn index(&self, (row, column): (usize, usize)) -> &i32 {
            if column < self.width { &self.cells[row * self.width + column] } else { &0 }
        }
    }
    impl IndexMut<(usize, usize)> for Grid {
        #[graph_fn]
        fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut i32 {
            self.writes += 1;
            if column < self.width {
                return &mut self.cells[row * self.width + column];
            }
            &mut self.writes
        }
    }
}

agree! { builders: f(3), f(0);
    fn f(n: i32) -> String {
        let mut page = Page::new().title("t").line(1);
        page.add(n).add(n * 2);
        format!("{} {:?}", page.title, page.lines)
    }
    struct Page {
        title: String,
        lines: Vec<i32>,
    }
    impl Page {
        #[graph_fn(method)]
        fn new() -> Page {
            Page { title: String::new(), lines: vec![] }
        }
        #[graph_fn]
        fn title(mut self, title: &str) -> Self {
            if self.title.is_empty() {
                self.title = title.to_owned();
            }
            self
        }
        #[graph_fn]
        fn line(self, line: i32) -> Self {
            let Page { title, mut lines } = self;
            for i in 0..line {
                lines.push(i);
            }
            Page { title, lines }
        }
        #[graph_fn]
        fn add(&mut self, line: i32) -> &mut Self {
            if line > 0 {
                self.lines.push(line);
            }
            self
        }
    }
}

agree! { the_larger_and_the_smaller_item: f(&[3, 9, 4], 0, 1), f(&[3, 9, 4], 2, 2);
    fn f(v: &[i32], i: usize, j: usize) -> (i32, i32, i32, usize) {
        let (top, low) = (v[i].max(v[j]), v[i].min(v[j]));
        let mut best = i32::MIN;
        let mut places = vec![vec![0usize; 2]; 2];
        for k in 0..v.len() {
            if k != i {
                best = best.max(v[k]).max(v[j].min(v[k]));
                places[k % 2][0] = places[0][1].max(places[1][0] + k);
            }
        }
        (top, low, best, places[0][0].min(places[1][0]))
    }
}

agree! { a_shadowed_mutable_parameter: call(2), call(0);
    fn f(x: &mut Vec<i32>, n: i32) -> usize {
        let x = if n > 0 {
            x.push(n);
            x.len()
        } else {
            let x = x.len() + 10;
            x
        };
        x + 1
    }
    fn call(n: i32) -> (usize, Vec<i32>) {
        let mut x = vec![7];
        (f(&mut x, n), x)
    }
}

agree! { returns_out_of_labelled_blocks: f(Some(4), 0), f(None, 0), f(None, 1), f(None, 2);
    fn f(a: Option<i32>, n: i32) -> i32 {
        fn nested(a: Option<i32>) -> i32 {
            if let Some(a) = a {
                return a * 2;
            }
            match a {
                None => return -1,
                Some(_) => {}
            }
            5
        }
        let found = 'found: {
            if let Some(a) = a {
                return a + nested(Some(a));
            }
            match n {
                0 => return nested(None),
                1 => break 'found 10,
                _ => {}
            }
            20
        };
        found + 1
    }
}

agree! { a_let_else_that_leaves_by_an_if: f("4"), f(""), f("x"), f("xx");
    fn f(text: &str) -> i32 {
        let mut turns = 0;
        loop {
            let Ok(n) = text.parse::<i32>() else {
                if text.is_empty() {
                    return -1;
                } else if text.len() > 1 {
                    break;
                } else {
                    turns += 1;
                    if turns > 3 { return -2 } else { continue }
                }
            };
            return n + turns;
        }
        -3
    }
}
