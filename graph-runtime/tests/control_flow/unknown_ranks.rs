//! Exits of loops that depend on a tensor of unknown rank: the verifier accepts the traced graphs, and they do the same as
//! plain code. If the tensor has more than one value, the error names the user's line.

use graph_runtime::TensorArray;
use graph_runtime::prelude::*;

use crate::{both, known};

/// A function of a tensor of unknown rank, and the result of plain Rust for 3.
macro_rules! programs {
    ($($name:ident = $expected:literal: |$x:ident| $body:block)*) => { $(
        #[test]
        fn $name() {
            #[graph_fn]
            fn program(x: Tensor<i32>) -> Tensor<i32> {
                let $x = known(&x, false);
                $body
            }
            assert_eq!(both(|| program(tensor(3)).item()), $expected);
            assert_eq!(both(|| program(tensor([3]).dynamic()).item()), $expected);
            let failed = std::panic::catch_unwind(|| program(tensor([3, 4]).dynamic())).unwrap_err();
            let message = failed.downcast_ref::<String>().expect("a message");
            assert!(message.contains("must be a scalar, not") && message.contains("unknown_ranks.rs"), "{message}");
        }
    )* };
}

programs! {
    a_while_with_a_break = 3: |x| {
        let mut n = tensor(0);
        while n < &x {
            n += 1;
            if n > 2 {
                break;
            }
        }
        n
    }
    a_break_alone = 4: |x| {
        let mut n = tensor(0);
        while n < 9 {
            n += 1;
            if n > &x {
                break;
            }
        }
        n
    }
    a_loop_with_two_ways_on = 4: |x| {
        let mut n = tensor(0);
        loop {
            n += 1;
            if n > 100 || n > &x {
                break;
            }
            if x < &n {
                continue;
            }
        }
        n
    }
    a_loop_that_gives_a_value = 40: |x| {
        let mut n = tensor(0);
        loop {
            n += 1;
            if n > &x {
                break n * 10;
            }
        }
    }
    a_return_in_a_loop = 6: |x| {
        let mut n = tensor(0);
        while n < 10 {
            n += 1;
            if n == x {
                return n * 2;
            }
        }
        n
    }
    a_match_with_ways_out = 1: |x| {
        let mut n = tensor(0);
        while n < 10 {
            n += 1;
            match x {
                3 => break,
                4 => continue,
                _ => {}
            }
        }
        n
    }
    loops_within_loops = 4: |x| {
        let mut n = tensor(0);
        'outer: for i in 0..5 {
            for j in 0..&x {
                n += j + 1;
                if n > &x {
                    break 'outer;
                }
                if x == i {
                    continue 'outer;
                }
            }
        }
        n - 2
    }
    a_panic_on_one_way = 3: |x| {
        let mut n = tensor(0);
        while n < 5 {
            if n > &x {
                panic!("there is no {n}");
            }
            n += 1;
            if n > 2 {
                break;
            }
        }
        n
    }
    rows_that_are_pushed = 9: |x| {
        let (mut rows, mut i) = (TensorArray::dynamic(), tensor(0));
        while i < 5 {
            rows.push(&i + 2);
            i += 1;
            if i == x {
                break;
            }
        }
        rows.stack().sum()
    }
    a_dataset_that_is_left = 6: |x| {
        let mut n = tensor(0i64);
        for i in Dataset::range(0..10) {
            n += i;
            if n > x.cast::<i64>() {
                break;
            }
        }
        n.cast()
    }
}
