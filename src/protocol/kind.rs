//! Which dialect a client speaks.

use super::{gtp, nboard, ugi};

/// The dialects. As commands of the shell they leave nothing to guess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::Subcommand)]
pub enum Kind {
    /// Speak UGI on stdin and stdout, whatever the first line is
    #[command(after_help = "\
Examples:
  outflank ugi                                  # then type: help
  echo 'go depth 10' | outflank ugi
  printf 'position startpos moves f5 d6\\nd\\ngo level 8\\n' | outflank ugi")]
    Ugi,
    /// Speak GTP on stdin and stdout, whatever the first line is
    #[command(after_help = "\
Examples:
  outflank gtp                                  # then type: list_commands
  printf 'play black f5\\nset_level 8\\ngenmove white\\n' | outflank gtp
  printf 'play black f5\\nshowboard\\n' | outflank gtp")]
    Gtp,
    /// Speak the protocol of NBoard on stdin and stdout, whatever the first line is
    #[command(after_help = "\
Examples:
  printf 'nboard 2\\nset depth 8\\ngo\\n' | outflank nboard
  printf 'nboard 2\\nset depth 8\\nmove F5\\nhint 3\\n' | outflank nboard")]
    Nboard,
}

impl Kind {
    /// The dialect of a client that begins with `line`; UGI, in which every line is at least
    /// answered with an error, if nothing shows.
    pub fn of(line: &str) -> Kind {
        match line.split_whitespace().next() {
            // Both know it, but only in GTP somebody waits for an answer.
            Some("quit") => Kind::Gtp,
            _ if ugi::is_spoken_in(line) => Kind::Ugi,
            _ if gtp::is_spoken_in(line) => Kind::Gtp,
            _ if nboard::is_spoken_in(line) => Kind::Nboard,
            _ => Kind::Ugi,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_show_the_dialect() {
        for line in ["ugi", "uci", " isready", "position startpos", "go depth 3", "help", "d\t"] {
            assert_eq!(Kind::of(line), Kind::Ugi, "{line}");
        }
        for line in [
            "protocol_version",
            "name",
            "  list_commands # all",
            "1 name",
            "7 showstones",
            "# a comment",
            "boardsize 8",
            "genmove b",
            "play black f5",
            "gogui-rules_game_id",
            "quit",
            "3 quit",
        ] {
            assert_eq!(Kind::of(line), Kind::Gtp, "{line}");
        }
        for line in ["nboard 2", " nboard 1", "nboard"] {
            assert_eq!(Kind::of(line), Kind::Nboard, "{line}");
        }
        for line in [
            "hello",
            "genmoves",
            "nboards 2",
            "set depth 3",
            "12",
            "F5",
            "uginewgame now",
            "",
            "é",
            "Name",
        ] {
            assert_eq!(Kind::of(line), Kind::Ugi, "{line}");
        }
    }
}
