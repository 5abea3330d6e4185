//! Command lines as a user types them: run by bash, with the program on the PATH, in a folder of
//! their own that holds the sample files.

use super::files::Folder;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Six games of the engine against itself, with Black's result in discs.
pub const GAMES: [(&str, i32); 6] = [
    (
        "f5d6c5b6d3g5a7e3f4c2d2b5e6f6c6d7e7a6a5c4f7f8h6b4c3a3b3e1c1g6h5g4g3e2f3d1c8e8f1a4a2h3h4h7g7g8b7c7b8h8d8a8a1b2b1h2g2g1h1f2",
        -42,
    ),
    (
        "e6f6c4c5d6e7g7f4f5g6f7g5f3h8b6e8c6g3g4b5h5d7a6h4h3a4b4b3a2c2c7e3c8a3a5d3d2c3f2d8e2d1e1c1b1g1h6b8b2b7a8a7f8a1f1g2h1g8h7h2",
        -14,
    ),
    (
        "c4c5f6f5g6b3b5e6c6e3d6c3f4b6f3b4a6g5c2d3a5g3h5d7e7c7a4f8e2d1f1f2d2c1h3h4f7e1b1g2g1g8e8g4h1h2h8c8d8b7a7a2b8h7g7h6a3a8b2a1",
        -2,
    ),
    (
        "e6d6c7f5f4f6g4e7f8c6g5c8c4g6c5h4d7e8d8g8f7b5b4a3b6a5h6b3c3d2a4d3b7g3e1h3e2e3f3h5h2g7f2c1a6d1b1a8b8a7f1c2h8g1h1g2h7b2a1a2",
        8,
    ),
    (
        "f5f4d3f6g5c3e7e3f3g4h3f2e2g3c4e1c2c6e6h6h5b4c5d2c7h4h7c1f1d1d6g1a4b5b6d7c8d8e8f8b2f7h2b8g6b3a3a6a5g2h1a2g7a7a1b1a8g8b7h8",
        14,
    ),
    (
        "d3c3b3d2e1b2e3d6c4f3f5g5g3d1c5f1c2f4c6f2g4h4h6h3a1f6e7b4b5b6a6d8f8d7c7c8e6b7e2e8g6a7a8b8f7h5h2g7h8h7g8h1a5a4b1c1g1g2a3a2",
        8,
    ),
];

/// The first positions of the FFO endgame test, with the exact scores of all moves.
const FFO: &str = "\
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24; % FFO #1
-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X; A4:+10; B2:+0; A3:-6; G7:-8; A7:-12; H7:-14; B7:-14; H2:-24; % FFO #2
----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X; D1:+2; G3:+0; B8:-2; B1:-4; C1:-4; A2:-4; A3:-6; B2:-12; % FFO #3
-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X; H8:+0; A5:+0; B6:-4; B7:-4; A6:-8; B2:-12; H2:-26; % FFO #4
";

/// Positions with 10 and 14 empties and the score of the best move, comments between.
const SUITE: &str = "\
% 10 empties
---XXXOO--OOOOOO-XOOOOOOXXOOOOOOXXOXOOOO--XOOOOO-XOOOOOO-OOOOOOO X; ??:-64;
--X-OOXX--OOOO-X-OOOXOOXOOOXOOOX-OOOXOOX-XOXOOOXX-OXOOOXXXXXXXXO X; ??:+42;
OXOOO---OOOOO---OXOXOO--XOXXXOXXXOXXXXX-XXOXOXOOXXXOOOO-OOOOOOOX X; ??:+4;
-XXXXXXX-OOOOXXX--OXXXXX--OOXOXX--OOOXXX-OOOOOXX-OOOOOOXOOOOOOOO X; ??:+36;
--X--O--XXXOOOOOXXXOOOO-XOXXOOXXXXOXXOXXXOOOXXXXX-OOOXXX-XXXXXX- X; ??:-10;

% more
-OOOOOO---OOOO-XXXOOXXXX-OOXXOOX-OXOOOXX-XXXXXXX--OOXX-X-OOOO-X- X; A5:-34;
OOOO-OXOOOOOO-XOOOOOXOXOOOOXOOXOOOOOXOOO--OOXOOO--OXXX-O---X--X- O; F2:+18;
";

/// Openings of eight plies.
const OPENINGS: &str = "\
f5d6c4d3c2b3b4b5
f5f6d3c5d6c7b5e3
f5f4e3d2c3e6e1g5
";

/// A folder with the files that examples and recipes speak of:
///
/// | file | |
/// |---|---|
/// | `games.txt` | six games, a transcript a line |
/// | `games.ggf`, `games.wtb` | the same as GGF and as a WTHOR archive |
/// | `results.txt` | the same with Black's result in discs, to train on |
/// | `game.txt`, `game.ggf` | the first of them |
/// | `game.sgf` | the start of a game in SGF |
/// | `games.bin` | games made by `selfplay` |
/// | `positions.txt` | twelve positions as board strings, a line each, 12 empties |
/// | `ffo.obf`, `suite.obf` | positions with scores |
/// | `openings.txt` | openings for matches, eight plies each |
/// | `my.book` | a book of 40 positions, among them those after f5, d6, c3, whatever the weights |
/// | `weights.bin` | weights of an evaluation, made by `train` |
/// | `scripts` | the folder of that name |
pub struct Workplace {
    folder: Folder,
    path: String,
}

/// The samples are made once; each workplace gets a copy.
static SAMPLES: std::sync::LazyLock<Vec<(String, Vec<u8>)>> = std::sync::LazyLock::new(make);

impl Workplace {
    /// A folder for the test of this name.
    pub fn new(name: &str) -> Workplace {
        let workplace = Workplace::empty(name);
        for (file, contents) in SAMPLES.iter() {
            workplace.folder.file(file, contents);
        }
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
        #[cfg(unix)]
        std::os::unix::fs::symlink(scripts, workplace.folder.path("scripts")).unwrap();
        workplace
    }

    fn empty(name: &str) -> Workplace {
        let program = PathBuf::from(env!("CARGO_BIN_EXE_outflank"));
        let programs = program.parent().unwrap().display().to_string();
        let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
        Workplace { folder: Folder::new(name), path }
    }

    /// Runs lines of shell with this input; the first command that fails ends them.
    pub fn run(&self, lines: &str, input: &str) -> Output {
        self.run_with(lines, input, &[])
    }

    /// The same with these variables in the environment.
    pub fn run_with(&self, lines: &str, input: &str, variables: &[(&str, &str)]) -> Output {
        let mut shell = Command::new("bash")
            .args(["-euo", "pipefail", "-c", lines])
            .current_dir(self.folder.path("."))
            .env("PATH", &self.path)
            .env_remove("RUST_LOG")
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Most commands do not read.
        let _ = shell.stdin.take().unwrap().write_all(input.as_bytes());
        shell.wait_with_output().unwrap()
    }

    /// What these lines print; they must succeed.
    pub fn output(&self, lines: &str) -> String {
        let output = self.run(lines, "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{lines}\n{}: {errors}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    /// The path of a file, whether there or not.
    pub fn path(&self, name: &str) -> String {
        self.folder.path(name)
    }

    /// Writes a file.
    pub fn file(&self, name: &str, contents: &str) {
        self.folder.file(name, contents);
    }
}

/// Is there a program of this name? If not, says that something is skipped.
pub fn installed(program: &str, what: &str) -> bool {
    let found = Command::new("bash")
        .args(["-c", "command -v \"$0\"", program])
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !found {
        skipped(what, program);
    }
    found
}

/// Says that something is skipped for want of what it needs.
pub fn skipped(what: &str, needs: &str) {
    // Not eprintln!, which the test runner hides when a test passes.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what} needs {needs}");
}

fn make() -> Vec<(String, Vec<u8>)> {
    let workplace = Workplace::empty("samples");
    let transcripts: String = GAMES.iter().map(|(moves, _)| format!("{moves}\n")).collect();
    let results: String = GAMES.iter().map(|(moves, discs)| format!("{moves} {discs}\n")).collect();
    workplace.file("games.txt", &transcripts);
    workplace.file("results.txt", &results);
    workplace.file("game.sgf", "(;GM[2]FF[4]SZ[8]\n;B[ef];W[fd];B[cc]\n)\n");
    workplace.file("ffo.obf", FFO);
    workplace.file("suite.obf", SUITE);
    workplace.file("openings.txt", OPENINGS);
    workplace.output(
        "outflank convert games.txt --to ggf --output games.ggf
         outflank convert games.txt --to wtb --output games.wtb
         head -1 games.txt >game.txt
         head -1 games.ggf >game.ggf
         { cut -c1-96 games.txt; cut -c1-94 games.txt; } | outflank convert - --to board >positions.txt
         outflank selfplay --output games.bin --games 8 --depth 2 --exact-empties 8
         outflank train results.txt --output weights.bin
         printf 'startpos\\nf5\\nf5d6\\nf5d6c3\\n' >lines.txt
         outflank book build my.book --level 4 --positions 40 --from lines.txt
         rm lines.txt",
    );
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(workplace.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}
