//! Every example in the documents, run against the program.
//!
//! An example is a fenced block with `> ` before lines to send and `< ` before lines to expect.
//! In an expected line `…` stands for any text; alone, for any number of lines. The language of a
//! block, if it has one, names the dialect.

use crate::support::driver::Engine;
use crate::support::patterns::fits;

const PROTOCOL: &str = include_str!("../protocol.md");
const README: &str = include_str!("../README.md");

/// A fenced block.
struct Example<'a> {
    /// Number of the line before it.
    number: usize,
    /// The dialect, blank for the one that is spoken without arguments.
    dialect: &'a str,
    lines: Vec<&'a str>,
}

/// The fenced blocks that are examples.
fn examples(document: &str) -> Vec<Example<'_>> {
    let mut examples = Vec::new();
    let mut open: Option<Example<'_>> = None;
    for (number, line) in (1..).zip(document.lines()) {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => examples.extend(open.take()),
            (None, Some(dialect)) => open = Some(Example { number, dialect, lines: Vec::new() }),
            (Some(example), None) => example.lines.push(line),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block without an end");
    examples.retain(|example| example.lines.iter().any(|line| line.starts_with("> ")));
    examples
}

/// Sends and expects as `lines` say. Nothing may be left over in the end.
fn run(document: &str, example: &Example<'_>) {
    let arguments: Vec<&str> = example.dialect.split_whitespace().collect();
    let mut engine = Engine::start_with(&arguments);
    let place = &format!("{document}, line {}", example.number);
    engine.set_label(place);
    let mut skip = false;
    for line in &example.lines {
        if let Some(command) = line.strip_prefix("> ") {
            engine.send(command);
            continue;
        }
        // An editor may have taken the blank before a blank line away.
        let pattern = if *line == "<" { Some("") } else { line.strip_prefix("< ") };
        let Some(pattern) = pattern else { panic!("{place}: '{line}'") };
        if pattern == "…" {
            skip = true;
            continue;
        }
        loop {
            let answer = engine.line();
            if fits(pattern, &answer) {
                break;
            }
            if !skip {
                engine.fail(&format!("expected '{pattern}'"));
            }
        }
        skip = false;
    }
    let surplus = engine.end_input();
    assert!(surplus.is_empty(), "{place}: {surplus:?}");
    assert!(engine.exit_status().success(), "{place}");
    assert_eq!(engine.errors(), "", "{place}");
}

#[test]
fn every_example_of_the_protocol_is_true() {
    let examples = examples(PROTOCOL);
    assert!(examples.len() >= 13, "{}", examples.len());
    assert!(examples.iter().any(|example| example.dialect == "nboard"));
    examples.iter().for_each(|example| run("protocol.md", example));
}

#[test]
fn every_example_of_the_readme_is_true() {
    let examples = examples(README);
    assert!(!examples.is_empty());
    examples.iter().for_each(|example| run("README.md", example));
}

#[test]
fn every_command_and_option_is_described_and_shown() {
    let sent: Vec<&str> = PROTOCOL.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let mut engine = Engine::after(&["help", "ugi"]);
    let listed = engine.lines_until("quit:");
    for line in listed {
        let word = line.split([' ', ':']).next().unwrap();
        assert!(PROTOCOL.contains(&format!("\n### {word}\n")), "{word} has no section");
        let shown = sent.iter().any(|line| line.split(' ').next() == Some(word));
        assert!(shown, "{word} has no example");
    }
    for line in engine.lines_until("ugiok") {
        let Some(option) = line.strip_prefix("option name ") else { continue };
        let name = option.split(" type ").next().unwrap();
        let row = format!("\n| `{name}` | ");
        assert!(PROTOCOL.contains(&row) && README.contains(&row), "{name} has no row");
    }
}

#[test]
fn every_gtp_command_is_described_and_shown() {
    let mut engine = Engine::after(&["list_commands"]);
    for line in engine.end_input() {
        let command = line.trim_start_matches("= ");
        if command.is_empty() {
            continue;
        }
        assert!(PROTOCOL.contains(&format!("\n| `{command}")), "{command} has no row");
        let shown = PROTOCOL.lines().filter_map(|line| line.strip_prefix("> "));
        let mut words = shown.map(|line| line.trim_start_matches(|c: char| c.is_ascii_digit()));
        let found = words.any(|line| line.split_whitespace().next() == Some(command));
        assert!(found, "{command} has no example");
    }
}
