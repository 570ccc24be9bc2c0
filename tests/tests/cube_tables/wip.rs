
three_ways! { p09_match_guards: f(int(2)), f(int(3)), f(int(4));
    fn f(x: Int) -> Int {
        match x {
            n if n > 3 => n * 10,
            n => n - 1,
        }
    }
}

three_ways! { p21_macros_in_the_body: f(float(0.5), 3), f(float(5.0), 9);
    fn f(x: Float, n: i32) -> Float {
        macro_rules! doubled {
            ($e:expr) => {
                $e * 2.0
            };
        }
        println!("{x} {n}");
        let y = if matches!(n, 1..=5) { x * 10.0 } else { x };
        if y > 4.0 { doubled!(&y) } else { y }
    }
}
