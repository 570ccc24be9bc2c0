
three_ways! { guards_with_bindings: f(int(2)), f(int(50)), f(int(51));
    fn f(x: Int) -> Int {
        match x {
            n if n < 10 => n * 2,
            n if n % 2 == 0 => n * 3,
            n => n * 5,
        }
    }
}
