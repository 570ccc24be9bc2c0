//! The entry functions of the fuzz targets on stable Rust: on the corpus, on texts damaged in pieces, and on graphs
//! damaged field by field.

use graph_tests::hostile::{self, CORPUS};
use proptest::prelude::*;

/// Pieces of syntax that end, open or break something in the wrong place.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ";",
    "=",
    ":",
    "%",
    "\"",
    "\\",
    "-",
    "0x",
    "9e999",
    "?",
    "*",
    "#",
    "é",
    "\0",
    "fusion",
    "cond",
    "while_loop",
    "body",
    "return",
    "nan",
    "99999999999999999999",
    "int32[]",
    "float32[*]",
];

/// Where a replacement is made, how much it replaces, and by what: a piece of syntax, or another part of the text.
type Damage = (usize, usize, usize);

fn damaged(text: &str, damages: &[Damage]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, len, with) in damages {
        let at = at % (bytes.len() + 1);
        let end = (at + len % 24).min(bytes.len());
        let piece = match with % (PIECES.len() + 1) {
            piece if piece < PIECES.len() => PIECES[piece].as_bytes().to_vec(),
            _ => {
                let from = with % (bytes.len() + 1);
                bytes[from..(from + 40).min(bytes.len())].to_vec()
            }
        };
        bytes.splice(at..end, piece);
    }
    bytes
}

#[test]
fn the_corpus_itself() {
    for text in CORPUS {
        text.parse::<graph_runtime::graph::Graph>()
            .unwrap_or_else(|e| panic!("{e}\n{text}"));
        hostile::text(text.as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn damaged_texts_are_errors_or_graphs(
        text in 0..CORPUS.len(),
        damages in proptest::collection::vec(any::<Damage>(), 1..4),
    ) {
        hostile::text(&damaged(CORPUS[text], &damages));
    }

    #[test]
    fn damaged_graphs_are_found_or_harmless(bytes in proptest::collection::vec(any::<u8>(), 5..34)) {
        hostile::graph(&bytes);
    }
}
