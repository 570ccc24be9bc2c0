
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
