//! `unsafe` code over raw pointers.

agree! { casts_of_a_reference_to_a_pointer: f(&mut [1.0, -2.0]), f(&mut []);
    fn f(numbers: &mut [f32]) -> (u32, f32) {
        let mut bits = 0;
        let mut sum = 0.0;
        for n in numbers {
            // SAFETY: the pointer is that of a live reference, and all bit patterns are valid for `u32`.
            unsafe {
                bits ^= *(n as *const f32 as *const u32);
                *(n as *mut f32) += 1.0;
            }
            if *n > 0.0 {
                sum += *n;
            }
        }
        (bits, sum)
    }
}

agree! { references_to_what_a_pointer_points_to: f(3), f(-3);
    fn f(n: i32) -> (i32, Vec<i32>) {
        struct Shared {
            count: i32,
            list: Vec<i32>,
        }
        let shared = Box::into_raw(Box::new(Shared { count: 0, list: Vec::new() }));
        let raise = |count: &mut i32| *count += 1;
        if n > 0 {
            // SAFETY: `shared` is live until the box is made again, and nothing else refers to it.
            unsafe {
                raise(&mut (*shared).count);
                (*shared).list.push(n);
                (*shared).count += n;
            }
        }
        for i in 0..2 {
            // SAFETY: as above.
            let list = unsafe { &mut (*shared).list };
            list.push(i);
        }
        // SAFETY: `shared` came out of a box.
        let shared = unsafe { Box::from_raw(shared) };
        (shared.count, shared.list)
    }
}

agree! { a_pointer_compared_with_a_reference: f(0), f(1);
    fn f(n: usize) -> Vec<bool> {
        static TABLES: [i32; 2] = [1, 2];
        let pointer: *const i32 = &TABLES[n];
        let mut found = vec![pointer == &TABLES[0], pointer != &TABLES[1]];
        if pointer == &TABLES[1] {
            found.push(true);
        }
        found
    }
}

agree! { a_block_that_is_called: f(3), f(-3);
    fn f(n: i32) -> (i32, i32) {
        fn raised(n: i32) -> i32 { n + 1 }
        fn lowered(n: i32) -> i32 { n - 1 }
        let change = |n: i32| { match n > 0 { true => raised, false => lowered } }(n);
        let double = |n: i32| { if n > 0 { raised } else { lowered } }(n) * 2;
        (change(n), double(n))
    }
}
