//! The help of the program: every command has examples, and every example works.

use crate::support::shell::Workplace;
use std::collections::HashSet;
use std::fs;

/// The words under `Commands:` in a help text, without `help` itself.
fn commands(help: &str) -> Vec<String> {
    let table = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    table
        .take_while(|line| line.starts_with("  "))
        // What continues a description is indented further.
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| *word != "help")
        .map(str::to_string)
        .collect()
}

/// All commands and their own commands, the program itself first (without a name).
fn all_commands(workplace: &Workplace) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut next = 0;
    while let Some(name) = all.get(next).cloned() {
        let own = commands(&workplace.output(&format!("outflank {name} --help")));
        all.extend(own.iter().map(|own| format!("{name} {own}").trim().to_string()));
        next += 1;
    }
    all
}

/// The command lines under `Examples:`.
fn examples(help: &str) -> Vec<&str> {
    let block = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    block.take_while(|line| !line.is_empty()).map(str::trim_start).collect()
}

/// Runs one example. It must say something or write a file.
fn check(command: &str, example: &str) {
    let workplace = Workplace::new("help");
    let files = || fs::read_dir(workplace.path(".")).unwrap().count();
    let before = files();
    // For the examples that go on with "then type".
    let output = workplace.run(example, "help\n");
    let errors = String::from_utf8_lossy(&output.stderr);
    let place = format!("outflank {command} --help: {example}");
    assert!(output.status.success(), "{place}\n{}: {errors}", output.status);
    assert_eq!(errors, "", "{place}");
    assert!(!output.stdout.is_empty() || files() > before, "{place}: no output");
}

#[test]
fn every_example_of_every_help_works() {
    let workplace = Workplace::new("helps");
    let commands = all_commands(&workplace);
    for name in ["completions", "analyze", "book", "book build", "book show", "book info"] {
        assert!(commands.iter().any(|command| command == name), "{name}: {commands:?}");
    }
    assert!(commands.len() >= 18, "{commands:?}");
    let mut seen = HashSet::new();
    for command in &commands {
        let help = workplace.output(&format!("outflank {command} --help"));
        let examples = examples(&help);
        assert!(!examples.is_empty(), "outflank {command} --help has no examples");
        for example in examples {
            // Some stand in two texts.
            if seen.insert(example.split('#').next().unwrap().trim_end().to_string()) {
                check(command, example);
            }
        }
    }
}

#[test]
fn no_line_of_any_help_is_wider_than_a_terminal_should_be() {
    let workplace = Workplace::new("help-width");
    for command in all_commands(&workplace) {
        for line in examples(&workplace.output(&format!("outflank {command} --help"))) {
            assert!(line.chars().count() <= 100, "outflank {command} --help: {line}");
        }
    }
}
