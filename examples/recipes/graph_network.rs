//! **A graph neural network**: who belongs to which of two groups, found from who knows whom and from one member of each group. Messages go
//! along edges and are added where they meet.

use super::inputs;
use graph_runtime::nn::{Adam, Dense, Gradient, Module, losses};
use graph_runtime::prelude::*;

/// A graph: an edge goes from `from[i]` to `to[i]` and counts `weight[i]`.
#[derive(Clone, GraphState, TraceType)]
struct Acquaintances {
    from: Tensor<i32>,
    to: Tensor<i32>,
    weight: Tensor<f32>,
}

#[derive(Module)]
struct Network {
    first: Dense,
    second: Dense,
}

impl Network {
    fn new(people: usize) -> Network {
        Network {
            first: Dense::new(people, 8),
            second: Dense::new(8, 2),
        }
    }

    /// What each gets from those it knows.
    fn spread(edges: &Acquaintances, x: &Tensor<f32>) -> Tensor<f32> {
        let messages = x.gather(&edges.from) * edges.weight.expand_dims(1);
        messages.unsorted_segment_sum(&edges.to, x.len())
    }

    /// The scores of both groups for each person.
    fn call(&self, edges: &Acquaintances, x: &Tensor<f32>) -> Tensor<f32> {
        let hidden = Network::spread(edges, &self.first.call(x)).relu();
        Network::spread(edges, &self.second.call(hidden))
    }
}

/// The loss over those whose group is known, and its gradient.
#[graph_fn]
fn gradient(
    model: &Network,
    edges: &Acquaintances,
    known: &Tensor<i32>,
    group: &Tensor<i32>,
) -> (Tensor<f32>, Vec<Gradient>) {
    let tape = GradientTape::new();
    let scores = model.call(edges, &eye(PEOPLE)).gather(known);
    let loss = losses::sparse_categorical_crossentropy_from_logits(group, scores).mean();
    let gradients = tape.gradient(&loss, model);
    (loss, gradients)
}

/// Learns, and says who is in which group.
#[graph_fn]
fn groups(
    model: &Network,
    adam: &Adam,
    edges: &Acquaintances,
    known: &Tensor<i32>,
    steps: Tensor<i32>,
) -> Tensor<i64> {
    for _ in 0..steps {
        let (_, gradients) = gradient(model, edges, known, &tensor([0, 1]));
        adam.apply(&gradients, model);
    }
    model.call(edges, &eye(PEOPLE)).argmax(1)
}

const PEOPLE: usize = 60;

/// Who knows whom: a third of their group and a thirtieth of the other; even numbers are one group. Each knows itself. An edge counts the less
/// the more people its ends know.
fn village() -> Acquaintances {
    let luck = inputs::uniform(PEOPLE * PEOPLE, 95);
    let knows = |a: usize, b: usize| {
        let (low, high) = (a.min(b), a.max(b));
        a == b
            || luck[low * PEOPLE + high]
                < if a % 2 == b % 2 {
                    1.0 / 3.0
                } else {
                    1.0 / 30.0
                }
    };
    let degree = |a: usize| (0..PEOPLE).filter(|b| knows(a, *b)).count() as f32;
    let (mut from, mut to, mut weight) = (vec![], vec![], vec![]);
    for a in 0..PEOPLE {
        for b in (0..PEOPLE).filter(|b| knows(a, *b)) {
            from.push(a as i32);
            to.push(b as i32);
            weight.push(1.0 / (degree(a) * degree(b)).sqrt());
        }
    }
    Acquaintances {
        from: tensor(from),
        to: tensor(to),
        weight: tensor(weight),
    }
}

/// How many people get the group they are in.
fn right(steps: i32) -> usize {
    random::set_seed(1);
    let model = Network::new(PEOPLE);
    let adam = Adam::new(&model).learning_rate(0.05);
    let found = groups(&model, &adam, &village(), &tensor([0, 1]), tensor(steps));
    found
        .to_vec()
        .iter()
        .enumerate()
        .filter(|(i, group)| **group == *i as i64 % 2)
        .count()
}

/// What is timed.
pub fn work() {
    right(100);
}

/// The program.
pub fn main() {
    println!("{} of {PEOPLE} are found to be in their group", right(100));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{close, fill, slope};

    #[test]
    fn the_loss_and_its_slope_are_numpys() {
        let model = Network::new(PEOPLE);
        fill(&model);
        let (loss, gradients) = gradient(&model, &village(), &tensor([0, 1]), &tensor([0, 1]));
        close(&[f64::from(loss.item())], &[0.6867975418066621], 1e-5);
        close(&[slope(&gradients)], &[-0.051070987294732355], 1e-4);
    }

    /// Guessing gets half of them.
    #[test]
    fn nearly_all_are_found() {
        assert!(right(100) >= 57, "{}", right(100));
    }
}
