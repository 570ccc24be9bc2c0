//! Indexing and slicing of Rust collections: reads, writes, borrows, nested collections, indices out of bounds.

use std::collections::{BTreeMap, HashMap};

agree! { nested_vectors: f(3);
    fn f(n: usize) -> (Vec<Vec<i32>>, i32) {
        let mut g = vec![vec![0; n]; n];
        for i in 0..n {
            for j in 0..n {
                if i != j {
                    g[i][j] = (i * n + j) as i32;
                }
                if j > 0 && g[i][j] > g[i][j - 1] {
                    g[i][j] += g[i][j - 1];
                }
            }
        }
        let corner = g[n - 1][0] + g[0][n - 1];
        (g, corner)
    }
}

agree! { fields_of_items: f(2);
    fn f(n: i32) -> (Vec<String>, i32) {
        struct Item {
            name: String,
            count: i32,
            tags: [i32; 2],
        }
        let mut v: Vec<Item> = Vec::new();
        for i in 0..3 {
            v.push(Item { name: format!("i{i}"), count: i, tags: [i, n] });
        }
        v[1].count += n;
        v[0].name.push('!');
        v[2].tags[1] *= 10;
        let mut sum = 0;
        for i in 0..v.len() {
            if v[i].count > 1 && v[i].tags[1] == n {
                sum += v[i].count;
            }
            if v[i].name == "i2" {
                sum += v[i].tags[1];
            }
        }
        (v.into_iter().map(|item| item.name).collect(), sum)
    }
}

agree! { numbers_as_items_whose_type_they_decide: f(3, 2.5);
    fn f(n: usize, x: f64) -> (Vec<u8>, Vec<f64>, [Vec<i64>; 2], Option<f32>) {
        let mut bytes = vec![0; n];
        bytes[1] = n as u8;
        let mut floats = Vec::from([0.0, 1.0]);
        floats[0] = x * 2.0;
        let mut nested = [vec![0; n], vec![1; n]];
        nested[1][0] = -(n as i64);
        let mut boxed: Box<[f32]> = Box::new([0.0; 2]);
        boxed[1] = x as f32;
        (bytes, floats, nested, boxed.last().copied())
    }
}

agree! { positions_are_evaluated_once: f(&[vec!["ab", "c"], vec!["def", "g"]]);
    fn f(rows: &[Vec<&str>]) -> (usize, String, bool, usize) {
        let count = std::cell::Cell::new(0);
        let next = || {
            count.set(count.get() + 1);
            (count.get() - 1) % 2
        };
        let length = rows[next()][next()].len();
        let mut texts = [vec![String::from("x")], vec![String::from("y")]];
        texts[next()][(next() + 1) % 2].push('z');
        let both = (texts, [rows.to_vec()]);
        let is_empty = both.1[(next() + 1) % 1][next()][next()].is_empty();
        (length, both.0[0][0].clone(), is_empty, count.get())
    }
}

agree! { compound_assignment_to_items: f(vec![1, 2, 3]);
    fn f(mut v: Vec<i32>) -> Vec<i32> {
        let mut i = 0;
        while i < v.len() {
            v[i] += 1;
            v[i] *= v[0];
            if v[i] % 2 == 0 {
                v[i] /= 2;
            }
            i += 1;
        }
        v
    }
}

agree! { items_that_are_not_copied: f(vec![String::from("a"), String::from("bb")]);
    fn f(mut v: Vec<String>) -> (Vec<String>, bool, usize) {
        struct NoClone(usize);
        let boxes = [NoClone(3), NoClone(4)];
        let same = v[0] == v[1];
        if v[1].len() > v[0].len() {
            v[0].push_str("long");
        }
        let first = &v[0];
        let n = first.len() + boxes[1].0;
        let last = &boxes[boxes.len() - 1];
        v.swap(0, 1);
        (v, same, n + last.0)
    }
}

agree! { borrowed_items: f(&[1, 2, 3], true), f(&[1, 2, 3], false);
    fn f(v: &[i32], first: bool) -> (i32, Vec<i32>) {
        let item = if first { &v[0] } else { &v[v.len() - 1] };
        let mut w = v.to_vec();
        let slot = &mut w[1];
        if *item > 1 {
            *slot = 10;
        } else {
            *slot -= 10;
        }
        (*item, w)
    }
}

agree! { slices_of_slices: f(&[1, 2, 3, 4, 5]);
    fn f(v: &[i32]) -> (Vec<i32>, i32, usize, i32, bool) {
        let tail = &v[1..];
        let mid = &tail[..3];
        let both = &v[1..=2];
        let sum = if mid[0] < mid[2] { mid.iter().sum() } else { 0 };
        (tail.to_vec(), sum, v[..].len(), both[1], v[..2] == [1, 2] && v[3..] != v[..2])
    }
}

agree! { mutable_slices: f(vec![5, 4, 3, 2, 1]);
    fn f(mut v: Vec<i32>) -> Vec<i32> {
        v[1..4].sort();
        for x in &mut v[..2] {
            if *x > 3 {
                *x *= 10;
            }
        }
        v[3..].fill(7);
        let (a, b) = v.split_at_mut(1);
        b[0] += a[0];
        v
    }
}

agree! { texts_by_range: f("héllo");
    fn f(s: &str) -> (String, String, bool) {
        let head = &s[..3];
        let tail = s[3..].to_string();
        (head.to_string(), tail, &s[0..1] == "h")
    }
}

agree! { maps_by_key: f("b"), f("z");
    fn f(key: &str) -> i32 {
        let map = HashMap::from([("a", 1), ("b", 2)]);
        let tree: BTreeMap<String, Vec<i32>> = BTreeMap::from([(String::from("b"), vec![5, 6])]);
        if map["a"] < 2 && tree["b"][1] > map["b"] { map[key] * 10 } else { 0 }
    }
}

agree! { out_of_bounds_panics_as_in_rust: f(&[1, 2], 1), f(&[1, 2], 2);
    fn f(v: &[i32], i: usize) -> i32 {
        let x = v[i];
        if x > 1 { x } else { -x }
    }
}

agree! { out_of_range_slices_panic_as_in_rust: f(&[1, 2], 2), f(&[1, 2], 3);
    fn f(v: &[i32], end: usize) -> usize {
        v[1..end].len()
    }
}

agree! { an_index_with_side_effects: f();
    fn f() -> (Vec<i32>, i32) {
        let mut v = vec![10, 20, 30];
        let mut next = 0;
        let mut i = || {
            next += 1;
            next - 1
        };
        v[i()] += 1;
        let x = v[i()] + v[i()];
        v[0] = x;
        (v, next as i32)
    }
}

agree! { an_index_type_of_its_own: f(1), f(0);
    fn f(row: usize) -> (i32, i32) {
        use std::ops::{Index, IndexMut};
        struct Grid {
            cells: Vec<i32>,
            width: usize,
        }
        impl Index<(usize, usize)> for Grid {
            type Output = i32;
            fn index(&self, (row, column): (usize, usize)) -> &i32 {
                &self.cells[row * self.width + column]
            }
        }
        impl IndexMut<(usize, usize)> for Grid {
            fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut i32 {
                &mut self.cells[row * self.width + column]
            }
        }
        let mut grid = Grid { cells: vec![1, 2, 3, 4], width: 2 };
        grid[(row, 1)] += 100;
        if grid[(1, 1)] > 100 {
            grid[(0, 0)] = -1;
        }
        (grid[(0, 0)], grid[(row, 1)])
    }
}

agree! { arrays_of_arrays: f(2);
    fn f(k: i32) -> [[i32; 2]; 2] {
        let a = [[1, 2], [3, 4]];
        let mut out = [[0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                for l in 0..2 {
                    out[i][j] += a[i][l] * a[l][j] * k;
                }
            }
        }
        if out[0][0] > 10 { out } else { a }
    }
}

agree! { bubble_sort: f(vec![3, 1, 2]), f(vec![]);
    fn f(mut v: Vec<i32>) -> (Vec<i32>, usize) {
        let mut swaps = 0;
        let mut sorted = false;
        while !sorted {
            sorted = true;
            for i in 1..v.len() {
                if v[i - 1] > v[i] {
                    v.swap(i - 1, i);
                    swaps += 1;
                    sorted = false;
                }
            }
        }
        (v, swaps)
    }
}

agree! { a_sieve: f(30);
    fn f(n: usize) -> Vec<usize> {
        let mut composite = vec![false; n + 1];
        let mut primes = Vec::new();
        for i in 2..=n {
            if composite[i] {
                continue;
            }
            primes.push(i);
            let mut j = i * i;
            while j <= n {
                composite[j] = true;
                j += i;
            }
        }
        primes
    }
}

agree! { binary_search: f(&[1, 3, 5, 7], 5), f(&[1, 3, 5, 7], 4), f(&[], 1);
    fn f(v: &[i32], x: i32) -> Option<usize> {
        let (mut low, mut high) = (0, v.len());
        while low < high {
            let mid = low + (high - low) / 2;
            if v[mid] == x {
                return Some(mid);
            } else if v[mid] < x {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        None
    }
}

agree! { indexing_of_every_kind_of_base: f(1);
    fn f(i: usize) -> Vec<i32> {
        struct Holder {
            items: Vec<(i32, [i32; 2])>,
        }
        impl Holder {
            fn items(&self) -> &Vec<(i32, [i32; 2])> {
                &self.items
            }
        }
        let h = Holder { items: vec![(1, [2, 3]), (4, [5, 6])] };
        let r = &h.items;
        let b = Box::new([7, 8]);
        let nested = vec![vec![vec![9, 10]], vec![vec![11, 12]]];
        let out = vec![
            h.items[i].0,
            h.items()[i].1[0],
            (*r)[i].1[i],
            r[0].1.len() as i32,
            b[i],
            [1, 2, 3][i],
            "abc".as_bytes()[i] as i32,
            nested[i][0][1],
            nested[i - 1][0][..i][0],
            h.items[h.items.len() - 1].0,
            h.items[r[0].0 as usize].0,
            -b[0],
            !b[1],
            b[i] as i32 * 2,
        ];
        if nested[1][0][0] > nested[0][0][1] && nested[0] != nested[1] && h.items[i].1 == [5, 6] { out } else { vec![] }
    }
}

agree! { items_written_from_items: f(vec![1, 2, 3]);
    fn f(mut v: Vec<i32>) -> Vec<i32> {
        v[0] = v[1] + v[2];
        v[1] += v[0];
        let n = v.len();
        v[n - 1] = if v[0] > v[1] { v[0] } else { v[1] };
        (v[0], v[2]) = (v[2], v[0]);
        let mut w = [10, 20];
        std::mem::swap(&mut v[1], &mut w[1]);
        let x = &mut v[2];
        *x += w[1];
        for i in (0..v.len()).rev() {
            let previous = if i == 0 { 0 } else { v[i - 1] };
            v[i] -= previous;
        }
        v[1] <<= 1;
        v
    }
}

agree! { structs_in_arrays_changed_in_place: f(2);
    fn f(n: usize) -> Vec<(usize, String)> {
        #[derive(Default)]
        struct Slot {
            count: usize,
            name: String,
            marks: Vec<bool>,
        }
        let mut slots: [Slot; 3] = Default::default();
        for i in 0..slots.len() {
            slots[i].count += i * n;
            slots[i].name.push_str("slot");
            slots[i].marks.push(i > 1);
            if slots[i].marks[0] || slots[i].name.is_empty() {
                slots[i].name = std::mem::take(&mut slots[0].name);
            }
            let slot = &mut slots[i];
            slot.count += 1;
        }
        slots.into_iter().map(|slot| (slot.count, slot.name)).collect()
    }
}

agree! { items_that_are_called: f(3), f(-3);
    fn f(n: i32) -> (i32, i32) {
        let fs: Vec<Box<dyn Fn(i32) -> i32>> = vec![Box::new(|x| x + 1), Box::new(move |x| if x > 0 { x * n } else { x })];
        let table: [fn(i32) -> i32; 2] = [i32::abs, |x| -x];
        let i = if n > 0 { 1 } else { 0 };
        (fs[i](n) + fs[0](1), table[i](n) + (table[0])(n))
    }
}

agree! { compound_assignments_that_look_at_their_collection: f();
    fn f() -> (Vec<i32>, [String; 2], Vec<f64>) {
        let mut v = vec![1, 2, 3];
        v[0] += v[1] * v[2];
        let last = v.len() - 1;
        v[last] -= v[0];
        let mut names = ["a".to_string(), "b".to_string()];
        names[0] += &names[1].clone();
        names[1] += &(names[0].clone() + "!");
        let mut x = vec![1.0; 3];
        let x_ref = &mut x;
        x_ref[1] += x_ref[0] / 2.0;
        (v, names, x)
    }
}

agree! { the_order_of_an_assignment_to_an_item: f();
    fn f() -> (Vec<i32>, Vec<&'static str>) {
        let mut log = Vec::new();
        let mut v = vec![0; 3];
        let mut next = |what: &'static str, value: usize| {
            log.push(what);
            value
        };
        v[next("index", 1)] = next("value", 7) as i32;
        v[next("index", 2)] += next("value", 8) as i32;
        (v, log)
    }
}

agree! { items_of_own_types_and_guards: f();
    fn f() -> (i32, Vec<i32>, Vec<u8>) {
        use std::cell::RefCell;
        use std::ops::{Index, IndexMut};
        struct Grid(Vec<i32>);
        impl Index<(usize, usize)> for Grid {
            type Output = i32;
            fn index(&self, (i, j): (usize, usize)) -> &i32 {
                &self.0[2 * i + j]
            }
        }
        impl IndexMut<(usize, usize)> for Grid {
            fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut i32 {
                &mut self.0[2 * i + j]
            }
        }
        let mut grid = Grid(vec![1, 2, 3, 4]);
        grid[(1, 0)] = 30;
        grid[(1, 1)] += grid[(1, 0)];
        let shared = RefCell::new(vec![1, 2]);
        shared.borrow_mut()[0] = 9;
        {
            let mut guard = shared.borrow_mut();
            guard[1] = 8;
            guard[0] += 1;
        }
        let mut bytes = Box::new([0u8; 3]);
        bytes[1] = b'x';
        bytes[0..1][0] = 1;
        (grid[(1, 1)], shared.into_inner(), bytes.to_vec())
    }
}

agree! { an_item_that_is_open_until_later: f();
    fn f() -> Vec<u64> {
        let mut v = vec![0; 3];
        v[0] = 1;
        let i = 1;
        v[i] = 2;
        v[i + 1] = v[i] + 1;
        v
    }
}

agree! { methods_of_items_behind_references_and_guards: f();
    fn f() -> (Vec<String>, Vec<usize>, usize) {
        use std::cell::RefCell;
        use std::collections::VecDeque;
        let shared = RefCell::new(vec![String::from("a"), String::from("b")]);
        shared.borrow_mut()[1].push('!');
        let mut queues = [VecDeque::new(), VecDeque::from([1])];
        let i = queues.len() - 1;
        queues[i].push_back(2);
        queues[i - 1].extend(queues[i].clone());
        let boxed: Box<[Vec<i32>]> = vec![vec![3, 1, 2]].into();
        let mut boxed = boxed;
        boxed[0].sort_by(|a, b| b.cmp(a));
        boxed[0][1..].reverse();
        let lines = ["x y", "z"];
        let words: Vec<usize> = lines.iter().map(|line| line[..1].len() + lines[0].split(' ').count()).collect();
        let found = boxed[0].iter().max().copied().unwrap_or(0) as usize;
        (shared.into_inner(), words, found + queues[0].len() + boxed[0][1] as usize)
    }
}
