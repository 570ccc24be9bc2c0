// Wanted: a learning rate that the program changes.
use graph_runtime::nn::Sgd;
use graph_runtime::prelude::*;

fn main() {
    let weight = Variable::new(tensor(1.0));
    let rate = Variable::new(tensor(0.1));
    let sgd = Sgd::new(&weight).learning_rate(&rate);
    sgd.apply(&Some(tensor(1.0)), &weight);
}
