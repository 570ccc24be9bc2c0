//! Brackets and line breaks, which NumPy's and TensorFlow's styles share.

/// How an array is laid out as text.
pub(super) struct Layout<'a> {
    pub shape: &'a [usize],
    /// The number of entries shown at each edge of an axis that is longer than twice as many; `None` shows all.
    pub edge: Option<usize>,
    /// The maximum length of a line of the innermost axis.
    pub width: usize,
}

/// The text for entries that are left out.
const DOTS: &str = "...";

impl Layout<'_> {
    /// The positions along an axis that are shown; `None` marks the gap.
    fn shown(&self, size: usize) -> Vec<Option<usize>> {
        match self.edge {
            Some(edge) if size > 2 * edge => (0..edge)
                .map(Some)
                .chain([None])
                .chain((size - edge..size).map(Some))
                .collect(),
            _ => (0..size).map(Some).collect(),
        }
    }

    /// The flat positions of all values that are shown, in order.
    pub fn positions(&self) -> Vec<usize> {
        self.shape.iter().fold(vec![0], |starts, size| {
            let kept: Vec<usize> = self.shown(*size).into_iter().flatten().collect();
            starts
                .iter()
                .flat_map(|start| kept.iter().map(move |k| start * size + k))
                .collect()
        })
    }

    /// The whole text; `texts` gives the shown values in the order of [`positions`](Self::positions).
    pub fn render(&self, texts: &mut dyn Iterator<Item = String>) -> String {
        let mut out = String::new();
        self.axis(0, texts, &mut out);
        out
    }

    fn axis(&self, depth: usize, texts: &mut dyn Iterator<Item = String>, out: &mut String) {
        let Some(size) = self.shape.get(depth) else {
            out.extend(texts.next());
            return;
        };
        out.push('[');
        if depth + 1 == self.shape.len() {
            self.row(*size, depth, texts, out);
        } else {
            self.rows(*size, depth, texts, out);
        }
        out.push(']');
    }

    fn rows(
        &self,
        size: usize,
        depth: usize,
        texts: &mut dyn Iterator<Item = String>,
        out: &mut String,
    ) {
        // One line break between rows, and one more for each axis in between: blank lines between matrices.
        let breaks = self.shape.len() - depth - 1;
        for (n, position) in self.shown(size).into_iter().enumerate() {
            if n > 0 {
                out.extend(std::iter::repeat_n('\n', breaks));
                out.extend(std::iter::repeat_n(' ', depth + 1));
            }
            match position {
                Some(_) => self.axis(depth + 1, texts, out),
                None => out.push_str(DOTS),
            }
        }
    }

    fn row(
        &self,
        size: usize,
        depth: usize,
        texts: &mut dyn Iterator<Item = String>,
        out: &mut String,
    ) {
        let mut column = depth + 1;
        for (n, position) in self.shown(size).into_iter().enumerate() {
            let text = match position {
                Some(_) => texts.next().unwrap_or_default(),
                None => DOTS.to_owned(),
            };
            let len = text.chars().count();
            // The closing brackets count as part of the line, as in NumPy.
            if n > 0 && column + len + depth + 2 > self.width {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', depth + 1));
                column = depth + 1;
            } else if n > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(&text);
            column += len;
        }
    }
}
