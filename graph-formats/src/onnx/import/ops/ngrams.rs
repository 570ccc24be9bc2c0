//! Counts of n-grams: sequences of words that a list names, perhaps with words between them.

use graph_kernels::{Array, DType};

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;
use super::super::terms::numbers;

pub(crate) const ROWS: &[Row] = &[("TfIdfVectorizer", One(vectorizer))];

/// The most n-grams of a list, and columns of a result.
const MAX_GRAMS: usize = 1 << 12;
/// The most words of an n-gram, and words that are left out between two.
const MAX_WORDS: i64 = 64;

/// The n-grams of one length.
struct Grams {
    words: usize,
    /// The first of them, as a position in the list of all n-grams.
    first: usize,
    /// One vector for each word: the words at this place of all the n-grams.
    columns: Vec<Array>,
}

/// The n-grams of the attributes, by length.
fn grams(n: &Node<'_>) -> Result<Vec<Grams>> {
    let counts = n.required("ngram_counts", n.ints("ngram_counts")?)?;
    let (texts, ints) = (n.texts("pool_strings")?, n.ints("pool_int64s")?);
    let len = match (&texts, ints) {
        (Some(texts), None) => texts.len(),
        (None, Some(ints)) => ints.len(),
        _ => return invalid("the words of the n-grams are integers or strings"),
    };
    let mut all = Vec::new();
    let mut first = 0;
    for (at, start) in counts.iter().enumerate() {
        let bound = |n: i64| usize::try_from(n).ok().filter(|n| *n <= len);
        let end = counts.get(at + 1).map_or(Some(len), |end| bound(*end));
        let range = bound(*start).zip(end).filter(|(start, end)| start <= end);
        let Some((start, end)) = range.filter(|(start, end)| (end - start).is_multiple_of(at + 1))
        else {
            return invalid(format!(
                "the attribute `ngram_counts` is {counts:?} for {len} words"
            ));
        };
        let words = at + 1;
        let column = |word: usize| {
            let places = (start + word..end).step_by(words);
            match (&texts, ints) {
                (Some(texts), _) => {
                    let column: Vec<String> = places.map(|n| texts[n].clone()).collect();
                    Array::new(&[column.len()], column)
                }
                (_, ints) => {
                    let ints = ints.unwrap_or_default();
                    let column: Vec<i64> = places.map(|n| ints[n]).collect();
                    Array::new(&[column.len()], column)
                }
            }
        };
        let columns = (0..words).map(column).collect();
        all.push(Grams {
            words,
            first,
            columns,
        });
        first += (end - start) / words;
    }
    if first > MAX_GRAMS {
        return unsupported(format!("more than {MAX_GRAMS} n-grams"));
    }
    Ok(all)
}

fn vectorizer(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let [shortest, longest, skips] = ["min_gram_length", "max_gram_length", "max_skip_count"]
        .map(|name| n.required(name, n.int(name)?));
    let (shortest, longest, skips) = (shortest?, longest?, skips?);
    if !(1..=longest).contains(&shortest)
        || longest > MAX_WORDS
        || !(0..=MAX_WORDS).contains(&skips)
    {
        return invalid(format!(
            "n-grams of {shortest} to {longest} words, {skips} left out"
        ));
    }
    let all = grams(n)?;
    let columns = n.required("ngram_indexes", n.ints("ngram_indexes")?)?;
    let total = all
        .last()
        .map_or(0, |last| last.first + last.columns[0].len());
    if columns.len() != total {
        return invalid(format!("{} columns for {total} n-grams", columns.len()));
    }
    let is_vector = g.rank(x)? == 1;
    let rows = if is_vector { g.expand_dims(x, 0)? } else { x };
    let rows = match g.dtype(rows) {
        DType::Str => rows,
        _ => g.cast(rows, DType::I64)?,
    };
    let [_, len] = g.dims(rows)?[..] else {
        return invalid("it takes words of rank 1 or 2");
    };
    let mut counts = None;
    for grams in &all {
        if !(shortest..=longest).contains(&(grams.words as i64)) || grams.columns[0].is_empty() {
            continue;
        }
        // A single word has nothing between its words.
        let skips = if grams.words == 1 { 0 } else { skips as usize };
        let mut found = None;
        for step in 1..=skips + 1 {
            let span = (grams.words - 1) * step;
            if span < len {
                let more = matches(g, rows, grams, step, len - span)?;
                found = Some(found.map_or(Ok(more), |found| g.add(found, more))?);
            }
        }
        let Some(found) = found else { continue };
        let placed = in_columns(g, n, found, grams, columns)?;
        counts = Some(counts.map_or(Ok(placed), |counts| g.add(counts, placed))?);
    }
    let counts = match counts {
        Some(counts) => counts,
        None => {
            let (zero, rows) = (g.number(0.0, DType::F32)?, g.dims(rows)?[0]);
            g.fill(zero, &[rows, width(columns)?])?
        }
    };
    if is_vector {
        g.squeeze(counts, &[0])
    } else {
        Ok(counts)
    }
}

/// How often each n-gram is in each row, with a fixed distance between its words: `[rows, n-grams]`.
fn matches(g: &mut Build<'_>, rows: Val, grams: &Grams, step: usize, starts: usize) -> Result<Val> {
    let mut all = None;
    for (word, column) in grams.columns.iter().enumerate() {
        let part = g.part(rows, 1, word * step, word * step + starts)?;
        let (part, column) = (g.expand_dims(part, 2)?, g.constant(column.clone()));
        let is_word = g.equal(part, column)?;
        all = Some(all.map_or(Ok(is_word), |all| g.and(all, is_word))?);
    }
    let Some(all) = all else {
        return invalid("an n-gram without words");
    };
    let all = g.cast(all, DType::F32)?;
    g.sum(all, &[1], false)
}

/// The number of columns of the result.
fn width(columns: &[i64]) -> Result<usize> {
    let largest = columns.iter().copied().max().unwrap_or(-1);
    let within = columns.iter().all(|column| *column >= 0);
    match usize::try_from(largest + 1) {
        Ok(width) if within && width <= MAX_GRAMS => Ok(width),
        _ => invalid("the attribute `ngram_indexes` is wrong"),
    }
}

/// Counts of n-grams, weighted as the attribute `mode` says, in the columns of the result.
fn in_columns(
    g: &mut Build<'_>,
    n: &Node<'_>,
    counts: Val,
    grams: &Grams,
    columns: &[i64],
) -> Result<Val> {
    let (own, width) = (grams.columns[0].len(), width(columns)?);
    let mode = n.required("mode", n.text("mode")?)?;
    let weights = n.floats("weights")?.unwrap_or_default();
    let counts = match mode {
        "TF" | "TFIDF" => counts,
        "IDF" => {
            let one = g.number(1.0, DType::F32)?;
            g.minimum(counts, one)?
        }
        other => return invalid(format!("the mode `{other}`")),
    };
    let mut places = vec![0.0; own * width];
    for gram in 0..own {
        let at = grams.first + gram;
        let weight = match mode {
            "TF" => 1.0,
            _ => weights.get(at).map_or(1.0, |weight| f64::from(*weight)),
        };
        places[gram * width + columns[at] as usize] = weight;
    }
    let places = g.constant(numbers(&places, &[own, width], DType::F32)?);
    g.matmul(counts, places, false)
}
