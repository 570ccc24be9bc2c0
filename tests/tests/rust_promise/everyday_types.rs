//! Everyday programs with types and traits of their own, whose methods have the attribute.

use std::rc::Rc;

agree! { receivers_of_every_type: call();
    impl T {
        fn boxed(mut self: Box<Self>, n: i32) -> i32 {
            if n > 3 {
                self.0 += n;
            }
            self.0
        }
        fn shared(self: Rc<Self>) -> i32 {
            if self.0 > 3 {
                Rc::strong_count(&self) as i32
            } else {
                0
            }
        }
        fn by_ref(self: &Rc<Self>) -> i32 {
            match Rc::strong_count(self) {
                1 => self.0,
                n => n as i32,
            }
        }
        fn owned(mut self) -> i32 {
            while self.0 > 5 {
                self.0 -= 2;
            }
            self.0
        }
        fn pinned(mut self: std::pin::Pin<&mut Self>, n: i32) -> i32 {
            self.0 *= n;
            if self.0 > 5 { self.0 } else { n }
        }
    }
    fn call() -> (i32, i32, i32, i32, i32) {
        let mut t = T(3);
        let p = std::pin::Pin::new(&mut t);
        let pinned = p.pinned(2);
        let rc = Rc::new(T(4));
        (
            Box::new(T(1)).boxed(5),
            Rc::clone(&rc).shared(),
            rc.by_ref(),
            T(9).owned(),
            pinned,
        )
    }
    struct T(i32);
}

agree! { parameters_taken_apart: f([1, 2], (3.0, 4.0), P { x: 5, y: 6 }, 0, &7, Some(&mut 3));
    fn f(
        [a, b]: [i32; 2],
        (x, mut y): (f32, f32),
        P { x: px, .. }: P,
        _: u8,
        &z: &i32,
        m: Option<&mut i32>,
    ) -> (i32, f32) {
        if let Some(m) = m {
            *m += a;
            if *m > 3 {
                y += *m as f32;
            }
        }
        (if a < b { px + z } else { 0 }, x * y)
    }
    struct P {
        x: i32,
        #[allow(dead_code)]
        y: i32,
    }
}

agree! { operators_of_references_to_a_parameter: call();
    fn sum<T>(v: &[T]) -> T
    where
        T: Default + Clone,
        for<'a> &'a T: std::ops::Add<&'a T, Output = T>,
    {
        let mut acc = T::default();
        for x in v {
            acc = &acc + x;
        }
        acc
    }
    fn call() -> (i32, f64) {
        (sum::<i32>(&[1, 2, 3]), sum::<f64>(&[0.5, 0.25]))
    }
}

agree! { an_iterator_that_calls_its_next: call();
    fn pairs<I>(it: I) -> impl Iterator<Item = (I::Item, I::Item)>
    where
        I: Iterator,
        I::Item: Clone,
    {
        let mut prev = None;
        it.filter_map(move |x| {
            let out = prev.take().map(|p| (p, x.clone()));
            prev = Some(x);
            out
        })
    }
    struct Countdown(u32);
    impl Iterator for Countdown {
        type Item = u32;
        #[graph_fn]
        fn next(&mut self) -> Option<u32> {
            let n = self.0.checked_sub(1)?;
            self.0 = n;
            if n == 3 { self.next() } else { Some(n) }
        }
    }
    fn call() -> Vec<(u32, u32)> {
        pairs(Countdown(6)).collect()
    }
}

agree! { a_generic_stack: call();
    impl<T: std::fmt::Debug> Stack<T> {
        fn new() -> Self {
            Self::default()
        }
        fn push(&mut self, item: T) -> &mut Self {
            self.items.push(item);
            self
        }
        fn pop_if(&mut self, test: impl Fn(&T) -> bool) -> Option<T> {
            if self.items.last().is_some_and(|x| test(x)) {
                self.items.pop()
            } else {
                None
            }
        }
        fn len(&self) -> usize {
            self.items.len()
        }
    }
    fn call() -> (Option<i32>, Option<String>, usize, String) {
        let mut s = Stack::new();
        s.push(1).push(2).push(3);
        let top = s.pop_if(|x| *x > 2);
        let mut t = Stack::<String>::default();
        t.push("a".into());
        let none = t.pop_if(|s| s.len() > 4);
        (top, none, s.len(), format!("{s:?}"))
    }
    #[derive(Debug)]
    struct Stack<T> {
        items: Vec<T>,
    }
    impl<T> Default for Stack<T> {
        fn default() -> Self {
            Self { items: Vec::new() }
        }
    }
}

agree! { operators_of_a_type: call();
    fn norm<V>(vs: &[V]) -> V::Scalar
    where
        V: Inner + Copy,
        V::Scalar: std::ops::Add<Output = V::Scalar> + Default + PartialOrd + Copy,
    {
        let mut best = V::Scalar::default();
        for (i, a) in vs.iter().enumerate() {
            for b in &vs[i..] {
                let d = a.dot(*b);
                if d > best {
                    best = d + best;
                }
            }
        }
        best
    }
    trait Inner {
        type Scalar;
        fn dot(self, other: Self) -> Self::Scalar;
    }
    #[derive(Clone, Copy, PartialEq)]
    struct V2 {
        x: f32,
        y: f32,
    }
    impl std::ops::Mul<f32> for V2 {
        type Output = V2;
        #[graph_fn]
        fn mul(self, k: f32) -> V2 {
            V2 {
                x: self.x * k,
                ..V2 {
                    y: self.y * k,
                    x: 0.0,
                }
            }
        }
    }
    impl std::ops::Neg for V2 {
        type Output = Self;
        #[graph_fn]
        fn neg(self) -> Self {
            let V2 { x, y } = self;
            Self { x: -x, y: -y }
        }
    }
    impl std::ops::AddAssign for V2 {
        #[graph_fn]
        fn add_assign(&mut self, o: Self) {
            self.x += o.x;
            self.y += o.y;
        }
    }
    impl std::ops::Index<usize> for V2 {
        type Output = f32;
        #[graph_fn]
        fn index(&self, i: usize) -> &f32 {
            match i {
                0 => &self.x,
                1 => &self.y,
                _ => panic!("no axis {i}"),
            }
        }
    }
    impl Inner for V2 {
        type Scalar = f32;
        #[graph_fn]
        fn dot(self, o: Self) -> f32 {
            self.x * o.x + self.y * o.y
        }
    }
    fn call() -> (f32, f32, f32) {
        let mut v = V2 { x: 1.0, y: 2.0 } * 3.0;
        v += -V2 { x: 1.0, y: 1.0 };
        (norm(&[v, v]), v[0], v[1])
    }
}

agree! { a_search_tree: call();
    impl Tree {
        fn insert(&mut self, key: i32) -> bool {
            let mut at = &mut self.root;
            while let Some(node) = at {
                match key.cmp(&node.key) {
                    std::cmp::Ordering::Less => at = &mut node.left,
                    std::cmp::Ordering::Greater => at = &mut node.right,
                    std::cmp::Ordering::Equal => return false,
                }
            }
            *at = Some(Box::new(Node {
                key,
                left: None,
                right: None,
            }));
            true
        }
        fn depth(&self) -> usize {
            fn go(n: Option<&Node>) -> usize {
                n.map_or(0, |n| 1 + go(n.left.as_deref()).max(go(n.right.as_deref())))
            }
            go(self.root.as_deref())
        }
        fn min(&self) -> Option<&i32> {
            let mut at = self.root.as_ref()?;
            while let Some(left) = &at.left {
                at = left;
            }
            Some(&at.key)
        }
        fn pop_min(&mut self) -> Option<i32> {
            fn go(at: &mut Option<Box<Node>>) -> Option<i32> {
                if at.as_ref()?.left.is_some() {
                    go(&mut at.as_mut().unwrap().left)
                } else {
                    let node = at.take()?;
                    *at = node.right;
                    Some(node.key)
                }
            }
            go(&mut self.root)
        }
    }
    fn call() -> (Vec<bool>, usize, Option<i32>, Vec<i32>) {
        let mut t = Tree::default();
        let ins = [5, 2, 8, 2, 1].iter().map(|&k| t.insert(k)).collect();
        let (d, m) = (t.depth(), t.min().copied());
        let mut out = vec![];
        while let Some(k) = t.pop_min() {
            out.push(k);
            if out.len() > 9 {
                break;
            }
        }
        (ins, d, m, out)
    }
    #[derive(Debug, Default)]
    struct Tree {
        root: Option<Box<Node>>,
    }
    #[derive(Debug)]
    struct Node {
        key: i32,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }
}

agree! { a_field_taken_and_given_back: call();
    impl Queue {
        fn run(&mut self) -> usize {
            let mut rounds = 0;
            while !self.items.is_empty() {
                for mut item in std::mem::take(&mut self.items) {
                    item -= 2;
                    if item > 0 {
                        self.items.push(item);
                    } else {
                        self.done.push(item);
                        self.note(item);
                    }
                }
                rounds += 1;
            }
            let Queue { done, items } = self;
            items.extend(done.drain(..).filter(|x| *x < 0));
            rounds
        }
        fn note(&mut self, x: i32) {
            let Self { done, .. } = self;
            if let Some(last) = done.last_mut() {
                *last -= x & 1;
            }
        }
    }
    fn call() -> (usize, Vec<i32>) {
        let mut q = Queue {
            items: vec![5, 2, 1],
            done: vec![],
        };
        let r = q.run();
        (r, q.items)
    }
    struct Queue {
        items: Vec<i32>,
        done: Vec<i32>,
    }
}

agree! { variants_with_numbers: f(0), f(2), f(7);
    fn f(n: u8) -> (Option<u8>, &'static str, bool) {
        #[repr(u8)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        enum Level {
            Low = 1,
            Mid,
            High = 7,
        }
        impl Level {
            const ALL: [Level; 3] = [Self::Low, Self::Mid, Self::High];
            const TOP: u8 = Self::High as u8;
            fn of(n: u8) -> Option<Self> {
                Self::ALL.into_iter().find(|l| *l as u8 == n)
            }
        }
        let l = Level::of(n);
        let name = match (l, n) {
            (Some(Level::Low | Level::Mid), _) => "lower",
            (None, 0..=3) => "none",
            (_, Level::TOP) => "top",
            _ => "?",
        };
        (l.map(|l| l as u8 + 1), name, l >= Some(Level::Mid))
    }
}

agree! { self_lent_beside_its_parts: call();
    impl Stream {
        fn skip<F>(&mut self, f: F)
        where
            F: Fn(&Stream, u8) -> bool,
        {
            while self.at < self.bytes.len() && f(self, self.byte()) {
                self.at += 1;
            }
        }
        fn replaced(&mut self, at: usize) -> Stream {
            if at == 0 {
                return std::mem::replace(self, Stream { at: self.at, bytes: vec![at as u8] });
            }
            Stream { at, bytes: Vec::new() }
        }
        fn byte(&self) -> u8 {
            self.bytes[self.at]
        }
        fn in_order(&mut self) -> (usize, Vec<u8>) {
            fn sum(first: usize, n: usize, stream: &mut Stream, last: usize) -> usize {
                stream.at += n;
                first + stream.at + last
            }
            let mut log = Vec::new();
            let n = 1;
            let sum = sum({ log.push(1); 10 }, n, self, { log.push(2); self.at + n + 20 });
            (sum, log)
        }
    }
    struct Stream {
        at: usize,
        bytes: Vec<u8>,
    }
    fn call() -> (usize, Vec<u8>, Vec<u8>, usize, (usize, Vec<u8>)) {
        let mut stream = Stream { at: 0, bytes: b"aab".to_vec() };
        stream.skip(|stream, byte| stream.at < 9 && byte == b'a');
        let at = stream.at;
        let old = stream.replaced(0);
        let then = stream.replaced(7).at;
        let ordered = stream.in_order();
        (at, old.bytes, stream.bytes, then, ordered)
    }
}
