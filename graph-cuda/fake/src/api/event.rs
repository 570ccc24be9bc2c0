//! Events.

use super::{Handle, api, put};
use crate::driver::queue;
use crate::driver::stream::Event;
use crate::driver::{code, driver, ready};

api! {
    fn cuEventCreate(to: *mut Handle, _flags: u32) {
        let mut d = ready()?;
        let handle = d.handle();
        d.events.insert(handle, Event::default());
        drop(d);
        put(to, handle as Handle)
    }

    fn cuEventDestroy_v2(event: Handle) {
        let mut d = driver();
        match d.events.remove(&(event as usize)) {
            Some(_) => Ok(()),
            None => d.refuse(code::INVALID_HANDLE, "not an event"),
        }
    }

    fn cuEventRecord(event: Handle, stream: Handle) { ready()?.record(event as usize, stream as usize) }

    fn cuEventQuery(event: Handle) {
        ready()?.may_ask(event as usize)?;
        let done = queue::advance_event(event as usize);
        drop(ready()?);
        if done { Ok(()) } else { Err(code::NOT_READY) }
    }

    fn cuEventSynchronize(event: Handle) {
        let mut d = ready()?;
        d.may_ask(event as usize)?;
        d.count.synchronizations += 1;
        drop(d);
        queue::finish_event(event as usize)
    }

    fn cuEventElapsedTime(to: *mut f32, start: Handle, end: Handle) {
        let mut d = ready()?;
        let happened = |e: Handle| d.events.get(&(e as usize)).is_none_or(|e| e.done == e.recorded);
        if !happened(start) || !happened(end) {
            return Err(code::NOT_READY);
        }
        let at = |e: Handle| d.events.get(&(e as usize)).and_then(|e| e.at);
        let (Some(start), Some(end)) = (at(start), at(end)) else {
            return d.refuse(code::INVALID_HANDLE, "an event that wasn't recorded");
        };
        drop(d);
        put(to, end.saturating_duration_since(start).as_secs_f32() * 1000.0)
    }
}
