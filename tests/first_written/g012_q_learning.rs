//! Q-learning on a corridor: the agent starts on the left, the reward is on the right; all of it is one graph.

use graph_runtime::prelude::*;

const STATES: usize = 6;

#[graph_fn]
fn step(state: Tensor<i32>, action: Tensor<i32>) -> (Tensor<i32>, Tensor<f32>, Tensor<bool>) {
    let next = if action == 1 { state + 1 } else { (state - 1).maximum(0) };
    let done = next == (STATES - 1) as i32;
    let reward = if done { 1.0 } else { 0.0 };
    (next, reward, done)
}

#[graph_fn]
fn learn(q: &Variable<f32>, episodes: Tensor<i32>, rate: f32, discount: f32, epsilon: f32) -> Tensor<i32> {
    let mut steps = tensor(0);
    for _ in 0..episodes {
        let mut state = tensor(0);
        loop {
            let action = if random::uniform([]) < epsilon {
                random::uniform_int([], 0, 2)
            } else {
                q[state].argmax(0).cast::<i32>()
            };
            let (next, reward, done) = step(state, action);
            let future = if done { tensor(0.0) } else { discount * q[next].max() };
            let error = reward + future - q[(state, action)];
            q[(state, action)].assign_add(rate * error);
            state = next;
            steps += 1;
            if done {
                break;
            }
        }
    }
    steps
}

fn main() {
    random::set_seed(1);
    let q = Variable::new(zeros([STATES, 2]));
    let steps = learn(&q, tensor(500), 0.5, 0.9, 0.3);
    assert!(steps.item() >= 500 * (STATES as i32 - 1));
    let policy = q.argmax(1).to_vec();
    assert_eq!(&policy[..STATES - 1], [1; STATES - 1]);
    // The value of going right from state s is 0.9^(4 - s).
    for s in 0..STATES - 1 {
        let found = q.read().get(s).get(1).item();
        assert!((found - 0.9f32.powi(4 - s as i32)).abs() < 1e-2, "{s}: {found}");
    }
}
