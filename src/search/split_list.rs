//! Where a thread without work finds some: the nodes that others share.

use super::params::SPINS;
use super::split::SplitPoint;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The shared nodes of a search and the threads that look for one.
#[derive(Default)]
pub(crate) struct SplitList {
    state: Mutex<State>,
    /// Threads that look for work and find none.
    idle: AtomicUsize,
    /// Counts the changes of the state that may end such a thread's wait, so that it can look out
    /// for one without the lock.
    changes: AtomicUsize,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    shared: Vec<Shared>,
    is_over: bool,
}

/// A shared node and how many threads help at it.
struct Shared {
    point: Arc<SplitPoint>,
    helpers: usize,
}

/// What a thread that looks for work is told.
enum Answer {
    Join(Arc<SplitPoint>),
    Wait,
    Done,
}

impl SplitList {
    /// Does a thread look for work in vain?
    #[inline(always)]
    pub fn someone_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Lets other threads help at this node.
    pub fn open(&self, point: &Arc<SplitPoint>) {
        let mut state = self.state();
        state.shared.push(Shared { point: point.clone(), helpers: 0 });
        self.tell();
    }

    /// A node for a thread that is not at work; `None` once the search is over.
    pub fn join_any(&self) -> Option<Arc<SplitPoint>> {
        self.join(|state| if state.is_over { Answer::Done } else { state.join(|_| true) })
    }

    /// A node for the thread that shared this one and has no more moves to search here: something
    /// that its helpers share in turn, so that it does not wait in vain but is back soon. `None`
    /// once the helpers have left; the node is then no longer shared.
    pub fn join_below(&self, above: &Arc<SplitPoint>) -> Option<Arc<SplitPoint>> {
        self.join(|state| {
            if state.find(above).is_some_and(|shared| shared.helpers > 0) {
                return state.join(|point| point.is_below(above));
            }
            state.shared.retain(|shared| !Arc::ptr_eq(&shared.point, above));
            Answer::Done
        })
    }

    /// Takes leave of a node joined before.
    pub fn leave(&self, point: &Arc<SplitPoint>) {
        if let Some(shared) = self.state().find(point) {
            shared.helpers -= 1;
            self.tell();
        }
    }

    /// Sends home all threads that look for work.
    pub fn end(&self) {
        let mut state = self.state();
        state.is_over = true;
        self.tell();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// To be called with the lock held: a waiting thread must not miss it.
    fn tell(&self) {
        self.changes.fetch_add(1, Relaxed);
        if self.someone_idle() {
            self.changed.notify_all();
        }
    }

    fn join(&self, ask: impl Fn(&mut State) -> Answer) -> Option<Arc<SplitPoint>> {
        let mut state = self.state();
        let mut is_idle = false;
        let found = loop {
            match ask(&mut state) {
                Answer::Join(point) => break Some(point),
                Answer::Done => break None,
                Answer::Wait if is_idle => {}
                Answer::Wait => {
                    is_idle = true;
                    self.idle.fetch_add(1, Relaxed);
                }
            }
            // Most waits are shorter than it takes to put a thread to sleep and to wake it.
            let seen = self.changes.load(Relaxed);
            let has_changed = || self.changes.load(Relaxed) != seen;
            drop(state);
            let mut spins = 0..SPINS;
            while !has_changed() && spins.next().is_some() {
                spin_loop();
            }
            state = self.state();
            if !has_changed() {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        };
        if is_idle {
            self.idle.fetch_sub(1, Relaxed);
        }
        found
    }
}

impl State {
    fn find(&mut self, point: &Arc<SplitPoint>) -> Option<&mut Shared> {
        self.shared.iter_mut().find(|shared| Arc::ptr_eq(&shared.point, point))
    }

    /// The largest of the nodes that have work left and fit.
    fn join(&mut self, fits: impl Fn(&SplitPoint) -> bool) -> Answer {
        let open = self.shared.iter_mut().filter(|s| s.point.has_work() && fits(&s.point));
        open.max_by_key(|shared| shared.point.size()).map_or(Answer::Wait, |shared| {
            shared.helpers += 1;
            Answer::Join(shared.point.clone())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use std::time::Duration;

    fn is(found: Option<Arc<SplitPoint>>, point: &Arc<SplitPoint>) -> bool {
        found.is_some_and(|found| Arc::ptr_eq(&found, point))
    }

    /// Long enough for a thread without work to go to sleep.
    fn doze() {
        thread::sleep(Duration::from_millis(20));
    }

    #[test]
    fn the_largest_node_that_is_undecided_comes_first() {
        let list = SplitList::default();
        let points = [15, 19, 17].map(|depth| SplitPoint::at_start(depth, None));
        points.iter().for_each(|point| list.open(point));
        assert!(is(list.join_any(), &points[1]));
        assert!(is(list.join_any(), &points[1]));
        points[1].cancel();
        assert!(is(list.join_any(), &points[2]));
        points[2].cancel();
        assert!(is(list.join_any(), &points[0]));
        assert!(!list.someone_idle());
    }

    #[test]
    fn a_thread_that_waits_for_its_helpers_helps_below_them() {
        let list = SplitList::default();
        let own = SplitPoint::at_start(15, None);
        let elsewhere = SplitPoint::at_start(20, None);
        list.open(&own);
        assert!(is(list.join_any(), &own));
        list.open(&elsewhere);
        let helpers = SplitPoint::at_start(14, Some(&own));
        let deeper = SplitPoint::at_start(13, Some(&helpers));
        list.open(&deeper);
        list.open(&helpers);
        assert!(is(list.join_below(&own), &helpers));
        list.leave(&helpers);
        helpers.cancel();
        assert!(is(list.join_below(&own), &deeper));
        list.leave(&deeper);
        list.leave(&own);
        assert!(list.join_below(&own).is_none());
        assert!(list.state().find(&own).is_none(), "a node without helpers is still shared");
        assert!(is(list.join_any(), &elsewhere));
    }

    #[test]
    fn a_node_is_shared_until_its_last_helper_has_left() {
        let list = SplitList::default();
        let own = SplitPoint::at_start(15, None);
        list.open(&own);
        assert!(is(list.join_any(), &own));
        assert!(is(list.join_any(), &own));
        own.cancel();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| list.join_below(&own).is_none());
            doze();
            list.leave(&own);
            doze();
            assert!(!waiting.is_finished());
            assert!(list.someone_idle());
            list.leave(&own);
            assert!(waiting.join().unwrap());
        });
        assert!(!list.someone_idle());
    }

    #[test]
    fn sleeping_threads_hear_of_work_and_of_the_end() {
        let list = SplitList::default();
        let point = SplitPoint::at_start(15, None);
        thread::scope(|scope| {
            let [first, second] = [(); 2].map(|()| scope.spawn(|| list.join_any()));
            doze();
            assert!(list.someone_idle());
            list.open(&point);
            assert!(is(first.join().unwrap(), &point));
            assert!(is(second.join().unwrap(), &point));
            point.cancel();
            let third = scope.spawn(|| list.join_any());
            doze();
            list.end();
            assert!(third.join().unwrap().is_none());
        });
        assert!(!list.someone_idle());
    }
}
