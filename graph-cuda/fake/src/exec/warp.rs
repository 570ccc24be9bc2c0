//! The threads of a warp at instructions that they execute together: shuffles, votes and `bar.warp.sync`.

use super::block::position;
use super::context::Context;
use super::fault::Fault;
use super::thread::{State, Thread};
use crate::code::{Collective, Inst, Reg};

/// Executes the collectives whose threads have all arrived; `false` if there is none.
pub(super) fn collectives(
    lanes: &mut [Thread],
    number: usize,
    c: &mut Context<'_>,
) -> Result<bool, Fault> {
    let mut moved = false;
    for i in 0..lanes.len() {
        let State::AtCollective { mask } = lanes[i].state else {
            continue;
        };
        if mask >> i & 1 == 0 {
            return Err(Fault::failed(format!(
                "the mask {mask:#x} doesn't name the lane {i} itself"
            ))
            .at(&lanes[i].place(c)));
        }
        let members: Vec<usize> = (0..lanes.len())
            .filter(|&l| mask >> l & 1 != 0 && lanes[l].state != State::Done)
            .collect();
        let at = position(&lanes[i]);
        if members
            .iter()
            .all(|&l| lanes[l].state == lanes[i].state && position(&lanes[l]) == at)
        {
            together(lanes, &members, number, c)?;
            moved = true;
        }
    }
    Ok(moved)
}

fn together(
    lanes: &mut [Thread],
    members: &[usize],
    number: usize,
    c: &mut Context<'_>,
) -> Result<(), Fault> {
    let Some((function, pc)) = position(&lanes[members[0]]) else {
        return Ok(());
    };
    let Inst::Collective { kind, d, q, s, .. } = c.program.functions[function].code[pc].inst else {
        return Ok(());
    };
    if kind == Collective::Sync {
        c.clock.synchronize_warp(number);
        members.iter().for_each(|&l| lanes[l].pass());
        return Ok(());
    }
    let mut values = [0; 32];
    for &l in members {
        values[l] = register(&lanes[l], s[0]);
    }
    for &l in members {
        let (value, holds) = match kind {
            Collective::Any => one(members.iter().any(|&m| values[m] != 0)),
            Collective::All => one(members.iter().all(|&m| values[m] != 0)),
            Collective::Uniform => one(members
                .iter()
                .all(|&m| (values[m] != 0) == (values[l] != 0))),
            Collective::Ballot => (
                members
                    .iter()
                    .filter(|&&m| values[m] != 0)
                    .map(|&m| 1 << m)
                    .sum(),
                true,
            ),
            _ => {
                let (from, inside) = source(
                    kind,
                    l,
                    register(&lanes[l], s[1]) as u32,
                    register(&lanes[l], s[2]) as u32,
                );
                if !members.contains(&from) {
                    return Err(Fault::failed(format!(
                        "lane {l} reads lane {from}, which doesn't take part"
                    ))
                    .at(&lanes[l].place(c)));
                }
                (values[from], inside)
            }
        };
        let thread = &mut lanes[l];
        let base = thread.activations.last().map_or(0, |f| f.registers);
        thread.registers[base + usize::from(d)] = value;
        thread.registers[base + usize::from(q)] = u64::from(holds);
        thread.pass();
    }
    Ok(())
}

fn one(holds: bool) -> (u64, bool) {
    (u64::from(holds), holds)
}

fn register(thread: &Thread, r: Reg) -> u64 {
    thread
        .activations
        .last()
        .map_or(0, |f| thread.registers[f.registers + usize::from(r)])
}

/// The lane from which a lane reads, and whether it is in range; if it isn't, the lane reads itself.
fn source(kind: Collective, lane: usize, b: u32, c: u32) -> (usize, bool) {
    let lane = lane as i32;
    let (b, clamp, segment) = ((b & 31) as i32, (c & 31) as i32, (c >> 8 & 31) as i32);
    let most = lane & segment | clamp & !segment;
    let (from, inside) = match kind {
        Collective::Up => (lane - b, lane - b >= most),
        Collective::Down => (lane + b, lane + b <= most),
        Collective::Butterfly => (lane ^ b, lane ^ b <= most),
        _ => {
            let from = lane & segment | b & !segment;
            (from, from <= most)
        }
    };
    if inside {
        (from as usize, true)
    } else {
        (lane as usize, false)
    }
}
