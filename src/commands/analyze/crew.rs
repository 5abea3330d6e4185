//! The positions spread over threads, and their rows brought back into order.

use super::examine::Examiner;
use super::plan::Plan;
use super::row::Row;
use crate::commands::stop::Stop;
use crate::engine::thread_pool;
use crate::eval::Weights;
use crate::search::Limits;
use crate::search::tt::Table;
use rayon::ThreadPool;
use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// So many positions may be under way or wait for one before them: enough to keep every thread
/// busy while one of them solves a hard position, few enough to bound the memory.
const WINDOW: usize = 8_192;

/// Time between two looks at what Ctrl-C does.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What all threads work with.
pub struct Crew<'c> {
    plan: &'c Plan,
    limits: Limits,
    multipv: usize,
    weights: &'c Weights,
    pool: ThreadPool,
    /// Search threads for each position.
    threads: usize,
    /// For each worker a table and what ends its searches.
    places: Vec<(Table, Stop)>,
}

impl<'c> Crew<'c> {
    /// A crew of so many threads with a table of `hash_mb` MiB each. One position alone gets all
    /// threads.
    ///
    /// # Errors
    /// One line if there are no threads or no memory.
    pub fn new(
        plan: &'c Plan,
        limits: Limits,
        multipv: usize,
        weights: &'c Weights,
        threads: usize,
        hash_mb: usize,
    ) -> Result<Crew<'c>, String> {
        let pool = thread_pool(threads)?;
        let workers = if plan.len() == 1 { 1 } else { threads.min(plan.len()) };
        let place = |_| Ok((Table::new(hash_mb)?, Stop::default()));
        let places =
            pool.install(|| (0..workers).map(place).collect::<Result<Vec<_>, String>>())?;
        let threads = if plan.len() == 1 { threads } else { 1 };
        Ok(Crew { plan, limits, multipv, weights, pool, threads, places })
    }

    /// Searches the positions from number `first` on. `on_row` hears of each one in order, as
    /// soon as it and those before it are known. Ends early once `interrupt` does.
    ///
    /// # Errors
    /// The error of `on_row`, which ends the work.
    pub fn work(
        &self,
        first: usize,
        interrupt: &Stop,
        on_row: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let queue = &Queue::new(first, self.plan.len());
        let (sender, receiver) = channel();
        self.pool.in_place_scope(|scope| {
            scope.spawn_broadcast(move |_, context| {
                if let Some((table, stop)) = self.places.get(context.index()) {
                    self.examine_all(table, stop, queue, &sender);
                }
            });
            let end = || {
                queue.close();
                self.places.iter().for_each(|(_, stop)| stop.end());
            };
            let written = in_order(first, &receiver, queue, interrupt, &end, on_row);
            end();
            written
        })
    }

    /// One thread's part.
    fn examine_all(
        &self,
        table: &Table,
        stop: &Stop,
        queue: &Queue,
        rows: &Sender<(usize, Row<'c>)>,
    ) {
        let examiner = Examiner {
            weights: self.weights,
            table,
            threads: self.threads,
            multipv: self.multipv,
            limits: &self.limits,
            stop,
        };
        while let Some(index) = queue.take() {
            let task = self.plan.task(index);
            let Some((task, findings)) = task.and_then(|task| {
                let findings = examiner.examine(&task)?;
                Some((task, findings))
            }) else {
                // The others would wait for this row in vain.
                return queue.close();
            };
            if rows.send((index, Row { task, findings })).is_err() {
                return;
            }
        }
    }
}

/// Hands rows on in order until no more will come.
fn in_order<'p>(
    mut next: usize,
    rows: &Receiver<(usize, Row<'p>)>,
    queue: &Queue,
    interrupt: &Stop,
    end: &dyn Fn(),
    on_row: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut waiting = BTreeMap::new();
    loop {
        match rows.recv_timeout(LOOK_EVERY) {
            Ok((index, row)) => drop(waiting.insert(index, row)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if interrupt.ended() {
            end();
        }
        while let Some(row) = waiting.remove(&next) {
            on_row(&row)?;
            next += 1;
            queue.written(next);
        }
    }
}

/// Which position is to be searched next, for all threads.
struct Queue {
    state: Mutex<State>,
    moved: Condvar,
}

struct State {
    next: usize,
    /// None is left from here on.
    end: usize,
    /// None may be taken yet from here on.
    limit: usize,
}

impl Queue {
    fn new(first: usize, end: usize) -> Queue {
        let state = State { next: first, end, limit: first + WINDOW };
        Queue { state: Mutex::new(state), moved: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The next position, once there is room for its row; `None` if none is left.
    fn take(&self) -> Option<usize> {
        let full = |state: &mut State| state.next >= state.limit && state.next < state.end;
        let state = self.moved.wait_while(self.state(), full);
        let mut state = state.unwrap_or_else(|poisoned| poisoned.into_inner());
        let index = state.next;
        (index < state.end).then(|| {
            state.next += 1;
            index
        })
    }

    /// All rows before this one have left.
    fn written(&self, next: usize) {
        self.state().limit = next + WINDOW;
        self.moved.notify_all();
    }

    /// Leaves no position to take.
    fn close(&self) {
        self.state().end = 0;
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn no_more_are_taken_than_the_window_holds_until_rows_leave() {
        let queue = Queue::new(5, 5 + WINDOW + 2);
        (5..5 + WINDOW).for_each(|index| assert_eq!(queue.take(), Some(index)));
        thread::scope(|scope| {
            let blocked = scope.spawn(|| queue.take());
            thread::sleep(Duration::from_millis(20));
            assert!(!blocked.is_finished());
            queue.written(6);
            assert_eq!(blocked.join().unwrap(), Some(5 + WINDOW));
            let blocked = scope.spawn(|| queue.take());
            queue.close();
            assert!(blocked.join().unwrap().is_none_or(|index| index == 6 + WINDOW));
        });
        assert_eq!(queue.take(), None);
    }
}
