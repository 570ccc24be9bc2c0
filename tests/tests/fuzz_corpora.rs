//! The entry functions of the fuzz targets that read files, on stable Rust: on each file of their corpora, cut short, and damaged byte by byte.

use std::fs;
use std::path::Path;

use graph_tests::hostile_files::{Entry, TARGETS};

/// How many damaged files are made of each.
const DAMAGED: usize = 200;

/// The files of a target's corpus.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus")).join(target);
    let files = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    files
        .map(|file| fs::read(file.unwrap().path()).unwrap())
        .collect()
}

fn run_each(change: impl Fn(&[u8], Entry)) {
    for (target, entry) in TARGETS {
        let files = corpus(target);
        assert!(!files.is_empty(), "{target} has no corpus");
        for file in files {
            change(&file, *entry);
        }
    }
}

#[test]
fn every_corpus_has_a_target() {
    let folders = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus")).unwrap();
    for folder in folders {
        let name = folder.unwrap().file_name();
        assert!(
            TARGETS.iter().any(|(target, _)| **target == name),
            "{name:?}"
        );
    }
}

#[test]
fn the_corpora_themselves() {
    run_each(|file, entry| entry(file));
}

#[test]
fn files_cut_short() {
    run_each(|file, entry| {
        for n in 0..64 {
            entry(&file[..file.len() * n / 64]);
        }
    });
}

#[test]
fn damaged_files() {
    let mut random = 20_u64;
    let mut below = |n: usize| {
        // The generator of Knuth's MMIX.
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % n
    };
    let mut damages = Vec::new();
    for _ in 0..DAMAGED {
        // Lengths and tags are small numbers; the largest ones lie most.
        let bytes = [0, 1, 2, 0x7f, 0x80, 0xff, below(256) as u8];
        let list: Vec<(usize, u8)> = (0..1 + below(4))
            .map(|_| (below(1 << 30), bytes[below(7)]))
            .collect();
        damages.push((below(3), list));
    }
    run_each(|file, entry| {
        for (kind, list) in &damages {
            let mut bytes = file.to_vec();
            for (at, byte) in list {
                let at = at % bytes.len().max(1);
                match kind {
                    0 => bytes[at] = *byte,
                    1 => bytes.insert(at, *byte),
                    _ => drop(bytes.remove(at)),
                }
            }
            entry(&bytes);
        }
    });
}
