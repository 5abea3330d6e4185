//! How far a long command has come.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar with an estimate of the time to go, or a message alone if there is no goal; only if
/// stderr is a terminal. The message is the caller's. `done` is what an earlier run has left.
pub fn bar(goal: Option<u64>, done: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(goal, ProgressDrawTarget::stderr());
    let template = match goal {
        Some(_) => "{wide_bar} {pos}/{len}, {elapsed}, {eta} to go {msg}",
        None => "{elapsed} {msg}",
    };
    // A template that cannot be read would leave the package's own style.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    start_at(&bar, done);
    bar
}

/// Sets the position from which the time to go is estimated: what was there before says nothing
/// about it.
pub fn start_at(bar: &ProgressBar, done: u64) {
    bar.set_position(done);
    bar.reset_eta();
}
