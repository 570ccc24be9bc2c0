//! **A Kalman filter**: the place and speed of a ship in the plane, from noisy places.

use super::inputs;
use graph_runtime::prelude::*;

/// What the filter knows: the state, and how sure it is.
#[derive(Clone, GraphState, TraceType)]
struct Belief {
    mean: Tensor<f64>,
    covariance: Tensor<f64>,
}

/// How the world moves and how it is seen.
#[derive(Clone, GraphState, TraceType)]
struct Model {
    motion: Tensor<f64>,
    noise: Tensor<f64>,
    sight: Tensor<f64>,
    error: Tensor<f64>,
}

#[graph_fn]
impl Model {
    fn predict(&self, belief: &Belief) -> Belief {
        Belief {
            mean: self.motion.matvec(&belief.mean),
            covariance: self
                .motion
                .matmul(&belief.covariance)
                .matmul_t(&self.motion)
                + &self.noise,
        }
    }

    fn correct(&self, belief: &Belief, seen: &Tensor<f64>) -> Belief {
        let surprise = seen - self.sight.matvec(&belief.mean);
        let shared = belief.covariance.matmul_t(&self.sight);
        let spread = self.sight.matmul(&shared) + &self.error;
        let gain = shared.matmul(spread.inv());
        let covariance = &belief.covariance - gain.matmul_t(&shared);
        Belief {
            mean: &belief.mean + gain.matvec(surprise),
            // Without this, what rounding makes unequal on both sides of the diagonal would grow from step to step.
            covariance: (covariance + covariance.t()) / 2.0,
        }
    }
}

/// The state after each observation, and what is known at the end.
#[graph_fn]
fn filter(model: &Model, start: Belief, seen: &Tensor<f64>) -> (Tensor<f64>, Belief) {
    let mut belief = start;
    let mut means = TensorArray::new(seen.len());
    let mut i = tensor(0);
    for place in seen {
        belief = model.correct(&model.predict(&belief), &place);
        means.write(i, &belief.mean);
        i += 1;
    }
    (means.stack(), belief)
}

/// A ship goes by 0.1 of its speed at each step; the speed changes a little.
fn ship() -> Model {
    let dt = 0.1;
    Model {
        motion: tensor([
            [1.0, 0.0, dt, 0.0],
            [0.0, 1.0, 0.0, dt],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ]),
        noise: eye(4) * 0.001,
        sight: tensor([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]),
        error: tensor([[0.04, 0.01], [0.01, 0.09]]),
    }
}

fn nothing_known() -> Belief {
    Belief {
        mean: zeros([4]),
        covariance: eye(4) * 10.0,
    }
}

/// Places on a circle, seen through noise.
fn seen(steps: usize) -> Tensor<f64> {
    let noise = inputs::normal(2 * steps, 11);
    let place = |i: usize| {
        let angle = i as f64 * 0.02;
        [
            angle.cos() + 0.2 * noise[2 * i],
            angle.sin() + 0.3 * noise[2 * i + 1],
        ]
    };
    tensor((0..steps).map(place).collect::<Vec<_>>())
}

/// What is timed.
pub fn work() {
    filter(&ship(), nothing_known(), &seen(1000));
}

/// The program.
pub fn main() {
    let (means, belief) = filter(&ship(), nothing_known(), &seen(200));
    println!(
        "the ship is at {} and goes {}",
        means.get((-1, ..2)),
        means.get((-1, 2..))
    );
    println!(
        "standard deviations {}",
        belief.covariance.diag_part().sqrt()
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn the_ship_is_where_numpy_has_it() {
        let (means, belief) = filter(&ship(), nothing_known(), &seen(200));
        close(
            &means.get(-1).to_vec(),
            &[
                -0.6493815133965565,
                -0.8080503295451347,
                0.09100376933281257,
                -0.19406481811573628,
            ],
            1e-12,
        );
        close(
            &means.sum_axis(0).to_vec(),
            &[
                -38.93665010888561,
                89.31522147136548,
                -17.815466988511623,
                -4.48051032863139,
            ],
            1e-12,
        );
        close(
            &belief.covariance.diag_part().to_vec(),
            &[
                0.008431400945051284,
                0.014757004360593379,
                0.015053147533858929,
                0.017027102478372205,
            ],
            1e-12,
        );
    }
}
