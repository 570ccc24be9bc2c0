//! Sets of numbers that grow together (union-find): registers that moves connect, values that a pass changes together or not at all.

/// Disjoint sets of the numbers below a limit.
pub(crate) struct Sets {
    /// For each number, another number of its set, or itself if it represents the set.
    parents: Vec<usize>,
}

impl Sets {
    /// Each number below `count` in a set of its own.
    pub fn new(count: usize) -> Sets {
        Sets {
            parents: (0..count).collect(),
        }
    }

    /// The number that represents the set of this one.
    pub fn root(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            // Path halving keeps the paths short.
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }

    /// Makes one set of two.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a] = b;
    }
}

#[cfg(test)]
mod tests {
    use super::Sets;

    #[test]
    fn joined_numbers_have_one_root() {
        let mut sets = Sets::new(5);
        sets.join(0, 1);
        sets.join(3, 4);
        assert_eq!(sets.root(0), sets.root(1));
        assert_ne!(sets.root(1), sets.root(3));
        sets.join(4, 1);
        assert_eq!(sets.root(0), sets.root(3));
        assert_eq!(sets.root(2), 2);
    }
}
