//! A double pendulum by Runge and Kutta's method: its energy stays.

use graph_runtime::prelude::*;

#[derive(Clone, GraphState)]
struct State {
    angles: Tensor<f64>, // [2]
    speeds: Tensor<f64>, // [2]
}

const G: f64 = 9.81;

impl State {
    fn moved(&self, slope: &State, dt: f64) -> State {
        State {
            angles: &self.angles + dt * &slope.angles,
            speeds: &self.speeds + dt * &slope.speeds,
        }
    }
}

/// Both rods have length 1, both masses are 1.
#[graph_fn]
fn slope(state: &State) -> State {
    let (a, b) = (state.angles[0], state.angles[1]);
    let (u, v) = (state.speeds[0], state.speeds[1]);
    let d = a - b;
    let bottom = 3.0 - (2.0 * d).cos();
    let first = (-3.0 * G * a.sin() - G * (a - 2.0 * b).sin() - 2.0 * d.sin() * (v * v + u * u * d.cos())) / bottom;
    let second = 2.0 * d.sin() * (2.0 * u * u + 2.0 * G * a.cos() + v * v * d.cos()) / bottom;
    State { angles: state.speeds.clone(), speeds: stack([first, second], 0) }
}

#[graph_fn]
fn energy(state: &State) -> Tensor<f64> {
    let (a, b) = (state.angles[0], state.angles[1]);
    let (u, v) = (state.speeds[0], state.speeds[1]);
    let kinetic = u.square() + 0.5 * v.square() + u * v * (a - b).cos();
    kinetic - G * (2.0 * a.cos() + b.cos())
}

#[graph_fn]
fn simulate(start: State, dt: f64, steps: Tensor<i32>) -> State {
    let mut state = start;
    for _ in 0..steps {
        let k1 = slope(&state);
        let k2 = slope(&state.moved(&k1, dt / 2.0));
        let k3 = slope(&state.moved(&k2, dt / 2.0));
        let k4 = slope(&state.moved(&k3, dt));
        state = state.moved(&k1, dt / 6.0).moved(&k2, dt / 3.0).moved(&k3, dt / 3.0).moved(&k4, dt / 6.0);
    }
    state
}

fn main() {
    let start = State { angles: tensor([1.5, 2.0]), speeds: tensor([0.0, 0.0]) };
    let before = energy(&start).item();
    let end = simulate(start.clone(), 0.001, tensor(2000));
    let after = energy(&end).item();
    assert!((before - after).abs() < 1e-8, "{before} {after}");
    // Small swings together: the slow mode has the frequency sqrt(g (2 - sqrt 2)).
    let small = State { angles: tensor([1e-4, 2f64.sqrt() * 1e-4]), speeds: tensor([0.0, 0.0]) };
    let period = 2.0 * std::f64::consts::PI / (G * (2.0 - 2f64.sqrt())).sqrt();
    let back = simulate(small, period / 1000.0, tensor(1000));
    assert!((back.angles.to_vec()[0] - 1e-4).abs() < 1e-9);
}
