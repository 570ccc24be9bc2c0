//! The helpers that kernels are split over: a job is done whole, its caller leaves last, and sleeping helpers miss none.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

use crate::team::Team;

/// Runs a job of two items on a team. Returns how many items were done, which the caller sees without further synchronization.
fn run(team: &Team) -> usize {
    // On the caller's stack: helpers that came too late would count in memory that is gone.
    let (taken, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while taken.fetch_add(1, Ordering::Relaxed) < 2 {
            done.fetch_add(1, Ordering::Relaxed);
        }
    };
    team.run(1, work, &work);
    done.load(Ordering::Relaxed)
}

#[test]
fn a_job_is_done_whole_and_the_team_ends() {
    bounded().check(|| {
        let team = Team::start(1).unwrap();
        assert_eq!(run(&team), 2);
        assert_eq!(run(&team), 2);
    });
}

#[test]
fn a_second_caller_works_alone_or_has_its_turn() {
    bounded().check(|| {
        let team = Arc::new(Team::start(1).unwrap());
        let other = team.clone();
        let thread = thread::spawn(move || run(&other));
        assert_eq!(run(&team), 2);
        assert_eq!(thread.join().unwrap(), 2);
    });
}

#[test]
fn a_helper_that_panics_reaches_the_caller_if_it_came_at_all() {
    bounded().check(|| {
        let team = Team::start(1).unwrap();
        let came = AtomicUsize::new(0);
        let help = || {
            came.fetch_add(1, Ordering::Relaxed);
            panic!("in a helper");
        };
        let result = catch_unwind(AssertUnwindSafe(|| team.run(1, || (), &help)));
        assert_eq!(result.is_err(), came.load(Ordering::Relaxed) == 1);
    });
}

/// All orders with at most two changes of threads where a thread could have gone on.
fn bounded() -> loom::model::Builder {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model
}
