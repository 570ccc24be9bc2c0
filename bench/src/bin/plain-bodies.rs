//! Measures what the attribute costs a body without tensors, whose control flow stays Rust: the time with the attribute divided by the time
//! without, of the minimum of samples taken in turns. Each call does much more than the call itself costs (`plain-calls` measures that).
//!
//! `cargo run --release -p graph-bench --bin plain-bodies`

use std::hint::black_box;

use graph_bench::twice::wanted;
use graph_bench::{cases, twice};

/// The number of samples of each kind, taken in turns.
const ROUNDS: u32 = 100;

/// A piece of a text.
#[derive(Clone, Copy, PartialEq)]
pub enum Token {
    /// An amount.
    Number(i64),
    /// What follows is added.
    Plus,
    /// What follows is subtracted.
    Minus,
}

twice! {
    pub fn relu(y: &mut [f64]) {
        for i in 0..y.len() {
            if y[i] < 0.0 {
                y[i] = 0.0;
            }
        }
    }
    pub fn gcd(mut a: u64, mut b: u64) -> u64 {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    }
    pub fn collatz(mut n: u64) -> u32 {
        let mut steps = 0;
        while n != 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        steps
    }
    pub fn primes(below: usize) -> usize {
        let mut is_prime = vec![true; below];
        let mut count = 0;
        for n in 2..below {
            if !is_prime[n] {
                continue;
            }
            count += 1;
            let mut multiple = n * n;
            while multiple < below {
                is_prime[multiple] = false;
                multiple += n;
            }
        }
        count
    }
    pub fn words(text: &str) -> usize {
        let mut count = 0;
        let mut inside = false;
        for c in text.chars() {
            if c.is_whitespace() {
                inside = false;
            } else if !inside {
                inside = true;
                count += 1;
            }
        }
        count
    }
    pub fn insertion_sort(items: &mut [i32]) {
        for i in 1..items.len() {
            let item = items[i];
            let mut at = i;
            while at > 0 && items[at - 1] > item {
                items[at] = items[at - 1];
                at -= 1;
            }
            items[at] = item;
        }
    }
    pub fn sum_of(tokens: &[Token]) -> i64 {
        let mut sum = 0;
        let mut sign = 1;
        for token in tokens {
            match *token {
                Token::Number(n) => sum += sign * n,
                Token::Plus => sign = 1,
                Token::Minus => sign = -1,
            }
        }
        sum
    }
    pub fn position(items: &[i32], wanted: i32) -> Option<usize> {
        for (i, item) in items.iter().enumerate() {
            if *item == wanted {
                return Some(i);
            }
        }
        None
    }
    pub fn parsed(text: &[u8]) -> Result<u64, usize> {
        let mut sum = 0u64;
        let mut number = 0u64;
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b'0'..=b'9' => number = number.wrapping_mul(10) + u64::from(byte - b'0'),
                b' ' | b',' => {
                    sum = sum.wrapping_add(number);
                    number = 0;
                }
                _ => return Err(at),
            }
        }
        Ok(sum + number)
    }
}

fn numbers(count: i64) -> Vec<i32> {
    (0..count).map(|n| (n * 7919 % 1009) as i32 - 500).collect()
}

fn tokens() -> Vec<Token> {
    let token = |n: i64| match n % 4 {
        0 | 2 => Token::Number(n),
        1 => Token::Plus,
        _ => Token::Minus,
    };
    (0..2000).map(token).collect()
}

fn main() {
    let cases = cases! {
        "relu of a slice", 1, |m| (0..2000).map(|n| f64::from(n % 7) - 3.0).collect::<Vec<f64>>() => |y: &mut Vec<f64>| m::relu(black_box(y));
        "greatest common divisor", 1, |m| 0u64 => |sum: &mut u64| for n in 1..100 { *sum += m::gcd(black_box(n * 7_540_113_804_746_346_429), 12_200_160_415_121_876_738); };
        "collatz", 1, |m| 837_799u64 => |n: &mut u64| { black_box(m::collatz(black_box(*n))); };
        "primes below 2000", 1, |m| 2000 => |n: &mut usize| { black_box(m::primes(black_box(*n))); };
        "words of a text", 1, |m| "graph functions of Rust ".repeat(100) => |t: &mut String| { black_box(m::words(black_box(t))); };
        "insertion sort", 1, |m| numbers(200) => |v: &mut Vec<i32>| { let mut v = v.clone(); m::insertion_sort(black_box(&mut v)); };
        "tokens by match", 1, |m| tokens() => |t: &mut Vec<Token>| { black_box(m::sum_of(black_box(t))); };
        "position of an item", 1, |m| numbers(1000) => |v: &mut Vec<i32>| { black_box(m::position(black_box(v), 10_000)); };
        "a parser of numbers", 1, |m| b"12 345, 6 789,".repeat(200) => |t: &mut Vec<u8>| { let _ = black_box(m::parsed(black_box(t))); };
    };
    println!("{:>9}  {:>9}  {:>6}", "plain", "graph_fn", "ratio");
    for mut case in wanted(cases) {
        let [plain, graph] = case.nanoseconds(ROUNDS, 20);
        println!(
            "{plain:6.0} ns  {graph:6.0} ns  {:6.2}  {}",
            graph / plain,
            case.name
        );
    }
}
