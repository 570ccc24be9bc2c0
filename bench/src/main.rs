//! `bench-worker`: reads requests from standard input, one per line, and writes replies to standard output, until the input ends.

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
