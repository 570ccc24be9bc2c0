//! **A service**: threads ask, one thread answers. It takes what has come together, makes one batch of it, and runs one graph, whose
//! number of rows is open.

use super::inputs;
use graph_runtime::prelude::*;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// The probabilities of three classes for each row of four numbers.
#[graph_fn]
fn classify(x: Tensor<f32, shape![_, 4]>, weights: &Tensor<f32>) -> Tensor<f32> {
    x.matmul(weights).softmax(-1)
}

/// What a client asks, and where the answer goes.
struct Request {
    numbers: [f32; 4],
    answer: Sender<Vec<f32>>,
}

/// Answers until all clients are gone; returns how many batches it made.
fn serve(requests: &Receiver<Request>, weights: &Tensor<f32>) -> usize {
    let mut batches = 0;
    while let Ok(first) = requests.recv() {
        let batch: Vec<Request> = std::iter::once(first)
            .chain(requests.try_iter().take(63))
            .collect();
        let rows: Vec<[f32; 4]> = batch.iter().map(|request| request.numbers).collect();
        let answers = classify(tensor(rows), weights);
        for (request, answer) in batch.iter().zip(answers.unstack(0)) {
            // A client that doesn't wait any more is no fault of the service.
            let _ = request.answer.send(answer.to_vec());
        }
        batches += 1;
    }
    batches
}

fn weights() -> Tensor<f32> {
    tensor(inputs::normal(12, 71)).cast::<f32>().reshape([4, 3])
}

/// What the client with this number asks.
fn question(client: usize, number: usize) -> [f32; 4] {
    std::array::from_fn(|i| ((client * 3 + number * 3 + i) % 7) as f32 - 3.0)
}

/// `clients` threads ask `each` questions. Returns the sum of the first class's probabilities for each client, and how many batches
/// there were.
fn run(clients: usize, each: usize) -> (Vec<f64>, usize) {
    let (sender, requests) = channel();
    let service = thread::spawn(move || serve(&requests, &weights()));
    let ask = move |client: usize, sender: Sender<Request>| {
        let mut sum = 0.0;
        for number in 0..each {
            let (answer, answers) = channel();
            sender
                .send(Request {
                    numbers: question(client, number),
                    answer,
                })
                .expect("the service is there");
            sum += f64::from(answers.recv().expect("it answers")[0]);
        }
        sum
    };
    let threads: Vec<_> = (0..clients)
        .map(|client| {
            let sender = sender.clone();
            thread::spawn(move || ask(client, sender))
        })
        .collect();
    drop(sender);
    let sums = threads
        .into_iter()
        .map(|client| client.join().expect("no client fails"))
        .collect();
    (sums, service.join().expect("the service doesn't fail"))
}

/// What is timed.
pub fn work() {
    run(4, 250);
}

/// The program.
pub fn main() {
    let (_, batches) = run(8, 100);
    println!(
        "800 questions were answered in {batches} batches by {} trace",
        classify::function().trace_count()
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn all_clients_get_numpys_answers() {
        let (sums, batches) = run(3, 40);
        close(
            &sums,
            &[12.210935501850795, 12.32998004518508, 11.350903722811502],
            1e-5,
        );
        assert!(batches <= 120);
        assert_eq!(classify::function().trace_count(), 1);
    }
}
