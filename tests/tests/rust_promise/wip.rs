
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

agree! { jumps_inside_conditions: f(3), f(30);
    fn f(n: i32) -> Vec<i32> {
        let mut out = vec![];
        let mut i = 0;
        'turns: while if i > 8 { break 'turns } else { i < n } {
            i += 1;
            if (if i == 2 { continue } else { i }) > 4 {
                out.push(i);
            }
        }
        if loop { break n > 5 } {
            out.push(100);
        }
        let x = loop {
            break if n > 5 { 1 } else { 2 };
        };
        while { if x == 1 { return out; } false } {}
        out.push(if (match n { 3 => true, _ => return vec![] }) && x == 2 { 7 } else { 8 });
        out
    }
}

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

agree! { items_that_are_called: f(3), f(-3);
    fn f(n: i32) -> (i32, i32) {
        let fs: Vec<Box<dyn Fn(i32) -> i32>> = vec![Box::new(|x| x + 1), Box::new(move |x| if x > 0 { x * n } else { x })];
        let table: [fn(i32) -> i32; 2] = [i32::abs, |x| -x];
        let i = if n > 0 { 1 } else { 0 };
        (fs[i](n) + fs[0](1), table[i](n) + (table[0])(n))
    }
}

agree! { fields_and_dereferences_that_cannot_be_cloned: f(1.5), f(-1.0);
    fn f(x: f64) -> (f64, f64, f64) {
        struct Meters(f64);
        impl Add for Meters {
            type Output = Meters;
            fn add(self, other: Meters) -> Meters {
                Meters(self.0 + other.0)
            }
        }
        impl<'a> Add<&'a Meters> for &'a Meters {
            type Output = Meters;
            fn add(self, other: &'a Meters) -> Meters {
                Meters(self.0 * 100.0 + other.0)
            }
        }
        impl std::ops::AddAssign for Meters {
            fn add_assign(&mut self, other: Meters) {
                self.0 += other.0;
            }
        }
        impl std::ops::Neg for Meters {
            type Output = Meters;
            fn neg(self) -> Meters {
                Meters(-self.0)
            }
        }
        struct Way {
            there: Meters,
            back: Meters,
        }
        let way = Way { there: Meters(x), back: Meters(2.0) };
        let (a, b) = (Meters(1.0), Meters(x));
        let by_reference = &a + &b;
        let mut sum = way.there + way.back;
        if x > 0.0 {
            sum += a;
        } else {
            sum += -b;
        }
        let boxed = Box::new(Meters(7.0));
        let unboxed = *boxed + Meters(1.0);
        (by_reference.0, sum.0, unboxed.0)
    }
}

agree! { a_guard_with_lets_and_side_effects: f(1), f(2), f(3);
    fn f(n: i32) -> (i32, Vec<&'static str>) {
        let mut log = vec![];
        let mut note = |s, b| {
            log.push(s);
            b
        };
        let r = match n {
            1 if note("a", false) => 1,
            1 | 2 if note("b", n == 2) => 2,
            x if note("c", true) && x < 3 => 3,
            _ => 4,
        };
        (r, log)
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
