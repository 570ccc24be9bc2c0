//! Functions with and without `#[graph_fn]`, timed in turns: what `plain-calls` and `plain-bodies` share.

use std::time::Instant;

/// Compiles functions twice: as the modules `plain`, without the attribute, and `graph`, with it. Both see what stands beside them.
#[macro_export]
macro_rules! twice {
    ($($item:item)*) => {
        mod plain {
            #![allow(clippy::all, unused_imports)]
            use super::*;
            $($item)*
        }
        mod graph {
            #![allow(clippy::all, unused_imports)]
            use super::*;
            use graph_runtime::prelude::*;
            $(#[graph_fn] $item)*
        }
    };
}

/// Cases that run each expression with the functions of both modules of [`twice!`], called by the name that stands between bars. A case is
/// its name, how many function calls it makes, the state that it starts with, and a closure that runs with the state.
#[macro_export]
macro_rules! cases {
    ($($name:literal, $calls:expr, |$module:ident| $state:expr => $run:expr;)*) => {
        vec![$($crate::twice::Case {
            name: $name,
            calls: $calls,
            ways: [$crate::cases!(@way plain $module $state => $run), $crate::cases!(@way graph $module $state => $run)],
        }),*]
    };
    (@way $kind:ident $module:ident $state:expr => $run:expr) => {{
        use $kind as $module;
        let mut state = $state;
        let run = $run;
        Box::new(move || run(&mut state)) as Box<dyn FnMut()>
    }};
}

/// What is run without the attribute and with it.
pub struct Case {
    /// The name.
    pub name: &'static str,
    /// The function calls of one run.
    pub calls: u32,
    /// A run without the attribute, and one with it.
    pub ways: [Box<dyn FnMut()>; 2],
}

impl Case {
    /// The nanoseconds of a function call in both ways: the least of `rounds` samples of `repeats` runs, taken in turns.
    pub fn nanoseconds(&mut self, rounds: u32, repeats: u32) -> [f64; 2] {
        let mut least = [f64::INFINITY; 2];
        for _ in 0..rounds {
            for (way, least) in self.ways.iter_mut().zip(&mut least) {
                let start = Instant::now();
                (0..repeats).for_each(|_| way());
                let calls = f64::from(repeats) * f64::from(self.calls);
                *least = least.min(start.elapsed().as_nanos() as f64 / calls);
            }
        }
        least
    }
}

/// The case that the command line names, or all.
pub fn wanted(cases: Vec<Case>) -> Vec<Case> {
    let name = std::env::args().nth(1);
    let wanted = |case: &Case| name.as_deref().is_none_or(|name| name == case.name);
    cases.into_iter().filter(wanted).collect()
}
