//! `break`, `continue` and `return` out of several constructs at once: labels, values, nested loops of different
//! kinds.

three_ways! { return_out_of_nested_whiles: f(int(20)), f(int(10_000));
    fn f(limit: Int) -> (Int, Int) {
        let mut i = int(0);
        while i < 10 {
            let mut j = int(0);
            while j < 10 {
                if i * j > limit {
                    return (i, j);
                }
                j += 1;
            }
            i += 1;
        }
        (int(-1), i)
    }
}

three_ways! { return_out_of_nested_fors: f(int(6), int(8)), f(int(6), int(100)), f(int(0), int(0));
    fn f(n: Int, product: Int) -> Int {
        for i in 1..n.clone() {
            for j in i.clone()..n.clone() {
                if i.clone() * j.clone() == product {
                    return i * 10 + j;
                }
            }
        }
        -1
    }
}

three_ways! { return_out_of_three_levels_with_state: f(int(3), int(7)), f(int(3), int(1000));
    fn f(n: Int, stop: Int) -> Int {
        let mut count = int(0);
        for i in 0..n.clone() {
            let mut j = int(0);
            while j < n {
                j += 1;
                for k in 0..n.clone() {
                    if k > i {
                        continue;
                    }
                    count += 1;
                    if count == stop {
                        return i * 100 + j * 10 + k;
                    }
                }
            }
        }
        count
    }
}

three_ways! { continue_of_the_outer_loop: f(int(6));
    fn f(n: Int) -> (Int, Int) {
        let mut whole = int(0);
        let mut steps = int(0);
        'rows: for i in 0..n.clone() {
            for j in 0..n.clone() {
                steps += 1;
                if j > i {
                    continue 'rows;
                }
                if j == 3 {
                    continue;
                }
                steps += 100;
            }
            whole += 1;
        }
        (whole, steps)
    }
}

three_ways! { break_of_the_outer_loop: f(int(7)), f(int(3));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        'o: for i in 0..n.clone() {
            for j in 0..n.clone() {
                if i.clone() * j > 10 {
                    break 'o;
                }
                s += 1;
            }
            s += 1000;
        }
        s
    }
}

three_ways! { labels_of_three_levels: f(int(4)), f(int(12));
    fn f(n: Int) -> Int {
        let mut log = int(1);
        'a: for i in 0..n.clone() {
            'b: for j in 0..n.clone() {
                let mut k = int(0);
                'c: loop {
                    k += 1;
                    if k > 3 {
                        break 'c;
                    }
                    if i + j + k == 4 {
                        continue 'b;
                    }
                    if i * j == 6 {
                        continue 'a;
                    }
                    if log > 5000 {
                        break 'a;
                    }
                    log += 1;
                }
                log += 10;
                if j > 5 {
                    break 'b;
                }
            }
            log += 100;
        }
        log
    }
}

three_ways! { a_value_broken_out_of_two_loops: f(int(5)), f(int(40));
    fn f(limit: Int) -> Int {
        let mut a = int(0);
        let r = 'outer: loop {
            a += 1;
            let mut b = int(0);
            let c = loop {
                b += 1;
                if a * b > limit {
                    break 'outer a * 100 + b;
                }
                if b > a {
                    break b.clone();
                }
            };
            a += c;
        };
        r + 1
    }
}

three_ways! { a_break_inside_a_branch_inside_a_branch: f(int(3)), f(int(12)), f(int(30));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in 0..n {
            if i > 5 {
                if i % 2 == 0 {
                    s += 1;
                    if s > 10 {
                        break;
                    }
                } else if i % 3 == 0 {
                    continue;
                }
                s += 2;
            }
            s += i;
        }
        s
    }
}

three_ways! { a_rust_loop_in_a_tensor_loop_left_by_a_tensor: f(int(2)), f(int(5)), f(int(50));
    fn f(n: Int) -> (Int, Int) {
        let mut s = int(0);
        let mut left = int(0);
        let mut i = int(0);
        while i < 4 {
            for k in 1..4 {
                s += k;
                if s > n {
                    left += 1;
                    break;
                }
            }
            i += 1;
        }
        (s, left)
    }
}

three_ways! { a_tensor_loop_in_a_rust_loop_left_to_the_label: f(int(5)), f(int(100)), f(int(0));
    fn f(limit: Int) -> (Int, Int) {
        let mut s = int(0);
        let mut rounds = int(0);
        'rounds: for k in 1..4 {
            rounds += 1;
            let mut j = int(0);
            while j < 5 {
                s += k;
                if s > limit {
                    break 'rounds;
                }
                if s % 7 == 0 {
                    continue 'rounds;
                }
                j += 1;
            }
            s += 10;
        }
        (s, rounds)
    }
}

three_ways! { return_out_of_a_tensor_loop_in_a_rust_loop: f(int(5)), f(int(100));
    fn f(limit: Int) -> Int {
        let mut s = int(0);
        for k in 1..4 {
            for j in 0..3 {
                for i in 0..limit.clone() {
                    s += i;
                    if s > 20 {
                        return s * 1000 + k * 10 + j;
                    }
                }
            }
        }
        s
    }
}

three_ways! { return_out_of_a_rust_loop_in_a_tensor_loop: f(int(0)), f(int(1)), f(int(9));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in 0..n {
            for k in [1, 10, 100] {
                s += k;
                if s > 250 {
                    return s + i;
                }
            }
        }
        -s
    }
}

three_ways! { a_leaving_if_as_an_expression: f(int(3)), f(int(30));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in 0..n {
            let x = if i > 10 {
                break;
            } else if i % 3 == 0 {
                continue;
            } else {
                i * 2
            };
            s += x;
        }
        s
    }
}

three_ways! { a_return_in_the_middle_of_an_expression: f(int(3)), f(int(-3));
    fn f(x: Int) -> Int {
        let y = 1 + if x > 0 { x * 2 } else { return int(-100) };
        y * 10
    }
}

three_ways! { the_first_prime_factor_of_each: f(ints(&[15, 7, 1, 77]));
    fn f(items: Ints) -> Int {
        let mut digest = int(0);
        for n in items {
            let mut d = int(2);
            let factor = loop {
                if d * d > n {
                    break n.clone();
                }
                if n % d == 0 {
                    break d.clone();
                }
                d += 1;
            };
            if factor == 1 {
                continue;
            }
            digest = digest * 100 + factor;
        }
        digest
    }
}

three_ways! { loops_behind_each_other_with_leaves: f(int(4)), f(int(9));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        for i in 0..n.clone() {
            if i == 3 {
                break;
            }
            s += 1;
        }
        for i in 0..n.clone() {
            if i < 3 {
                continue;
            }
            if s > 5 {
                return s * 10;
            }
            s += 1;
        }
        let mut k = int(0);
        loop {
            k += 1;
            if k + s > n {
                break;
            }
        }
        s * 100 + k
    }
}

three_ways! { a_nested_labelled_block_and_loop: f(int(1)), f(int(6)), f(int(20));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        let r = 'found: {
            for i in 0..n {
                s += i;
                if s > 10 {
                    break 'found i * 100;
                }
            }
            int(-1)
        };
        r + s
    }
}

three_ways! { many_iterations_of_rust_that_a_tensor_ends: f(int(-5)), f(int(990)), f(int(1));
    fn f(n: Int) -> Int {
        let mut n = n;
        for i in 0..1200 {
            if n < 0 {
                return n;
            }
            if n % 1000 == 0 {
                break;
            }
            if i % 500 == 7 {
                continue;
            }
            n += 1;
        }
        n
    }
}

three_ways! { iterations_in_iterations_of_rust_that_a_tensor_ends: f(int(0)), f(int(1)), f(int(12)), f(int(44)), f(int(351));
    fn f(n: Int) -> Int {
        let mut n = n;
        let mut rounds = int(0);
        'rounds: for _ in 0..20 {
            for _ in 0..20 {
                if n % 50 == 0 {
                    break 'rounds;
                }
                if n % 7 == 0 {
                    n += 3;
                    continue 'rounds;
                }
                n += 1;
            }
            rounds += 100;
        }
        n + rounds
    }
}
