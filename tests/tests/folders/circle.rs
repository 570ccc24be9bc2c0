//! Finds cycles among names that use each other.

use std::collections::{BTreeMap, BTreeSet};

/// For each folder, the folders that it uses.
pub type Uses = BTreeMap<String, BTreeSet<String>>;

/// A cycle of folders, if there is one: each uses the next, and the last uses the first.
pub fn circle(uses: &Uses) -> Option<Vec<String>> {
    let mut search = Search {
        uses,
        around: Vec::new(),
        done: BTreeSet::new(),
    };
    uses.keys().find_map(|folder| search.below(folder))
}

struct Search<'a> {
    uses: &'a Uses,
    /// The folders on the current path; each is used by the one before.
    around: Vec<&'a str>,
    /// The folders from which no cycle can be reached.
    done: BTreeSet<&'a str>,
}

impl<'a> Search<'a> {
    fn below(&mut self, folder: &'a str) -> Option<Vec<String>> {
        if let Some(at) = self.around.iter().position(|outer| *outer == folder) {
            return Some(
                self.around[at..]
                    .iter()
                    .map(|name| (*name).to_owned())
                    .collect(),
            );
        }
        if self.done.contains(folder) {
            return None;
        }
        self.around.push(folder);
        let used = self.uses.get(folder).into_iter().flatten();
        let found = used.into_iter().find_map(|next| self.below(next));
        self.around.pop();
        self.done.insert(folder);
        found
    }
}

#[test]
fn a_circle_is_found() {
    let of = |pairs: &[(&str, &str)]| {
        let mut uses = Uses::new();
        for (from, to) in pairs {
            uses.entry((*from).to_owned())
                .or_default()
                .insert((*to).to_owned());
        }
        circle(&uses)
    };
    assert_eq!(of(&[("a", "b"), ("a", "c"), ("b", "c")]), None);
    assert_eq!(
        of(&[("a", "b"), ("b", "c"), ("c", "b")]),
        Some(vec!["b".to_owned(), "c".to_owned()])
    );
}
