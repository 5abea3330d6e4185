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
