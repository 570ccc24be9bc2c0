//! `bench-worker`: answers the requests on standard input, one a line, on standard output, until the input ends.

use std::io::{self, BufRead, Write};

use graph_bench::protocol::Session;

fn main() -> io::Result<()> {
    let mut session = Session::default();
    let mut replies = io::stdout().lock();
    for request in io::stdin().lock().lines() {
        writeln!(replies, "{}", session.answer(&request?))?;
        replies.flush()?;
    }
    Ok(())
}
