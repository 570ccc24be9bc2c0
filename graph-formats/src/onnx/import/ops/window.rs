//! Windows that move over the axes of images: the attributes that convolutions and poolings share, and the part of the images that is
//! at one position of each window.

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid, unsupported};
use super::super::node::Node;
use super::super::terms;

/// The most places of a window that are handled one by one.
pub(super) const MAX_PLACES: usize = 4096;

/// A window over the axes after batch and channels.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// The sizes of the window.
    pub size: Vec<usize>,
    pub strides: Vec<usize>,
    pub dilations: Vec<usize>,
    /// The padding before each axis.
    pub before: Vec<usize>,
    /// The padding after each axis.
    pub after: Vec<usize>,
    /// The number of windows along each axis.
    pub counts: Vec<usize>,
}

/// An attribute with one positive number for each axis; 1 if it isn't given.
pub(super) fn each(n: &Node<'_>, name: &str, rank: usize) -> Result<Vec<usize>> {
    let Some(given) = n.ints(name)? else {
        return Ok(vec![1; rank]);
    };
    let sizes: Option<Vec<usize>> = given
        .iter()
        .map(|n| {
            usize::try_from(*n)
                .ok()
                .filter(|n| (1..1 << 24).contains(n))
        })
        .collect();
    match sizes {
        Some(sizes) if sizes.len() == rank => Ok(sizes),
        _ => invalid(format!(
            "the attribute `{name}` is {given:?} for {rank} axes"
        )),
    }
}

/// The sizes of the axes after batch and channels.
pub(super) fn spatial(g: &Build<'_>, x: Val) -> Result<Vec<usize>> {
    g.rank(x)?;
    match g.shape(x).dims().unwrap_or_default() {
        [_, _, spatial @ ..] if !spatial.is_empty() => {
            let known: Option<Vec<usize>> = spatial.iter().copied().collect();
            let Some(known) = known else {
                return Err(Fault::NeedsShape("the sizes of the images".to_owned()));
            };
            terms::len(&known)?;
            Ok(known)
        }
        _ => invalid(format!(
            "it takes images, not an operand of shape {}",
            g.shape(x)
        )),
    }
}

/// The paddings that are written down, [before.., after..], for `rank` axes.
pub(super) fn pads(n: &Node<'_>, rank: usize) -> Result<(Vec<usize>, Vec<usize>)> {
    let Some(given) = n.ints("pads")? else {
        return Ok((vec![0; rank], vec![0; rank]));
    };
    let sizes: Option<Vec<usize>> = given
        .iter()
        .map(|n| usize::try_from(*n).ok().filter(|n| *n < 1 << 31))
        .collect();
    match sizes {
        Some(sizes) if sizes.len() == 2 * rank => {
            Ok((sizes[..rank].to_vec(), sizes[rank..].to_vec()))
        }
        _ => invalid(format!("the attribute `pads` is {given:?} for {rank} axes")),
    }
}

impl Window {
    /// The window of a node over axes of these sizes. `size` is that of the window.
    pub fn of(n: &Node<'_>, spatial: &[usize], size: Vec<usize>) -> Result<Window> {
        let rank = spatial.len();
        if size.len() != rank || size.contains(&0) {
            return invalid(format!("a window of shape {size:?} over {rank} axes"));
        }
        let strides = each(n, "strides", rank)?;
        let dilations = each(n, "dilations", rank)?;
        let (before, after) = pads(n, rank)?;
        let ceil = n.flag("ceil_mode", false)?;
        let mode = n.text("auto_pad")?.unwrap_or("NOTSET");
        let mut window = Window {
            size,
            strides,
            dilations,
            before,
            after,
            counts: Vec::new(),
        };
        match mode {
            "NOTSET" => window.count(spatial, ceil)?,
            "VALID" => {
                (window.before, window.after) = (vec![0; rank], vec![0; rank]);
                window.count(spatial, ceil)?;
            }
            "SAME_UPPER" | "SAME_LOWER" => window.same(spatial, mode == "SAME_UPPER"),
            other => return invalid(format!("the padding `{other}`")),
        }
        Ok(window)
    }

    /// The number of positions that the window spans along an axis.
    pub fn span(&self, axis: usize) -> usize {
        (self.size[axis] - 1)
            .saturating_mul(self.dilations[axis])
            .saturating_add(1)
    }

    /// Counts the windows; one that begins in the padding behind doesn't count.
    fn count(&mut self, spatial: &[usize], ceil: bool) -> Result<()> {
        for (axis, size) in spatial.iter().enumerate() {
            let padded = size + self.before[axis] + self.after[axis];
            let Some(rest) = padded.checked_sub(self.span(axis)) else {
                return invalid(format!(
                    "a window of {} positions over {padded}",
                    self.span(axis)
                ));
            };
            let stride = self.strides[axis];
            let mut count = if ceil {
                rest.div_ceil(stride)
            } else {
                rest / stride
            } + 1;
            if ceil && (count - 1) * stride >= size + self.before[axis] {
                count -= 1;
            }
            self.counts.push(count);
        }
        Ok(())
    }

    /// As many windows as strides fit; the padding is halved.
    fn same(&mut self, spatial: &[usize], upper: bool) {
        for (axis, size) in spatial.iter().enumerate() {
            let count = size.div_ceil(self.strides[axis]);
            let needed = count
                .saturating_sub(1)
                .saturating_mul(self.strides[axis])
                .saturating_add(self.span(axis));
            let padding = needed.saturating_sub(*size);
            let (small, large) = (padding / 2, padding.div_ceil(2));
            (self.before[axis], self.after[axis]) = if upper {
                (small, large)
            } else {
                (large, small)
            };
            self.counts.push(count);
        }
    }

    /// The positions that windows reach behind an axis of a size with its padding before.
    fn behind(&self, axis: usize, size: usize) -> usize {
        let end = self.counts[axis]
            .saturating_sub(1)
            .saturating_mul(self.strides[axis])
            .saturating_add(self.span(axis));
        end.saturating_sub(size + self.before[axis])
    }

    /// The images, padded with a scalar so that every window lies within.
    pub fn padded(&self, g: &mut Build<'_>, x: Val, spatial: &[usize], value: Val) -> Result<Val> {
        let lead = g.rank(x)? - spatial.len();
        let (mut before, mut after) = (vec![0i64; lead], vec![0i64; lead]);
        for (axis, size) in spatial.iter().enumerate() {
            before.push(self.before[axis] as i64);
            after.push(self.behind(axis, *size) as i64);
        }
        g.pad(x, &before, &after, value)
    }

    /// The places of a window, in row-major order.
    pub fn places(&self) -> Result<Vec<Vec<usize>>> {
        let count = self
            .size
            .iter()
            .try_fold(1usize, |count, n| count.checked_mul(*n));
        let Some(count) = count.filter(|count| *count <= MAX_PLACES) else {
            return unsupported(format!("a window of shape {:?}", self.size));
        };
        let place = |mut n: usize| {
            let mut place = vec![0; self.size.len()];
            for (axis, size) in self.size.iter().enumerate().rev() {
                place[axis] = n % size;
                n /= size;
            }
            place
        };
        Ok((0..count).map(place).collect())
    }

    /// The values of padded images at one position of each window: [.., counts..].
    pub fn at(&self, g: &mut Build<'_>, padded: Val, place: &[usize]) -> Result<Val> {
        let lead = g.rank(padded)? - place.len();
        let mut x = padded;
        for (axis, n) in place.iter().enumerate() {
            let begin = n * self.dilations[axis];
            let end = begin
                + self.counts[axis].saturating_sub(1) * self.strides[axis]
                + usize::from(self.counts[axis] > 0);
            x = g.slice(
                x,
                lead + axis,
                Some(begin as i64),
                Some(end as i64),
                self.strides[axis] as i64,
            )?;
        }
        Ok(x)
    }
}
