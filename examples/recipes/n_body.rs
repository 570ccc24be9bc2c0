//! **N bodies with gradients**: planets attract each other, leapfrog moves them, and the tape tells how the place of one at the end
//! depends on all speeds at the beginning.

use graph_runtime::prelude::*;

/// Places and speeds: `[body, axis]`.
#[derive(Clone, GraphState, TraceType)]
struct Bodies {
    place: Tensor<f64>,
    speed: Tensor<f64>,
}

/// Keeps bodies that meet from infinite forces.
const SOFTENING: f64 = 0.01;

/// What each body is accelerated by.
#[graph_fn]
fn pull(place: &Tensor<f64>, mass: &Tensor<f64>) -> Tensor<f64> {
    let apart = place.expand_dims(0) - place.expand_dims(1); // [to, from, axis]
    let square = apart.square().sum_axes(&[2], true) + SOFTENING;
    let pulls = apart * square.powf(-1.5) * mass.reshape([1, -1, 1]);
    pulls.sum_axis(1)
}

/// The bodies after some steps.
#[graph_fn]
fn simulate(mut bodies: Bodies, mass: &Tensor<f64>, steps: Tensor<i32>, dt: f64) -> Bodies {
    let mut force = pull(&bodies.place, mass);
    for _ in 0..steps {
        bodies.speed += force * (dt / 2.0);
        bodies.place += &bodies.speed * dt;
        force = pull(&bodies.place, mass);
        bodies.speed += force * (dt / 2.0);
    }
    bodies
}

/// Kinetic and potential energy.
#[graph_fn]
fn energy(bodies: &Bodies, mass: &Tensor<f64>) -> Tensor<f64> {
    let kinetic = (mass * bodies.speed.square().sum_axis(1)).sum() / 2.0;
    let apart = bodies.place.expand_dims(0) - bodies.place.expand_dims(1);
    let distance = (apart.square().sum_axis(2) + SOFTENING).sqrt();
    let pairs = mass.outer(mass) / distance;
    kinetic - pairs.triu(1).sum()
}

/// How far from the origin the last body is at the end, and how that changes with all speeds at the beginning.
#[graph_fn]
fn aim(bodies: Bodies, mass: &Tensor<f64>, steps: Tensor<i32>) -> (Tensor<f64>, Tensor<f64>) {
    let tape = GradientTape::new();
    tape.watch(&bodies.speed);
    let speed = bodies.speed.clone();
    let end = simulate(bodies, mass, steps, 0.01);
    let distance = end.place[-1].norm();
    let gradient = tape.gradient(&distance, &speed).unwrap();
    (distance, gradient)
}

/// A sun and `count - 1` planets around it.
fn system(count: usize) -> (Bodies, Tensor<f64>) {
    let mut place = vec![[0.0, 0.0]];
    let mut speed = vec![[0.0, 0.0]];
    let mut mass = vec![1.0];
    for i in 1..count {
        let (radius, angle) = (0.5 + 0.25 * i as f64, 2.0 * i as f64);
        let v = 1.0 / f64::sqrt(radius);
        place.push([radius * angle.cos(), radius * angle.sin()]);
        speed.push([-v * angle.sin(), v * angle.cos()]);
        mass.push(0.01);
    }
    (
        Bodies {
            place: tensor(place),
            speed: tensor(speed),
        },
        tensor(mass),
    )
}

/// What is timed.
pub fn work() {
    let (bodies, mass) = system(32);
    aim(bodies, &mass, tensor(200));
}

/// The program.
pub fn main() {
    let (bodies, mass) = system(5);
    let before = energy(&bodies, &mass);
    let after = simulate(bodies.clone(), &mass, tensor(1000), 0.01);
    println!(
        "energy {before} before and {} after 1000 steps",
        energy(&after, &mass)
    );
    let (distance, gradient) = aim(bodies, &mass, tensor(1000));
    println!("the last planet is {distance} from the origin, and that changes by\n{gradient}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn energy_is_kept() {
        let (bodies, mass) = system(5);
        let before = energy(&bodies, &mass).item();
        let after = energy(&simulate(bodies, &mass, tensor(500), 0.01), &mass).item();
        close(&[before], &[-0.019177558247895868], 1e-14);
        assert!((after / before - 1.0).abs() < 1e-4, "{before} {after}");
    }

    #[test]
    fn the_gradient_is_that_of_complex_steps() {
        let (bodies, mass) = system(5);
        let (distance, gradient) = aim(bodies, &mass, tensor(300));
        close(&[distance.item()], &[1.4760269298388136], 1e-12);
        close(
            &gradient.to_vec(),
            &[
                1.240700503529927,
                -1.9298256767010882,
                -0.022471419718522304,
                -0.004114516256073976,
                0.003260507773606119,
                0.012913288810999944,
                0.010442746926239673,
                -0.0034851130113226834,
                -4.147507549264407,
                1.2178146346508711,
            ],
            1e-12,
        );
    }
}
