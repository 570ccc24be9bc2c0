use graph_runtime::prelude::*;
// A struct of tensors with methods under the attribute.
#[derive(Clone, GraphState, TraceType)]
struct Particle {
    position: Tensor<f32>,
    velocity: Tensor<f32>,
}
#[graph_fn]
impl Particle {
    fn new(position: f32, velocity: f32) -> Self {
        Particle { position: tensor(position), velocity: tensor(velocity) }
    }
    fn energy(&self) -> Tensor<f32> {
        self.velocity * self.velocity / 2.0 + self.position
    }
    fn step(&mut self, dt: Tensor<f32>) {
        self.velocity -= dt * 9.81;
        self.position += self.velocity * dt;
        if self.position < 0.0 {
            self.position = -self.position;
            self.velocity = -self.velocity;
        }
    }
    fn moved(self, by: Tensor<f32>) -> Self {
        Particle { position: self.position + by, ..self }
    }
}
fn main() {
    let mut p = Particle::new(1.0, 0.0);
    for _ in 0..10 {
        p.step(tensor(0.1));
    }
    assert!(p.position.item() >= 0.0);
    assert!(p.energy().item() > 0.0);
    let q = p.clone().moved(tensor(1.0));
    assert!((q.position.item() - p.position.item() - 1.0).abs() < 1e-6);
}
