//! The user's types, methods and functions with the same names as those of the library or the standard library.

agree! { methods_called_like_those_that_take_their_receiver: f("ab"), f("ba"), f("");
    fn f(text: &str) -> (bool, bool, usize, usize, String) {
        let mut p = Parser { text: text.chars().collect(), at: 0 };
        let (a, b) = (p.expect('a'), p.expect('b'));
        if a {
            p.unwrap();
            p.into_inner().push('z');
        }
        for c in p.into_iter() {
            *c = c.to_ascii_uppercase();
        }
        p.into_inner().push('!');
        let n = p.into_vec();
        (a, b, p.unwrap(), n, format!("{:?}", p.text))
    }
    struct Parser {
        text: Vec<char>,
        at: usize,
    }
    impl Parser {
        fn expect(&mut self, wanted: char) -> bool {
            let found = self.text.get(self.at) == Some(&wanted);
            self.at += usize::from(found);
            found
        }
        fn unwrap(&mut self) -> usize {
            self.at += 1;
            self.at
        }
        fn into_vec(&self) -> usize {
            self.at
        }
        fn into_iter(&mut self) -> std::slice::IterMut<'_, char> {
            self.text.iter_mut()
        }
        fn into_inner(&mut self) -> &mut Vec<char> {
            &mut self.text
        }
    }
}

agree! { methods_that_change_a_copyable_receiver: f(true), f(false);
    fn f(first: bool) -> (i32, i32) {
        let mut counter = Counter(2);
        let mut n = 0;
        for i in 0..3 {
            if first && i > 0 {
                n += counter.expect(i);
            } else {
                n -= counter.unwrap_or(2);
            }
        }
        (n, counter.0)
    }
    #[derive(Clone, Copy)]
    struct Counter(i32);
    impl Counter {
        fn expect(&mut self, n: i32) -> i32 {
            self.0 += n;
            self.0
        }
        fn unwrap_or(&mut self, n: i32) -> i32 {
            self.0 *= n;
            self.0
        }
    }
}

agree! { a_tensor_of_the_users_that_is_moved: f(true), f(false);
    fn f(first: bool) -> (i32, i32) {
        let a = tensor([1, 2]);
        let b = Tensor::new(4);
        let c: Tensor = tensor([7]);
        if first { (a.total(), give(b).total()) } else { (b.total() + c.total(), { a }.total()) }
    }
    fn give(t: Tensor) -> Tensor {
        t
    }
    use super::super::users::{Tensor, tensor};
}

agree! { a_tensor_of_the_users_in_closures: f(true), f(false);
    fn f(first: bool) -> i32 {
        let a = tensor([1, 2]);
        let b: Tensor = Tensor::new(4);
        let take = || if first { a } else { b };
        let taken = take();
        let more = move || taken;
        more().total()
    }
    use super::super::users::{Tensor, tensor};
}

agree! { a_tensor_of_the_users_that_changes: f(true), f(false);
    fn f(first: bool) -> (i32, i32, i32) {
        let mut t = tensor([1, 2, 3]);
        let mut popped = 0;
        while t[0] < 5 {
            if first { t.bump(); } else { t[0].bump(); }
            t[1].bump();
            if t[1] > 6 { popped += t.item(); }
        }
        let one = Tensor::new(3) == 3;
        (popped, t.total(), i32::from(one))
    }
    use super::super::users::{Bump, Tensor, tensor};
}

agree! { a_tensor_of_the_users_in_a_match_with_guards: f(3), f(4), f(0);
    fn f(n: i32) -> i32 {
        let t = Tensor::new(n);
        let limit = 3;
        let found = match t {
            t if t == 3 => Tensor::new(30),
            t if t[0] > limit => t,
            _ => tensor([]),
        };
        found.total()
    }
    use super::super::users::{Tensor, tensor};
}

agree! { a_tensor_of_the_users_that_is_an_option: f(Some(1)), f(None);
    fn f(t: Tensor) -> Tensor {
        let n = t?;
        let m: Tensor = if n > 0 { Some(n) } else { None };
        let unless = if n > 5 { 1 } else { 2 };
        Some(m? + unless)
    }
    type Tensor = Option<i32>;
}

agree! { a_tensor_of_the_users_that_is_nothing: f(1), f(-1);
    fn f(n: i32) -> Tensor {
        if n > 0 {
            let _ = n + 1;
        }
    }
    type Tensor = ();
}

agree! { a_tensor_of_the_users_of_two_types: f(3);
    fn f(n: i32) -> (i32, bool) {
        #[graph_fn]
        fn g(t: Tensor<i32, bool>) -> Tensor<i32, bool> {
            Tensor(t.0 + 1, !t.1)
        }
        let t = g(Tensor(n, true));
        (t.0, t.1)
    }
    struct Tensor<B, D>(B, D);
}

agree! { primitives_of_the_users: f(true), f(false);
    fn f(first: bool) -> (Vec<i32>, String) {
        let a: f32 = f32(vec![1]);
        let b: f32 = f32(vec![2]);
        let c: usize = Box::new(3);
        let d = if first { a } else { b };
        (d.0, c.to_string())
    }
    #[allow(non_camel_case_types)]
    struct f32(Vec<i32>);
    #[allow(non_camel_case_types)]
    type usize = Box<dyn std::fmt::Display>;
}

agree! { a_string_of_the_users: f(true), f(false);
    fn f(first: bool) -> &'static str {
        use self::users::String;
        let s: String = if first { String("a") } else { String("b") };
        s.0
    }
    mod users {
        pub struct String(pub &'static str);
    }
}

/// A tensor type that isn't the library's: it can't be cloned, and its methods change it, unlike those of the library's tensors.
mod users {
    use std::ops::{Index, IndexMut};

    pub struct Tensor(Vec<i32>);

    pub fn tensor<const N: usize>(items: [i32; N]) -> Tensor {
        Tensor(items.to_vec())
    }

    impl Tensor {
        pub fn new(n: i32) -> Tensor {
            Tensor(vec![n])
        }
        pub fn total(self) -> i32 {
            self.0.iter().sum()
        }
        pub fn item(&mut self) -> i32 {
            let last = self.0.len() - 1;
            self.0[last] -= 1;
            self.0[last]
        }
    }

    impl Index<usize> for Tensor {
        type Output = i32;
        fn index(&self, i: usize) -> &i32 {
            &self.0[i]
        }
    }

    impl IndexMut<usize> for Tensor {
        fn index_mut(&mut self, i: usize) -> &mut i32 {
            &mut self.0[i]
        }
    }

    impl PartialEq<i32> for Tensor {
        fn eq(&self, other: &i32) -> bool {
            self.0 == [*other]
        }
    }

    pub trait Bump {
        fn bump(&mut self);
    }
    impl Bump for i32 {
        fn bump(&mut self) {
            *self += 1;
        }
    }
    impl Bump for Tensor {
        fn bump(&mut self) {
            self.0.iter_mut().for_each(|i| *i += 1);
        }
    }
}
