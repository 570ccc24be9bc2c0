//! Methods, associated functions and trait impls. The attribute is used inside an `impl`, so the types are written
//! once, in a macro that is called without the attribute and with it. (A private function that mentions neither `self`
//! nor `Self` must declare that it is in an `impl`, because the attribute can't see that.)

use crate::support::{assert_ways, outcome};

macro_rules! types {
    ($(#[$graph:meta] #[$method:meta])?) => {
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Account {
            balance: i64,
            log: Vec<String>,
            limit: Option<i64>,
        }

        impl Account {
            /// By exclusive reference, with an early return of an error.
            $(#[$graph])?
            pub fn withdraw(&mut self, amount: i64) -> Result<i64, String> {
                if amount <= 0 {
                    return Err(format!("bad amount {amount}"));
                }
                if let Some(limit) = self.limit
                    && amount > limit
                {
                    self.log.push(format!("over {limit}"));
                    return Err(String::from("limit"));
                }
                let rest = self.checked(amount)?;
                self.balance = rest;
                self.log.push(format!("-{amount}"));
                Ok(rest)
            }

            /// By shared reference.
            $(#[$graph])?
            fn checked(&self, amount: i64) -> Result<i64, String> {
                if self.balance >= amount { Ok(self.balance - amount) } else { Err(String::from("too little")) }
            }

            /// By value.
            $(#[$graph])?
            pub fn close(self) -> (i64, Vec<String>) {
                let mut log = self.log;
                if self.balance > 0 {
                    log.push(String::from("rest"));
                }
                (self.balance, log)
            }

            /// By value, and changed.
            $(#[$graph])?
            pub fn with_interest(mut self, years: u32) -> i64 {
                for year in 0..years {
                    if year % 2 == 0 {
                        self.balance += self.balance / 10;
                    } else {
                        self.balance += 1;
                    }
                }
                self.balance
            }

            /// Fields that change under conditions, and a field that is borrowed across them.
            $(#[$graph])?
            pub fn tidy(&mut self, keep: usize) -> usize {
                let log = &mut self.log;
                while log.len() > keep {
                    log.remove(0);
                    self.balance -= 1;
                }
                if self.log.is_empty() { 0 } else { self.log.len() }
            }

            /// An associated function that calls another one of the same type.
            $(#[$graph])?
            pub fn richest(accounts: &[Account]) -> Option<usize> {
                let mut best: Option<usize> = None;
                for (i, account) in accounts.iter().enumerate() {
                    match best {
                        Some(b) if accounts[b].balance >= account.balance => {}
                        _ => best = Some(i),
                    }
                }
                best.filter(|i| Self::positive(accounts[*i].balance))
            }

            $(#[$method])?
            fn positive(balance: i64) -> bool {
                balance > 0
            }
        }

        /// Receivers of other types.
        impl Account {
            $(#[$graph])?
            pub fn boxed(self: Box<Self>, by: i64) -> i64 {
                if self.balance > by { self.balance - by } else { 0 }
            }

            $(#[$graph])?
            pub fn counted(self: std::rc::Rc<Self>) -> usize {
                let again = self.clone();
                if again == self { std::rc::Rc::strong_count(&again) } else { 0 }
            }

            $(#[$graph])?
            pub fn explicit(self: &Self, other: &Account) -> bool {
                self.balance < other.balance || *self == *other
            }

            $(#[$graph])?
            pub fn chained(&mut self, by: i64) -> bool {
                let Self { balance, log, .. } = self;
                if *balance > by {
                    *balance -= by;
                    log.push(format!("chained {by}"));
                    return self.chained(by * 2);
                }
                self.log.len() > 3
            }
        }

        pub trait Scored {
            const BONUS: i64;
            fn score(&self, factor: i64) -> i64;
            fn raise(&mut self, by: i64) -> bool;
            /// A default that impls inherit.
            fn doubled(&self) -> i64 {
                self.score(2)
            }
        }

        impl Scored for Account {
            const BONUS: i64 = 5;

            $(#[$graph])?
            fn score(&self, factor: i64) -> i64 {
                if self.balance > 100 { self.balance * factor + Self::BONUS } else { self.balance }
            }

            $(#[$graph])?
            fn raise(&mut self, by: i64) -> bool {
                let before = self.balance;
                if by > 0 {
                    self.balance += by;
                }
                self.balance != before
            }
        }

        /// A generic type with a lifetime and a const parameter.
        pub struct Window<'a, T, const N: usize> {
            items: &'a [T],
            seen: [usize; N],
        }

        impl<'a, T: PartialOrd + Copy, const N: usize> Window<'a, T, N> {
            pub fn over(items: &'a [T]) -> Self {
                Window { items, seen: [0; N] }
            }

            $(#[$graph])?
            pub fn peaks(&mut self, floor: T) -> usize {
                let mut found = 0;
                for (i, item) in self.items.iter().enumerate() {
                    if *item > floor {
                        if found < N {
                            self.seen[found] = i;
                        }
                        found += 1;
                    }
                }
                found
            }

            $(#[$graph])?
            pub fn first(&self) -> Option<usize> {
                if N == 0 { None } else { Some(self.seen[0]) }
            }
        }

        pub fn outcomes() -> Vec<String> {
            let mut account = Account { balance: 200, limit: Some(150), ..Account::default() };
            let mut other = Account { balance: 50, ..Account::default() };
            let mut out: Vec<String> = [0, 30, 160, 150, 30]
                .into_iter()
                .flat_map(|amount| [outcome(|| account.withdraw(amount)), outcome(|| other.withdraw(amount))])
                .collect();
            out.push(outcome(|| (account.score(3), account.doubled(), other.score(3))));
            out.push(outcome(|| (account.raise(0), account.raise(500), account.score(1))));
            out.push(outcome(|| Account::richest(&[other.clone(), account.clone()])));
            out.push(outcome(|| Account::richest(&[])));
            out.push(outcome(|| account.clone().with_interest(3)));
            out.push(outcome(|| account.tidy(1)));
            out.push(outcome(|| account.tidy(5)));
            out.push(format!("{account:?} {other:?}"));
            out.push(outcome(|| (Box::new(other.clone()).boxed(7), std::rc::Rc::new(other.clone()).counted())));
            out.push(outcome(|| (account.explicit(&other), other.explicit(&account), other.explicit(&other))));
            out.push(outcome(|| account.chained(10)));
            out.push(format!("{account:?}"));
            out.push(outcome(|| account.close()));
            let numbers = [1.0, 7.0, 3.0, 9.0];
            let mut window = Window::<_, 2>::over(&numbers);
            out.push(outcome(|| (window.peaks(2.5), window.first(), window.peaks(100.0))));
            out
        }
    };
}

mod plain {
    use super::outcome;
    types!();
}

mod graph {
    use super::outcome;
    use graph_runtime::prelude::*;
    types!(#[graph_fn] #[graph_fn(method)]);
}

#[test]
fn methods_agree() {
    assert_ways(&plain::outcomes(), graph::outcomes);
}
