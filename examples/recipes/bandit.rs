//! **A bandit with many arms**: which machine to play, when each play also says something about the machine (UCB1).

use super::inputs;
use graph_runtime::prelude::*;

/// Plays one arm in each row of `luck`, and returns how often each was played and what was won in all. An arm pays 1 where the luck
/// is below its chance.
#[graph_fn]
fn play(chances: &Tensor<f64>, luck: &Tensor<f64>) -> (Tensor<i32>, Tensor<f64>) {
    let arms = chances.len();
    let mut plays: Tensor<f64> = zeros([arms]);
    let mut wins = zeros([arms]);
    let mut round: Tensor<f64> = tensor(0.0);
    for row in luck {
        let bonus = (2.0 * round.log() / plays).sqrt();
        let arm = if round < arms as f64 {
            round.cast()
        } else {
            (wins / plays + bonus).argmax(0)
        };
        let won = if row[arm] < chances[arm] { 1.0 } else { 0.0 };
        plays[arm] += 1.0;
        wins[arm] += won;
        round += 1.0;
    }
    (plays.cast(), wins.sum())
}

/// Five arms, and the luck of some rounds.
fn casino(rounds: usize) -> (Tensor<f64>, Tensor<f64>) {
    let luck = tensor(inputs::uniform(5 * rounds, 21));
    (
        tensor([0.2, 0.4, 0.5, 0.6, 0.8]),
        luck.reshape([rounds as isize, 5]),
    )
}

/// What is timed.
pub fn work() {
    let (chances, luck) = casino(5000);
    play(&chances, &luck);
}

/// The program.
pub fn main() {
    let (chances, luck) = casino(5000);
    let (plays, won) = play(&chances, &luck);
    println!(
        "plays {plays}, won {won} of {} at best",
        5000.0 * chances.max()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_are_numpys() {
        let (chances, luck) = casino(5000);
        let (plays, won) = play(&chances, &luck);
        assert_eq!(plays.to_vec(), [36, 74, 96, 219, 4575]);
        assert_eq!(won.item(), 3857.0);
    }
}
