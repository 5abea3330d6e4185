//! Makes a book grow: batches of positions, analysed at a time, one thread each.
//!
//! A batch is a fixed part of what is there and is chosen from complete batches alone, and an
//! analysis depends on nothing but its position. So the book depends on how many positions it has,
//! not on the number of threads, nor on when it was interrupted.

use crate::board::Board;
use crate::book::analysis::Analyst;
use crate::book::expansion::{Bounds, Candidate, next};
use crate::book::{Analysis, Contents, Graph};
use crate::engine::thread_pool;
use crate::eval::Weights;
use crate::game::{Colour, Game};
use crate::notation::position::position_text;
use crate::search::tt::Table;
use rayon::ThreadPool;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A batch is this part of the positions that are there, at least one: large enough to keep many
/// threads busy, small enough that its last position is about as cheap as its first.
const BATCH_PART: usize = 16;

/// Time between two looks at the clock while nothing else happens.
const GLANCE: Duration = Duration::from_millis(50);

/// When to stop, beside the bounds of the lines.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Number of positions in the book.
    pub positions: Option<usize>,
    /// The moment.
    pub deadline: Option<Instant>,
}

/// How far a builder has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Positions in the book.
    pub positions: usize,
    /// Plies of the deepest one of complete batches.
    pub deepest: u32,
    /// Cost of the cheapest line out of the book (centidiscs), `None` if no line is left.
    pub cost: Option<i64>,
}

/// What works on a book.
pub struct Builder<'b> {
    pool: ThreadPool,
    tables: Vec<Table>,
    weights: &'b Weights,
    bounds: Bounds,
    goal: Goal,
    /// Ends everything when it becomes true: Ctrl-C sets it, and the deadline.
    stop: &'b AtomicBool,
}

impl<'b> Builder<'b> {
    /// A builder with so many threads, each with a table of `hash_mb` MiB.
    ///
    /// # Errors
    /// One line if there is no memory or no thread.
    pub fn new(
        (threads, hash_mb): (usize, usize),
        weights: &'b Weights,
        (bounds, goal): (Bounds, Goal),
        stop: &'b AtomicBool,
    ) -> Result<Builder<'b>, String> {
        let pool = thread_pool(threads)?;
        let table = |_| Table::new(hash_mb);
        let tables = pool.install(|| (0..threads).map(table).collect::<Result<Vec<_>, _>>())?;
        Ok(Builder { pool, tables, weights, bounds, goal, stop })
    }

    /// Adds positions to the book until a bound, the goal or `stop` ends it. `on_analysis` hears
    /// of each new position; the contents that it sees are fit to be written to a file.
    ///
    /// # Errors
    /// What `on_analysis` answers, or one line if a position cannot be analysed.
    pub fn build(
        &self,
        contents: &mut Contents,
        on_analysis: &mut dyn FnMut(&Contents, &Progress) -> Result<(), String>,
    ) -> Result<Progress, String> {
        loop {
            let graph = Graph::new(&contents.positions);
            let count = (contents.positions.len() / BATCH_PART).max(1);
            let batch = next(&graph, &contents.roots, &self.bounds, count);
            let mut progress = Progress {
                positions: contents.positions.len() + contents.pending.len(),
                deepest: graph.nodes().last().map_or(0, |node| node.ply()),
                cost: batch.first().map(|candidate| candidate.cost),
            };
            drop(graph);
            if batch.is_empty() || self.is_reached(&progress) {
                return Ok(progress);
            }
            let complete = self.analyse(&batch, contents, &mut progress, on_analysis)?;
            if !complete {
                return Ok(progress);
            }
            contents.positions.append(&mut contents.pending);
        }
    }

    fn is_reached(&self, progress: &Progress) -> bool {
        let late = self.goal.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let enough = self.goal.positions.is_some_and(|goal| progress.positions >= goal);
        late || enough || self.stop.load(Relaxed)
    }

    /// Analyses what is still missing of a batch, as far as the goal goes. Says whether the batch
    /// is then complete.
    fn analyse(
        &self,
        batch: &[Candidate],
        contents: &mut Contents,
        progress: &mut Progress,
        on_analysis: &mut dyn FnMut(&Contents, &Progress) -> Result<(), String>,
    ) -> Result<bool, String> {
        // Of another batch if the bounds have changed since: analysed all the same.
        let mut known: HashMap<Board, Analysis> =
            contents.pending.drain(..).map(|analysis| (analysis.board, analysis)).collect();
        let mut missing = Vec::new();
        for Candidate { board, .. } in batch {
            match known.remove(board) {
                Some(analysis) => contents.pending.push(analysis),
                None => missing.push(*board),
            }
        }
        contents.pending.extend(known.into_values());
        let left = self.goal.positions.map(|goal| goal.saturating_sub(progress.positions));
        let wanted = missing.get(..left.unwrap_or(usize::MAX)).unwrap_or(&missing);
        let level = contents.settings.level;
        let mut done = 0;
        self.analyse_all(wanted, level, &mut |analysis| {
            done += 1;
            progress.positions += 1;
            contents.pending.push(analysis);
            on_analysis(contents, progress)
        })?;
        Ok(done == missing.len())
    }

    /// Analyses these positions, in any order, until all are done or the builder is to stop.
    fn analyse_all(
        &self,
        boards: &[Board],
        level: u8,
        on_analysis: &mut dyn FnMut(Analysis) -> Result<(), String>,
    ) -> Result<(), String> {
        let (sender, receiver) = channel();
        let index = &AtomicUsize::new(0);
        // A search that only its level limits never sets the flag, so all of them can share it.
        let Builder { weights, stop, tables, .. } = self;
        self.pool.in_place_scope(|scope| {
            scope.spawn_broadcast(move |_, context| {
                let Some(table) = tables.get(context.index()) else { return };
                let analyst = Analyst { level, weights, table, stop };
                while !stop.load(Relaxed)
                    && let Some(board) = boards.get(index.fetch_add(1, Relaxed))
                {
                    let analysis = analyst.analyse(*board).ok_or(*board);
                    if sender.send(analysis).is_err() {
                        return;
                    }
                }
            });
            let outcome = loop {
                match receiver.recv_timeout(GLANCE) {
                    Ok(Ok(analysis)) => {
                        if let Err(error) = on_analysis(analysis) {
                            break Err(error);
                        }
                    }
                    Ok(Err(_)) if self.stop.load(Relaxed) => {}
                    Ok(Err(board)) => {
                        let position = position_text(&Game::from_position(board, Colour::Black));
                        break Err(format!("cannot analyse {position}"));
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                }
                if self.goal.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    self.stop.store(true, Relaxed);
                }
            };
            if outcome.is_err() {
                self.stop.store(true, Relaxed);
            }
            outcome
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::format::encode;
    use crate::book::{Book, Settings};

    const BOUNDS: Bounds = Bounds { ply_cost: 25, max_cost: None, max_ply: None };

    fn empty() -> Contents {
        let mut contents = Contents::new(Settings { level: 1, weights: 0 });
        contents.roots = vec![Board::START.canonical()];
        contents
    }

    /// Goes on to so many positions; `stop_after` of them an interruption comes.
    fn build(
        contents: &mut Contents,
        threads: usize,
        bounds: Bounds,
        goal: usize,
        stop_after: usize,
    ) {
        let stop = &AtomicBool::new(false);
        let goal = Goal { positions: Some(goal), deadline: None };
        let weights = Weights::embedded();
        let builder = Builder::new((threads, 1), weights, (bounds, goal), stop).unwrap();
        let mut heard = 0;
        let on_analysis = &mut |contents: &Contents, progress: &Progress| {
            assert_eq!(contents.positions.len() + contents.pending.len(), progress.positions);
            heard += 1;
            stop.fetch_or(heard >= stop_after, Relaxed);
            Ok(())
        };
        builder.build(contents, on_analysis).unwrap();
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let mut whole = empty();
        build(&mut whole, 1, BOUNDS, 150, usize::MAX);
        assert_eq!(whole.positions.len() + whole.pending.len(), 150);
        let bytes = encode(&whole).unwrap();

        let mut threads = empty();
        build(&mut threads, 3, BOUNDS, 150, usize::MAX);
        assert!(encode(&threads).unwrap() == bytes);

        let mut stopped = empty();
        let mut runs = 0;
        while stopped.positions.len() + stopped.pending.len() < 150 {
            build(&mut stopped, 2, BOUNDS, 150, 7);
            runs += 1;
        }
        assert!(runs > 10 && encode(&stopped).unwrap() == bytes);

        let mut steps = empty();
        for goal in [1, 60, 61, 149, 150] {
            build(&mut steps, 2, BOUNDS, goal, usize::MAX);
        }
        assert!(encode(&steps).unwrap() == bytes);
    }

    #[test]
    fn the_bounds_of_the_lines_end_it() {
        let mut contents = empty();
        let bounds = Bounds { max_cost: Some(300), max_ply: Some(3), ..BOUNDS };
        build(&mut contents, 2, bounds, 1_000, usize::MAX);
        assert!(contents.pending.is_empty());
        let graph = Graph::new(&contents.positions);
        assert_eq!(next(&graph, &contents.roots, &bounds, 1), []);
        // 1, 1, 3 and at most 14 different positions after 0 to 3 plies.
        assert!((6..=19).contains(&graph.nodes().len()), "{}", graph.nodes().len());
        assert_eq!(graph.nodes().last().map(|node| node.ply()), Some(3));
        assert!(Book::new(&contents).look_up(Board::START).is_some());
    }

    #[test]
    fn a_deadline_in_the_past_adds_nothing() {
        let (stop, mut contents) = (AtomicBool::new(false), empty());
        let goal = Goal { positions: None, deadline: Some(Instant::now()) };
        let builder = Builder::new((1, 1), Weights::embedded(), (BOUNDS, goal), &stop).unwrap();
        let progress = builder.build(&mut contents, &mut |_, _| Ok(())).unwrap();
        assert_eq!((progress.positions, contents), (0, empty()));
    }
}
