//! **REINFORCE**: a walker on a line learns where to go from rewards alone. Episodes are played side by side in a loop of the graph, and the
//! gradient goes back through it.

use graph_runtime::nn::{Adam, Module};
use graph_runtime::prelude::*;

const PLACES: usize = 7;
const START: i32 = 3;
const HORIZON: i32 = 12;

/// The logits of going left and right at each place.
#[derive(Module)]
struct Policy {
    logits: Variable<f64>,
}

impl Policy {
    fn new() -> Policy {
        Policy {
            logits: Variable::new(zeros([PLACES, 2])),
        }
    }
}

/// Plays `count` episodes. Returns what each won, and the logarithm of the probability of what it did. A step costs 0.1; the right end gives 1
/// and the left end 0.3, and the episode is over.
#[graph_fn]
fn play(policy: &Policy, count: usize) -> (Tensor<f64>, Tensor<f64>) {
    let mut place = fill([count], START);
    let mut won: Tensor<f64> = zeros([count]);
    let mut said: Tensor<f64> = zeros([count]);
    let last = PLACES as i32 - 1;
    for _ in 0..tensor(HORIZON) {
        let going = place.gt(0) & place.lt(last);
        let logits = policy.logits.gather(&place);
        let choice = random::categorical(&logits, 1);
        let chance = logits
            .log_softmax(-1)
            .take_along_axis(&choice, 1)
            .squeeze(&[1]);
        said += going.select(chance, 0.0);
        let step = choice.squeeze(&[1]).cast::<i32>() * 2 - 1;
        place += going.select(step, 0);
        let reward = place.eq(last).select(1.0, 0.0) + place.eq(0).select(0.3, 0.0) - 0.1;
        won += going.select(reward, 0.0);
    }
    (won, said)
}

/// Learns from some rounds of 200 episodes; returns the mean of what was won in each.
#[graph_fn]
fn train(policy: &Policy, adam: &Adam, rounds: Tensor<i32>) -> Tensor<f64> {
    let mut means = TensorArray::dynamic();
    for _ in 0..rounds {
        let tape = GradientTape::new();
        let (won, said) = play(policy, 200);
        let loss = -((won - won.mean()) * said).mean();
        adam.apply(&tape.gradient(&loss, policy), policy);
        means.push(won.mean());
    }
    means.stack()
}

/// What a policy wins in the mean, exactly: the value of each place with so many steps left.
fn value(policy: &Policy) -> f64 {
    let chances = policy.logits.read().softmax(-1).to_vec();
    let mut left = [0.0; PLACES];
    for _ in 0..HORIZON {
        let before = left;
        for place in 1..PLACES - 1 {
            let to = |next: usize| match next {
                0 => 0.3 - 0.1,
                end if end == PLACES - 1 => 1.0 - 0.1,
                _ => before[next] - 0.1,
            };
            left[place] =
                chances[2 * place] * to(place - 1) + chances[2 * place + 1] * to(place + 1);
        }
    }
    left[START as usize]
}

/// A policy that has learned.
fn learn(rounds: i32) -> Policy {
    random::set_seed(1);
    let policy = Policy::new();
    let adam = Adam::new(&policy).learning_rate(0.1);
    train(&policy, &adam, tensor(rounds));
    policy
}

/// What is timed.
pub fn work() {
    learn(50);
}

/// The program.
pub fn main() {
    let policy = learn(100);
    println!("a walker wins {:.4}, at most 0.7", value(&policy));
    println!(
        "it goes right with {}",
        policy.logits.softmax(-1).get((1..6, 1))
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    /// The value is exact, by dynamic programming; five standard errors of 20000 episodes.
    #[test]
    fn episodes_win_what_the_exact_value_says() {
        random::set_seed(5);
        let policy = Policy::new();
        close(&[value(&policy)], &[-0.23813476562500002], 1e-12);
        let (won, _) = play(&policy, 20_000);
        let error = won.std().item() / 20_000f64.sqrt();
        assert!((won.mean().item() - value(&policy)).abs() < 5.0 * error);
    }

    /// The best walker goes right at once: three steps cost 0.3.
    #[test]
    fn it_learns_to_go_right() {
        let learned = value(&learn(100));
        assert!(learned > 0.65 && learned <= 0.7, "{learned}");
    }
}
