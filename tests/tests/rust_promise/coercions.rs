//! Coercions: where a value is used, its type may be converted to the expected type: a `&mut` to a `&`, a `&String` to a `&str`, an array to a
//! slice, a type to a trait object. This works in branches, too.

use std::collections::HashMap;
use std::fmt::Display;

agree! { a_mutable_reference_becomes_a_shared_one_in_a_branch: f("a", 1), f("a", 2), f("b", 2);
    fn f(name: &str, value: i32) -> Result<i32, String> {
        let mut values = HashMap::from([("a", 1)]);
        if let Some(existing) = values.get_mut(name) {
            if *existing == value {
                *existing += 10;
                return Ok(*existing);
            } else {
                return Err(told(existing, value));
            }
        }
        Ok(values.len() as i32)
    }
    fn told(existing: &i32, value: i32) -> String {
        format!("{existing} for {value}")
    }
}

enum Word {
    Name(String),
    Numbers(Vec<i32>),
    None,
}

agree! { a_string_becomes_its_text_in_a_guarded_arm: f(Word::Name("ab".into()), 1), f(Word::Name("ab".into()), 5),
    f(Word::Numbers(vec![1, 2]), 1), f(Word::Numbers(vec![1, 2]), 3), f(Word::None, 0);
    fn f(word: Word, least: usize) -> usize {
        match &word {
            Word::Name(name) => match least {
                2.. => length(name) * 10,
                _ => {
                    if length(name) > least {
                        length(name)
                    } else {
                        0
                    }
                }
            },
            Word::Numbers(numbers) if count(numbers) > least => {
                if least > 0 { count(numbers) } else { 100 }
            }
            Word::Numbers(_) | Word::None => 7,
        }
    }
    fn length(text: &str) -> usize {
        text.len()
    }
    fn count(numbers: &[i32]) -> usize {
        numbers.len()
    }
}

agree! { a_boxed_type_becomes_a_trait_object_in_a_branch: f(1), f(-1);
    fn f(n: i32) -> Vec<String> {
        let boxed = Box::new(n);
        let array = [n, n + 1];
        let mut parts: Vec<Box<dyn Display>> = vec![];
        if n > 0 {
            let last = Box::new("last");
            if n < 5 {
                push(&mut parts, last);
            }
            push(&mut parts, boxed);
        }
        let slice: &[i32] = if n > 0 { &array } else { &[] };
        let mut texts: Vec<String> = parts.iter().map(|part| part.to_string()).collect();
        texts.push(format!("{slice:?}"));
        texts
    }
    fn push(parts: &mut Vec<Box<dyn Display>>, part: Box<dyn Display>) {
        parts.push(part);
    }
}

agree! { a_pointer_that_writes_becomes_one_that_reads_in_a_branch: f::<true>(3), f::<false>(3);
    fn f<const TAKES: bool>(n: i32) -> (bool, i32) {
        let mut value = n;
        let pointer: *mut i32 = &mut value;
        let other: *const i32 = &n;
        if TAKES {
            let last = pointer;
            let same = std::ptr::eq(last, other);
            return (same, value);
        }
        (is_null(pointer), n)
    }
    fn is_null(pointer: *const i32) -> bool {
        pointer.is_null()
    }
}

agree! { a_function_becomes_a_pointer_in_a_branch: f(2), f(-2);
    fn f(n: i32) -> i32 {
        let double = |x| x * 2;
        let mut steps: Vec<fn(i32) -> i32> = vec![];
        if n > 0 {
            add(&mut steps, double);
        }
        steps.iter().fold(n, |n, step| step(n))
    }
    fn add(steps: &mut Vec<fn(i32) -> i32>, step: fn(i32) -> i32) {
        steps.push(step);
    }
}

agree! { mutable_references_are_compared_as_shared_ones: call(&[3, -1, 9]);
    fn extend(bounds: &mut (Vec<i32>, Vec<i32>), point: &[i32]) {
        let (min, max) = bounds;
        for ((l, h), v) in min.iter_mut().zip(max.iter_mut()).zip(point.iter()) {
            if v < l {
                *l = *v
            }
            if v >= h {
                *h = *v
            }
        }
    }
    fn call(point: &[i32]) -> (Vec<i32>, Vec<i32>) {
        let mut bounds = (vec![0, 0, 0], vec![5, 5, 5]);
        extend(&mut bounds, point);
        bounds
    }
}

agree! { values_that_are_told_a_reference: f(2, 5_000_000_000, "2".into()), f(7, 1, "a".into()), f(-1, 0, "".into());
    fn f(n: i32, big: i64, text: String) -> Vec<String> {
        let boxed = Box::new(n);
        let odd: Vec<i32> = (0..8).filter(|m| [1, 3, 5].contains(m)).filter(|m| [n, 3].contains(m)).collect();
        // The type is inferred only from the method call.
        let parsed = n.to_string().parse().unwrap();
        let (word, owned): (&str, &String) = (&text, &text);
        let is_small = |m| [1, 2].contains(&m);
        let told = |r: &&i32| [-1, 2].contains(&**r) && (0..3).contains(&**r);
        vec![
            format!("{}", [1, 2, 3].contains(&n)),
            format!("{}", [5_000_000_000, 1].contains(&big)),
            format!("{}", [1, 2].contains(&&n)),
            format!("{}", [1, 2].contains(&boxed)),
            format!("{:?}", [1, 2, 3].binary_search(&n)),
            format!("{:?}", [1, 2, 3].starts_with(&[1, n])),
            format!("{:?}", [1, 2, 3].strip_prefix(&[1])),
            format!("{:?}", [1, 2, 3].cmp(&[1, 2, n])),
            format!("{}", [1.5, 2.0].contains(&(n as f64))),
            format!("{}", (0..10).contains(&n)),
            format!("{}", (0.5..=2.0).contains(&(n as f32))),
            format!("{}", [2, 3].contains(&"2".parse().unwrap())),
            format!("{} {}", ["2", "a"].contains(&word), ["2"].contains(&&**owned)),
            format!("{} {}", ["2".to_string()].contains(&text), ["2", "a"].starts_with(&[&text])),
            format!("{} {}", [2, 3].contains(&parsed), is_small(n as u8)),
            format!("{odd:?} {}", told(&&n)),
        ]
    }
}

agree! { a_pointer_for_one_to_a_constant_in_a_branch: f(&[1, 0, 3, 0, 5]), f(&[]);
    fn f(items: &[u32]) -> Vec<u32> {
        let mut list = items.to_vec();
        let mut kept = Kept { list: &mut list, seen: 0, deleted: 0 };
        fn next<F: FnMut(&u32) -> bool, const DELETED: bool>(keep: &mut F, kept: &mut Kept<'_>) -> bool {
            let item: *mut u32 = &mut kept.list[kept.seen];
            kept.seen += 1;
            if !keep(unsafe { &*item }) {
                kept.deleted += 1;
                return false;
            }
            if DELETED {
                unsafe {
                    let hole = item.sub(kept.deleted);
                    std::ptr::copy(item, hole, 1);
                }
            }
            true
        }
        let mut keep = |item: &u32| *item > 0;
        while kept.seen != items.len() {
            if !next::<_, false>(&mut keep, &mut kept) {
                break;
            }
        }
        while kept.seen != items.len() {
            next::<_, true>(&mut keep, &mut kept);
        }
        let left = items.len() - kept.deleted;
        list.truncate(left);
        list
    }
    struct Kept<'a> {
        list: &'a mut Vec<u32>,
        seen: usize,
        deleted: usize,
    }
}
