//! Both sides' time, as the controller has told it and as our own moves have used it up since.

use crate::game::Colour;
use crate::search::{ByoYomi, Clock};
use std::time::Duration;

/// What `time_settings` can mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Control {
    /// Nobody has said anything about time.
    #[default]
    Untold,
    /// `0 0 0`: there is no limit.
    Unlimited,
    /// `0 N 0`: time for each move.
    EachMove(Duration),
    /// `M 0 0` and `M N 0`: time for the game; the increment after each move is not standard GTP
    /// but what runners mean.
    Game {
        /// At the start.
        main: Duration,
        /// After each move.
        increment: Duration,
    },
    /// `M N S`: time for the game, then periods of time for so many moves.
    ByoYomi {
        /// At the start.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Moves in a period, at least 1.
        moves: u32,
    },
}

impl Control {
    /// The meaning of the three numbers.
    pub fn from_settings(main: Duration, period: Duration, moves: u32) -> Control {
        match (main.is_zero(), period.is_zero(), moves) {
            (true, true, _) => Control::Unlimited,
            (true, false, 0) => Control::EachMove(period),
            (false, true, _) => Control::Game { main, increment: Duration::ZERO },
            (false, false, 0) => Control::Game { main, increment: period },
            (_, false, moves) => Control::ByoYomi { main, period, moves },
        }
    }

    fn at_start(self) -> Left {
        let (time, moves) = match self {
            Control::Untold | Control::Unlimited => (Duration::ZERO, 0),
            Control::EachMove(time) => (time, 1),
            Control::Game { main, .. } => (main, 0),
            Control::ByoYomi { main, period, moves } if main.is_zero() => (period, moves),
            Control::ByoYomi { main, .. } => (main, 0),
        };
        Left { time, moves }
    }
}

/// What one side has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Left {
    time: Duration,
    /// Moves to be made in that time, 0 for the rest of the game.
    moves: u32,
}

/// The clocks.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    control: Control,
    left: [Left; 2],
}

impl Clocks {
    /// Both clocks at the start of a game.
    pub fn set(&mut self, control: Control) {
        self.control = control;
        self.restart();
    }

    /// The same time control for a new game.
    pub fn restart(&mut self) {
        self.left = [self.control.at_start(); 2];
    }

    /// The controller says what a side has: `time` for the game, or for so many `moves`.
    pub fn tell(&mut self, colour: Colour, time: Duration, moves: u32) {
        if self.control == Control::Untold {
            self.set(match moves {
                0 => Control::Game { main: time, increment: Duration::ZERO },
                _ => Control::ByoYomi { main: Duration::ZERO, period: time, moves },
            });
        }
        self.left[colour as usize] = match self.control {
            // Whole seconds, rounded down, may tell less than a move has but never more.
            Control::EachMove(each) if time.is_zero() || time > each => {
                Left { time: each, moves: 1 }
            }
            Control::EachMove(_) => Left { time, moves: 1 },
            _ => Left { time, moves },
        };
    }

    /// A side has made a move in this time.
    pub fn spend(&mut self, colour: Colour, used: Duration) {
        let Left { time, moves } = self.left[colour as usize];
        self.left[colour as usize] = match self.control {
            Control::Untold | Control::Unlimited | Control::EachMove(_) => self.control.at_start(),
            Control::Game { increment, .. } => {
                Left { time: time.saturating_sub(used) + increment, moves: 0 }
            }
            Control::ByoYomi { .. } if moves == 0 && used < time => {
                Left { time: time - used, moves }
            }
            Control::ByoYomi { period, moves: all, .. } => {
                let (time, moves) = if moves == 0 { (time + period, all) } else { (time, moves) };
                match moves - 1 {
                    0 => Left { time: period, moves: all },
                    moves => Left { time: time.saturating_sub(used), moves },
                }
            }
        };
    }

    /// The limit of a search for `colour`, `None` if there is none.
    pub fn clock(&self, colour: Colour) -> Option<Clock> {
        let Left { time: remaining, moves: left } = self.left[colour as usize];
        let clock = Clock { remaining, ..Clock::default() };
        let in_period = (left > 0).then_some(left);
        let byo_yomi = |period, moves| Some(ByoYomi { period, moves, left: in_period });
        match self.control {
            Control::Untold | Control::Unlimited => None,
            Control::EachMove(each) => Some(Clock { byo_yomi: byo_yomi(each, 1), ..clock }),
            Control::ByoYomi { period, moves, .. } => {
                Some(Clock { byo_yomi: byo_yomi(period, moves), ..clock })
            }
            // A controller may end a sudden death with periods that it has not announced.
            Control::Game { .. } if left > 0 => {
                Some(Clock { byo_yomi: byo_yomi(remaining, left), ..clock })
            }
            Control::Game { increment, .. } => Some(Clock { increment, ..clock }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Colour::{Black, White};

    const S: Duration = Duration::from_secs(1);

    fn clocks(main: u32, period: u32, moves: u32) -> Clocks {
        let mut clocks = Clocks::default();
        clocks.set(Control::from_settings(main * S, period * S, moves));
        clocks
    }

    fn game(remaining: Duration, increment: Duration) -> Option<Clock> {
        Some(Clock { remaining, increment, byo_yomi: None })
    }

    fn byo_yomi(remaining: Duration, period: u32, moves: u32, left: Option<u32>) -> Option<Clock> {
        let byo_yomi = Some(ByoYomi { period: period * S, moves, left });
        Some(Clock { remaining, increment: Duration::ZERO, byo_yomi })
    }

    #[test]
    fn each_form_of_time_settings_has_its_meaning() {
        for (settings, clock) in [
            ((0, 0, 0), None),
            ((0, 0, 1), None),
            ((0, 15, 0), byo_yomi(15 * S, 15, 1, Some(1))),
            ((0, 15, 1), byo_yomi(15 * S, 15, 1, Some(1))),
            ((60, 0, 0), game(60 * S, Duration::ZERO)),
            ((60, 0, 1), game(60 * S, Duration::ZERO)),
            ((60, 2, 0), game(60 * S, 2 * S)),
            ((0, 300, 10), byo_yomi(300 * S, 300, 10, Some(10))),
            ((60, 300, 10), byo_yomi(60 * S, 300, 10, None)),
        ] {
            let (main, period, moves) = settings;
            for colour in [Black, White] {
                assert_eq!(clocks(main, period, moves).clock(colour), clock, "{settings:?}");
            }
        }
        assert_eq!(Clocks::default().clock(Black), None);
    }

    #[test]
    fn what_the_controller_tells_holds() {
        let mut clocks = clocks(60, 2, 0);
        clocks.tell(White, 7 * S, 0);
        assert_eq!(clocks.clock(White), game(7 * S, 2 * S));
        assert_eq!(clocks.clock(Black), game(60 * S, 2 * S));
        clocks.tell(White, Duration::ZERO, 0);
        assert_eq!(clocks.clock(White), game(Duration::ZERO, 2 * S));
        clocks.restart();
        assert_eq!(clocks.clock(White), game(60 * S, 2 * S));
    }

    #[test]
    fn no_limit_stays_none_whatever_the_clock_says() {
        let mut clocks = clocks(0, 0, 0);
        clocks.tell(Black, Duration::ZERO, 0);
        assert_eq!(clocks.clock(Black), None);
    }

    #[test]
    fn time_left_without_settings_is_believed() {
        let mut clocks = Clocks::default();
        clocks.tell(Black, 9 * S, 0);
        assert_eq!(clocks.clock(Black), game(9 * S, Duration::ZERO));
        let mut clocks = Clocks::default();
        clocks.tell(Black, 9 * S, 3);
        assert_eq!(clocks.clock(Black), byo_yomi(9 * S, 9, 3, Some(3)));
    }

    #[test]
    fn a_time_for_each_move_is_never_told_longer_or_away() {
        let mut clocks = clocks(0, 5, 0);
        for (told, holds) in [(5, 5), (4, 4), (0, 5), (100, 5)] {
            clocks.tell(Black, told * S, 0);
            assert_eq!(clocks.clock(Black), byo_yomi(holds * S, 5, 1, Some(1)), "{told}");
        }
    }

    #[test]
    fn own_moves_use_up_a_clock_that_nobody_tells() {
        let mut sudden = clocks(60, 0, 0);
        sudden.spend(Black, 25 * S);
        assert_eq!(sudden.clock(Black), game(35 * S, Duration::ZERO));
        sudden.spend(Black, 70 * S);
        assert_eq!(sudden.clock(Black), game(Duration::ZERO, Duration::ZERO));
        assert_eq!(sudden.clock(White), game(60 * S, Duration::ZERO));
        let mut fischer = clocks(60, 2, 0);
        fischer.spend(White, 5 * S);
        assert_eq!(fischer.clock(White), game(57 * S, 2 * S));
    }

    #[test]
    fn periods_follow_the_time_for_the_game() {
        let mut clocks = clocks(10, 30, 2);
        clocks.spend(Black, 4 * S);
        assert_eq!(clocks.clock(Black), byo_yomi(6 * S, 30, 2, None));
        clocks.spend(Black, 8 * S);
        assert_eq!(clocks.clock(Black), byo_yomi(28 * S, 30, 2, Some(1)));
        clocks.spend(Black, 20 * S);
        assert_eq!(clocks.clock(Black), byo_yomi(30 * S, 30, 2, Some(2)));
        clocks.spend(Black, 20 * S);
        assert_eq!(clocks.clock(Black), byo_yomi(10 * S, 30, 2, Some(1)));
    }

    #[test]
    fn an_unannounced_period_is_a_period() {
        let mut clocks = clocks(60, 0, 0);
        clocks.tell(Black, 20 * S, 5);
        assert_eq!(clocks.clock(Black), byo_yomi(20 * S, 20, 5, Some(5)));
        clocks.tell(Black, 20 * S, 0);
        assert_eq!(clocks.clock(Black), game(20 * S, Duration::ZERO));
    }
}
