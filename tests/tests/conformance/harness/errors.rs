//! TensorFlow's errors and ours: which words say the same.

/// What TensorFlow's sentence contains, and the words that ours has for it.
const SAME: &[(&str, &[&str])] = &[];

/// Why our error doesn't say what TensorFlow's does, if it doesn't.
pub fn disagree(ours: &str, core: &str) -> Option<String> {
    let Some((_, words)) = SAME.iter().find(|(theirs, _)| core.contains(theirs)) else {
        return Some(format!(
            "no words are known for TensorFlow's error\n      theirs: {core}\n      ours:   {ours}"
        ));
    };
    let missing: Vec<_> = words.iter().filter(|word| !ours.contains(**word)).collect();
    (!missing.is_empty()).then(|| {
        format!("the error lacks {missing:?}\n      theirs: {core}\n      ours:   {ours}")
    })
}
