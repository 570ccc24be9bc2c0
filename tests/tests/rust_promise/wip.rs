
agree! { arms_that_leave_among_arms_that_do_not: f(4), f(13);
    fn f(n: i32) -> Vec<i32> {
        let mut out = vec![];
        for i in 0.. {
            let x = if i > n {
                break;
            } else if i % 3 == 0 {
                continue;
            } else {
                i
            };
            let y = match x {
                1 => 100,
                8 => return vec![-8],
                x if x % 2 == 0 => continue,
                x => x * 2,
            };
            out.push(y);
        }
        out
    }
}

agree! { chains_of_lets_in_conditions: f(Some(3), "4"), f(Some(3), "x"), f(None, "1"), f(Some(9), "9");
    fn f(a: Option<i32>, b: &str) -> i32 {
        if let Some(a) = a && let Ok(b) = b.parse::<i32>() && a < 5 && b > a {
            a * b
        } else if let Some(a) = a && a > 5 {
            -a
        } else {
            0
        }
    }
}

agree! { let_else_that_returns_breaks_or_continues: f(&[Some(1), None, Some(5), Some(100), Some(7)]);
    fn f(items: &[Option<i32>]) -> Vec<i32> {
        let mut out = vec![];
        for item in items {
            let Some(n) = *item else {
                out.push(-1);
                continue;
            };
            let (true, m) = (n < 50, n + 1) else { break };
            out.push(m);
        }
        let [first, .., last] = out[..] else { return vec![] };
        out.push(first * last);
        out
    }
}

agree! { operands_that_cannot_be_cloned: f(1.5), f(-1.0);
    fn f(x: f64) -> f64 {
        #[derive(PartialEq, PartialOrd)]
        struct Meters(f64);
        impl Add for Meters {
            type Output = Meters;
            fn add(self, other: Meters) -> Meters {
                Meters(self.0 + other.0)
            }
        }
        let a = Meters(x);
        let b = Meters(2.0);
        if a > b || a == b {
            return 0.0;
        }
        let sum = a + b;
        if sum < Meters(3.0) { sum.0 } else { -sum.0 }
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

agree! { the_largest_by_a_partial_order: f(&[3, 9, 4]), f(&[0.5, -1.0]), f(&['x', 'b']);
    fn f<T: PartialOrd + Copy>(items: &[T]) -> T {
        let mut best = items[0];
        for &item in items {
            if item > best {
                best = item;
            }
        }
        best
    }
}

agree! { a_clamp_of_anything_ordered: f(5, 1, 3), f(2, 1, 3), f(-5, 1, 3), f(0.5, 1.0, 2.0);
    fn f<T>(x: T, low: T, high: T) -> T
    where
        T: PartialOrd,
    {
        if x < low {
            low
        } else if x > high {
            high
        } else {
            x
        }
    }
}

agree! { sums_of_anything_added: f(vec![1, 2, 3], 10), f(vec![0.5, 0.25], 2.0);
    fn f<T>(items: Vec<T>, by: T) -> T
    where
        T: Add<Output = T> + Mul<Output = T> + AddAssign + Default + Copy + PartialEq,
    {
        let mut sum = T::default();
        for item in items {
            sum += item * by;
        }
        if sum == T::default() { by } else { sum + by }
    }
}

agree! { const_and_type_parameters_together: f::<2, u8>(3), f::<0, i64>(3);
    fn f<const WIDTH: usize, T: From<u8> + Add<Output = T> + Copy>(x: u8) -> Vec<T> {
        let mut row = vec![T::from(x); WIDTH];
        if WIDTH > 0 {
            let sum = row[0] + T::from(1);
            row.push(sum);
        }
        row
    }
}
