//! Q-learning over recorded transitions, the table in a variable (textbook: Sutton and Barto, 6.5).
use graph_runtime::prelude::*;

#[graph_fn]
fn learn(q: &Variable<f32>, transitions: Tensor<i32>, rewards: Tensor<f32>) {
    for (t, reward) in transitions.into_iter().zip(rewards) {
        let (s, a, next) = (t[0], t[1], t[2]);
        let table = q.read();
        let old = table[s][a];
        let target = reward + 0.9 * table[next].max();
        let index = stack([s, a], 0).expand_dims(0);
        let new = old + 0.5 * (target - old);
        q.scatter_nd_update(index, new.expand_dims(0));
    }
}

fn main() {
    let q = Variable::new(Tensor::<f32>::zeros([3, 2]));
    let transitions = tensor([[0, 1, 1], [1, 1, 2], [0, 1, 1], [0, 0, 0], [1, 0, 0], [1, 1, 2]]);
    learn(&q, transitions, tensor([0.0, 1.0, 0.0, 0.0, 0.0, 1.0]));
    for (got, want) in q.read().to_vec().iter().zip([0.10125, 0.225, 0.10125, 0.75, 0.0, 0.0]) {
        assert!((got - want).abs() < 1e-6);
    }
}
