//! `bench-worker`: runs the workloads as graph functions, for a driver that sends requests.

use graph_bench::{protocol, workloads};

fn main() -> std::io::Result<()> {
    protocol::serve(workloads::find)
}
