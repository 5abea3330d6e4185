//! What is to be searched: the positions of the inputs, numbered.

use crate::commands::convert::read_games;
use crate::game::{Colour, Game, Move};
use crate::notation::error::path_text;
use crate::notation::forms::{Form, parse_games};
use flate2::Crc;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A game, or a position: a game without moves.
#[derive(Debug)]
pub struct Input {
    /// Name of the file as it was given; `None` for a text among the arguments.
    pub file: Option<Arc<str>>,
    /// The line of the file on which it begins, from 1; `None` in archives and texts.
    pub line: Option<usize>,
    /// Its number in its file or among the texts, from 1.
    pub number: usize,
    /// The game.
    pub game: Game,
}

impl Input {
    /// Positions to search: one before each move and the last one, unless a game has ended there.
    fn positions(&self) -> usize {
        let plies = self.game.plies().len();
        if plies > 0 && self.game.is_over() { plies } else { plies + 1 }
    }

    /// Does it have moves?
    pub fn is_game(&self) -> bool {
        self.game.plies().len() > 0
    }
}

/// One position to search.
#[derive(Clone, Debug)]
pub struct Task<'p> {
    /// What it is from.
    pub input: &'p Input,
    /// The position, without a history.
    pub position: Game,
    /// Number of the move or pass that was made in it, from 1; for the last position one more.
    pub ply: usize,
    /// As `ply`, but passes do not count; only where a disc was placed.
    pub move_number: Option<usize>,
    /// What was played.
    pub played: Option<Move>,
    /// Is it the last position of its input?
    pub is_last: bool,
    /// Is it the first one of a file while there are several?
    pub opens_file: bool,
}

impl Task<'_> {
    /// The side to move.
    pub fn side(&self) -> Colour {
        self.position.colour()
    }

    /// The number of legal moves to report, a forced pass included; 0 if the game is over.
    pub fn moves(&self) -> usize {
        let board = self.position.board();
        if board.must_pass() { 1 } else { board.moves().len() as usize }
    }
}

/// All positions, from 0.
pub struct Plan {
    inputs: Vec<Input>,
    /// For each input the number of positions up to its end.
    ends: Vec<usize>,
    several_files: bool,
}

impl Plan {
    /// Reads files, `-` (standard input) and texts.
    ///
    /// # Errors
    /// One line with the place of the first thing that does not fit.
    pub fn read(arguments: &[PathBuf]) -> Result<Plan, String> {
        let mut inputs = Vec::new();
        let mut texts = 0;
        for argument in arguments {
            match text(argument).map_err(|error| split_game(arguments).unwrap_or(error))? {
                None => inputs.extend(of_file(argument)?),
                Some(games) => inputs.extend(games.into_iter().map(|game| {
                    texts += 1;
                    Input { file: None, line: None, number: texts, game }
                })),
            }
        }
        Ok(Plan::new(inputs, arguments.len() > 1))
    }

    fn new(inputs: Vec<Input>, several_files: bool) -> Plan {
        let mut end = 0;
        let ends = inputs.iter().map(|input| {
            end += input.positions();
            end
        });
        Plan { ends: ends.collect(), inputs, several_files }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    /// The position with this number, if there is one.
    pub fn task(&self, index: usize) -> Option<Task<'_>> {
        let number = self.ends.partition_point(|end| *end <= index);
        let input = self.inputs.get(number)?;
        let before = index - (self.ends.get(number)? - input.positions());
        let (board, colour) = input.game.start();
        let mut position = Game::from_position(board, colour);
        let mut discs = 0;
        for (_, mv) in input.game.plies().take(before) {
            position.play(mv).ok()?;
            discs += usize::from(mv != Move::Pass);
        }
        let played = input.game.plies().nth(before).map(|(_, mv)| mv);
        Some(Task {
            input,
            position: Game::from_position(position.board(), position.colour()),
            ply: before + 1,
            move_number: played.filter(|mv| *mv != Move::Pass).map(|_| discs + 1),
            played,
            is_last: before + 1 == input.positions(),
            opens_file: self.several_files && before == 0 && input.number == 1,
        })
    }

    /// A number that tells inputs apart.
    pub fn checksum(&self) -> u32 {
        let mut crc = Crc::new();
        for Input { file, line, number, game } in &self.inputs {
            let game = Form::Ugi.write(game).unwrap_or_default();
            crc.update(format!("{file:?} {line:?} {number} {game}\n").as_bytes());
        }
        crc.sum()
    }
}

/// The games of an argument that is a text, `None` if it is a file.
fn text(argument: &Path) -> Result<Option<Vec<Game>>, String> {
    let name = path_text(argument);
    let is_file = argument == Path::new("-") || argument.exists();
    match argument.to_str().map(parse_games) {
        Some(Ok(_)) if is_file => Err(format!(
            "'{name}' is a file and a text: write './{name}' for the file, or 'startpos moves' \
             before the moves"
        )),
        _ if is_file => Ok(None),
        Some(Ok(games)) => Ok(Some(games)),
        Some(Err(error)) => {
            Err(format!("'{name}' is not a file, and not a game or a position: {error}"))
        }
        None => Err(format!("'{name}' is not a file")),
    }
}

/// What to say if the arguments are the words of a single game or position.
fn split_game(arguments: &[PathBuf]) -> Option<String> {
    let words: Vec<&str> = arguments.iter().map(|word| word.to_str()).collect::<Option<_>>()?;
    let whole = words.join(" ");
    let is_split = words.len() > 1 && parse_games(&whole).is_ok();
    is_split.then(|| {
        let whole = path_text(Path::new(&whole));
        format!("a game or a position is one argument: write '{whole}' in quotes")
    })
}

fn of_file(path: &Path) -> Result<Vec<Input>, String> {
    let name: Arc<str> = path_text(path).into();
    let inputs = (1..).zip(read_games(path)?).map(|(number, item)| Input {
        file: Some(Arc::clone(&name)),
        line: item.line,
        number,
        game: item.game,
    });
    Ok(inputs.collect())
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The plan of these texts.
    pub fn plan(texts: &[&str]) -> Plan {
        let texts: Vec<PathBuf> = texts.iter().map(PathBuf::from).collect();
        Plan::read(&texts).unwrap()
    }

    #[test]
    fn a_game_has_its_moves_and_its_last_position_in_the_order_of_the_input() {
        let plan = plan(&["f5d6", "8/8/8/3WB3/3BW3/8/8/8 b", "f5"]);
        assert_eq!(plan.len(), 3 + 1 + 2);
        let tasks: Vec<Task<'_>> = (0..plan.len()).map(|index| plan.task(index).unwrap()).collect();
        let column = |of: fn(&Task<'_>) -> usize| tasks.iter().map(of).collect::<Vec<_>>();
        assert_eq!(column(|task| task.input.number), [1, 1, 1, 2, 3, 3]);
        assert_eq!(column(|task| task.ply), [1, 2, 3, 1, 1, 2]);
        assert_eq!(column(|task| task.is_last.into()), [0, 0, 1, 1, 0, 1]);
        assert_eq!(column(|task| task.moves()), [4, 3, 5, 4, 4, 3]);
        assert_eq!(column(|task| task.side() as usize), [0, 1, 0, 0, 0, 1]);
        assert_eq!(column(|task| task.move_number.unwrap_or_default()), [1, 2, 0, 0, 1, 0]);
        assert!(plan.task(plan.len()).is_none());
    }

    #[test]
    fn a_pass_takes_a_ply_and_no_number_and_an_end_has_no_position() {
        let plan = plan(&["8/8/XO6/2O5/8/8/8/8 O moves c3"]);
        let tasks: Vec<Task<'_>> = (0..plan.len()).map(|index| plan.task(index).unwrap()).collect();
        let rows: Vec<_> =
            tasks.iter().map(|task| (task.ply, task.move_number, task.played)).collect();
        assert_eq!(rows[0], (1, None, Some(Move::Pass)));
        assert_eq!((rows[1].0, rows[1].1), (2, Some(1)));
        assert!(tasks.last().unwrap().is_last);
    }

    #[test]
    fn what_is_neither_a_file_nor_a_text_is_refused() {
        let error = |text: &str| Plan::read(&[text.into()]).err().unwrap();
        let found = error("f5d6x3");
        assert_eq!(
            found,
            "'f5d6x3' is not a file, and not a game or a position: expected a move (a1 to h8, or \
             pass), found 'x3' at column 5"
        );
        assert!(error("no-such-file.txt").starts_with("'no-such-file.txt' is not a file, and "));
    }

    #[test]
    fn a_game_without_quotes_is_told_from_several() {
        let error = |texts: &str| {
            let texts: Vec<PathBuf> = texts.split(' ').map(PathBuf::from).collect();
            Plan::read(&texts).err().unwrap()
        };
        for game in ["f5 d6 c3", "startpos moves f5", "8/8/8/3WB3/3BW3/8/8/8 b"] {
            let hint = format!("a game or a position is one argument: write '{game}' in quotes");
            assert_eq!(error(game), hint);
        }
        assert!(error("f5 d6 x3").starts_with("'d6' is not a file, and not a game"));
    }

    #[test]
    fn every_difference_of_inputs_changes_the_checksum() {
        let texts: [&[&str]; 5] =
            [&["f5d6"], &["f5f6"], &["f5d6", "f5"], &["f5", "f5d6"], &["startpos"]];
        let mut sums: Vec<u32> = texts.iter().map(|texts| plan(texts).checksum()).collect();
        sums.sort();
        sums.dedup();
        assert_eq!(sums.len(), texts.len());
    }
}
