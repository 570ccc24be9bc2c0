//! `unwrap` and `expect` in branches: the standard library's methods are checked first; other methods with these names keep their meaning.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Mutex;

use graph_runtime::graph_fn;

struct Held(String);
impl Held {
    fn expect(&self, prefix: &str) -> &str {
        self.0.strip_prefix(prefix).unwrap_or("")
    }
    fn unwrap(self) -> String {
        self.0
    }
}

struct Counting<'a>(&'a mut usize);
impl Counting<'_> {
    fn unwrap(&mut self) -> usize {
        *self.0 += 1;
        *self.0
    }
}
impl Drop for Counting<'_> {
    fn drop(&mut self) {
        *self.0 += 10;
    }
}

/// Its `unwrap` takes it by value, which ends a borrow.
struct Taken<'a>(&'a mut Vec<i32>);
impl Taken<'_> {
    fn unwrap(self) -> usize {
        self.0.len()
    }
}

fn held(text: &str) -> Held {
    Held(text.to_owned())
}

#[test]
fn methods_of_these_names() {
    #[graph_fn]
    fn lengths(n: usize) -> usize {
        if n > 1 {
            let length = held("abcd").expect("ab").len();
            let local = held("xyz");
            length + local.expect("x").len() + local.unwrap().len()
        } else {
            held("a").unwrap().len()
        }
    }
    assert_eq!((lengths(2), lengths(1)), (7, 1));

    #[graph_fn]
    fn counted(n: usize) -> (usize, usize) {
        let mut count = 0;
        let mut seen = 0;
        if n > 1 {
            let mut counting = Counting(&mut count);
            seen += counting.unwrap();
            seen += counting.unwrap();
        } else {
            seen += Counting(&mut count).unwrap();
        }
        (seen, count)
    }
    assert_eq!((counted(2), counted(1)), ((3, 12), (1, 11)));

    #[graph_fn]
    fn replaced(n: usize) -> Vec<i32> {
        let mut items = vec![1, 2, 3];
        if n > 1 {
            items = vec![n as i32; Taken(&mut items).unwrap()];
        }
        items
    }
    assert_eq!((replaced(7), replaced(1)), (vec![7; 3], vec![1, 2, 3]));
}

#[test]
fn options_and_results() {
    #[graph_fn]
    fn f(n: usize, shared: &Mutex<Vec<usize>>, cell: &Rc<RefCell<Option<Vec<usize>>>>) -> usize {
        let mut best: Option<&mut usize> = None;
        let mut number = n;
        if n > 1 {
            best = Some(&mut number);
        }
        if n > 2 {
            *best.take().unwrap() += 1;
            shared.lock().unwrap().push(n);
            cell.borrow_mut().as_mut().unwrap().push(n);
            let last = *shared.lock().expect("nobody panicked").last().unwrap();
            return last + cell.borrow().as_ref().unwrap().len() + number;
        }
        let parsed: usize = if n == 2 { "2".parse().unwrap() } else { 0 };
        parsed + cell.borrow_mut().take().map_or(0, |items| items.len())
    }
    let (shared, cell) = (Mutex::new(Vec::new()), Rc::new(RefCell::new(Some(vec![1]))));
    assert_eq!(f(5, &shared, &cell), 5 + 2 + 6);
    assert_eq!(f(2, &shared, &cell), 2 + 2);
    assert_eq!(f(1, &shared, &cell), 0);
}

/// The panic is that of Rust, at the user's line.
#[test]
fn what_is_not_there_panics_where_it_is_written() {
    #[graph_fn]
    fn f(n: usize, items: Vec<usize>) -> usize {
        if n > 1 {
            items.iter().copied().max().expect("an item")
        } else {
            items.first().copied().unwrap()
        }
    }
    assert_eq!((f(2, vec![1, 4]), f(1, vec![3])), (4, 3));
    let line = line!() - 6;
    let seen = std::sync::Arc::new(Mutex::new(0));
    let (hook, noted) = (std::panic::take_hook(), seen.clone());
    let this = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == this {
            *noted.lock().unwrap() = info.location().map_or(0, |location| location.line());
        }
    }));
    let text = std::panic::catch_unwind(|| f(2, vec![])).unwrap_err();
    std::panic::set_hook(hook);
    assert_eq!(
        text.downcast_ref::<String>()
            .map(String::as_str)
            .or(text.downcast_ref::<&str>().copied()),
        Some("an item")
    );
    assert_eq!(*seen.lock().unwrap(), line);
}

/// Each method call of a chain is checked once, however long the chain is.
#[test]
fn long_chains() {
    #[derive(Clone, Copy)]
    struct Link(u32);
    impl Link {
        fn next(self) -> Option<Link> {
            Some(Link(self.0 + 1))
        }
    }
    #[graph_fn]
    fn f(n: u32) -> u32 {
        if n > 1 {
            Link(n)
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .next()
                .unwrap()
                .0
        } else {
            0
        }
    }
    assert_eq!((f(2), f(1)), (22, 0));
}
