
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
