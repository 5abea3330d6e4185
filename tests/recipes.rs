//! The recipes, run by bash, and the scripts that spread work, measure and play matches.
//!
//! A recipe is a block of `sh` and then one of `text`, what it prints. There `…` stands for any
//! text; alone in a line, for any number of lines.

use crate::support::patterns::fit;
use crate::support::shell::{Workplace, installed, skipped};
use std::process::Command;

const RECIPES: &str = include_str!("../scripts/RECIPES.md");

/// The programs that a recipe may need.
const TOOLS: [&str; 3] = ["jq", "parallel", "python3"];

/// Is there what the plot scripts need? If not, says that something is skipped.
fn plots(place: &str) -> bool {
    let import = Command::new("python3").args(["-c", "import matplotlib"]).output();
    let found = import.is_ok_and(|output| output.status.success());
    if !found {
        skipped(place, "matplotlib");
    }
    found
}

/// The fenced blocks with their languages and the number of the line before each.
fn blocks(document: &str) -> Vec<(usize, &str, String)> {
    let mut blocks = Vec::new();
    let mut open = None;
    for (number, line) in (1..).zip(document.lines()) {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((number, language, String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, _, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block without an end");
    blocks
}

#[test]
fn every_recipe_prints_what_it_says() {
    let blocks = blocks(RECIPES);
    assert!(blocks.len() >= 24, "{}", blocks.len());
    for pair in blocks.chunks(2) {
        let [(number, "sh", lines), (_, "text", expected)] = pair else {
            panic!("RECIPES.md, line {}: expected a block of sh and one of text", pair[0].0);
        };
        let place = format!("RECIPES.md, line {number}");
        let needs = |tool: &&str| {
            let scripts = *tool == "python3" && lines.contains(".py")
                || *tool == "parallel" && lines.contains("spread.sh");
            scripts || lines.split_whitespace().any(|word| word == *tool)
        };
        if lines.contains("plot_") && !plots(&place) {
            continue;
        }
        if TOOLS.iter().filter(|tool| needs(tool)).any(|tool| !installed(tool, &place)) {
            continue;
        }
        let printed = Workplace::new("recipes").output(lines);
        let fits = fit(&expected.lines().collect::<Vec<_>>(), &printed.lines().collect::<Vec<_>>());
        assert!(fits, "{place}: expected\n{expected}\nprinted\n{printed}");
    }
}

/// Twelve positions, 13 and 12 empties.
const SOLVE: &str = "outflank solve - --json --threads 1 --hash 1";

/// The rows without what differs from run to run or counts within a block.
fn rows(printed: &str) -> Vec<String> {
    let kept = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let keys = ["position", "score_cd", "move", "nodes", "pv"];
        (!row["position"].is_null()).then(|| keys.map(|key| row[key].to_string()).join(" "))
    };
    printed.lines().filter_map(kept).collect()
}

fn solved_by_one_process(workplace: &Workplace) -> Vec<String> {
    let rows = rows(&workplace.output(&format!("{SOLVE} <positions.txt")));
    assert_eq!(rows.len(), 12);
    rows
}

#[test]
fn two_workers_print_the_rows_of_one_process() {
    if !installed("parallel", "spread.sh") {
        return;
    }
    let workplace = Workplace::new("spread");
    let whole = solved_by_one_process(&workplace);
    let line = format!("BLOCK=5 scripts/spread.sh positions.txt work --jobs 2 -- {SOLVE}");
    assert_eq!(rows(&workplace.output(&line)), whole);
    // What is done is not done again: without the program there are still all rows.
    let again = line.replace("BLOCK", "PATH=${PATH#*:} BLOCK");
    assert_eq!(rows(&workplace.output(&again)), whole);
    let other = workplace.run(&line.replace("--hash 1", "--hash 2"), "");
    let errors = String::from_utf8_lossy(&other.stderr);
    assert!(errors.contains("of another command") && other.stdout.is_empty(), "{errors}");
}

#[test]
fn two_machines_print_the_rows_of_one_process() {
    if !installed("parallel", "spread.sh") {
        return;
    }
    let workplace = Workplace::new("spread-ssh");
    let whole = solved_by_one_process(&workplace);
    // What ssh does, on this machine: options, the name of the host, the command. A login sets
    // SHELL, and what parallel runs over there starts it.
    workplace.file(
        "ssh",
        "#!/usr/bin/env bash
         while [[ $1 == -* ]]; do shift; done
         echo \"$1\" >>hosts; shift; [[ $1 != -- ]] || shift
         export SHELL=$BASH; exec bash -c \"$*\"\n",
    );
    let line = format!(
        "chmod +x ssh; export PARALLEL_SSH=$PWD/ssh
         BLOCK=3 scripts/spread.sh positions.txt work --sshlogin 1/one,1/two -- \
         env \"PATH=$PATH\" {SOLVE}"
    );
    assert_eq!(rows(&workplace.output(&line)), whole);
    assert_eq!(workplace.output("sort -u hosts"), "one\ntwo\n");
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    if !installed("parallel", "spread.sh") {
        return;
    }
    let workplace = Workplace::new("spread-resume");
    let whole = solved_by_one_process(&workplace);
    // Each block leaves a mark; the second one fails as long as there is no file `mended`.
    workplace.file(
        "worker",
        &format!(
            "read -r first; echo \"$first\" >>marks
             if [[ $(wc -l <marks) == 2 && ! -e mended ]]; then exit 9; fi
             {{ echo \"$first\"; cat; }} | {SOLVE}\n"
        ),
    );
    let line = "BLOCK=4 scripts/spread.sh positions.txt work --jobs 1 -- bash worker";
    let failed = workplace.run(line, "");
    assert!(!failed.status.success(), "{failed:?}");
    workplace.file("mended", "");
    assert_eq!(rows(&workplace.output(line)), whole);
    // Three blocks, and the one that failed again.
    assert_eq!(workplace.output("wc -l <marks").trim(), "4");
}

/// Prints its lines. Status 1 says two things, as that of a solve: that something differs, so at
/// line 1, or that it could not run, so at line 6 as long as there is a file `fails`.
const WORKER: &str = "lines=$(cat)
    if grep -q -x 6 <<<\"$lines\"; then
        [[ ! -e fails ]] || { echo 'no memory' >&2; echo 'none at all' >&2; exit 1; }
    fi
    echo \"$lines\"
    if grep -q -x 1 <<<\"$lines\"; then echo 'it differs' >&2; exit 1; fi\n";

#[test]
fn blocks_that_failed_are_counted() {
    if !installed("parallel", "spread.sh") {
        return;
    }
    let workplace = Workplace::new("spread-failed");
    workplace.file("worker", WORKER);
    workplace.file("fails", "");
    let line = "seq 8 >lines; BLOCK=3 scripts/spread.sh lines work --jobs 1 -- bash worker";
    let failed = workplace.run(line, "");
    assert!(!failed.status.success(), "{failed:?}");
    let errors = String::from_utf8_lossy(&failed.stderr);
    let expected = "spread.sh: 1 of 3 blocks failed, the first says: no memory\n";
    assert!(errors.ends_with(expected), "{errors}");
    let mended = workplace.run(&format!("rm fails; {line}"), "");
    let errors = String::from_utf8_lossy(&mended.stderr);
    assert!(mended.status.code() == Some(1) && !errors.contains("failed"), "{errors}");
    assert_eq!(String::from_utf8_lossy(&mended.stdout), "1\n2\n3\n4\n5\n6\n7\n8\n");
}

/// What sbatch does with an array, all tasks at once. The status is 1 if one failed.
const SBATCH: &str = "tasks=${1#--array=}; shift
    export SLURM_ARRAY_TASK_MIN=${tasks%-*} SLURM_ARRAY_TASK_MAX=${tasks#*-}
    export SLURM_ARRAY_TASK_COUNT=$((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN + 1))
    for task in $(seq $SLURM_ARRAY_TASK_MIN $SLURM_ARRAY_TASK_MAX); do
        SLURM_ARRAY_TASK_ID=$task bash \"$@\" & jobs+=($!)
    done
    status=0; for job in ${jobs[@]}; do wait $job || status=1; done; exit $status\n";

#[test]
fn an_array_of_slurm_does_every_position_once() {
    let workplace = Workplace::new("slurm");
    let whole = solved_by_one_process(&workplace);
    workplace.file("sbatch", SBATCH);
    for tasks in ["1-5", "3-16", "0-0"] {
        let line = format!(
            "rm -rf work
             bash sbatch --array={tasks} scripts/spread.slurm positions.txt work {SOLVE}
             cat $(ls -v work/[0-9]*)"
        );
        assert_eq!(rows(&workplace.output(&line)), whole, "{tasks}");
    }
    // A task that is done does nothing: the program is not even there.
    let line = format!("bash sbatch --array=0-0 scripts/spread.slurm positions.txt work {SOLVE}");
    workplace.output(&format!("PATH=${{PATH#*:}}; {line}"));
    for other in [
        line.replace("--hash 1", "--hash 2"),
        line.replace("0-0", "0-1"),
        format!("sed -i 1d positions.txt; {line}"),
    ] {
        let refused = workplace.run(&other, "");
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && errors.contains("work holds the rows of"), "{other}");
    }
    assert_eq!(workplace.output("ls work"), "0\ntask\n");
}

#[test]
fn a_task_of_slurm_that_failed_is_done_again() {
    let workplace = Workplace::new("slurm-failed");
    workplace.file("sbatch", SBATCH);
    workplace.file("worker", WORKER);
    workplace.file("fails", "");
    let line = "seq 8 >lines; bash sbatch --array=1-3 scripts/spread.slurm lines work bash worker";
    let failed = workplace.run(line, "");
    assert!(!failed.status.success());
    let errors = String::from_utf8_lossy(&failed.stderr);
    let expected = "task 3 failed, to be tried again: status 1, 0 rows for 3 positions\n";
    assert!(errors.contains(expected) && errors.matches("failed").count() == 1, "{errors}");
    assert_eq!(workplace.output("ls work"), "1\n2\npart-3\ntask\n");
    workplace.output(&format!("rm fails; {line}"));
    assert_eq!(workplace.output("cat work/[0-9]*"), workplace.output("cat lines"));
    // Without an error there must be all rows too.
    let short = line.replace("lines work bash worker", "lines short sed 1d");
    assert!(!workplace.run(&short, "").status.success());
    assert_eq!(workplace.output("ls short"), "part-1\npart-2\npart-3\ntask\n");
}

#[test]
fn an_option_that_the_engine_refuses_ends_the_match() {
    if !installed("python3", "match.py") {
        return;
    }
    let workplace = Workplace::new("match-option");
    let refused = workplace.run(
        "scripts/match.py --engine1 outflank --setoption1 Weights=no-such.bin --engine2 outflank \
             --openings openings.txt --depth 1",
        "",
    );
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{errors}");
    let line = "match.py: engine 1 (outflank-1): error cannot read no-such.bin: ";
    assert!(errors.starts_with(line) && errors.lines().count() == 1, "{errors}");
}

#[test]
fn the_help_of_the_referee_sets_options_that_the_engine_has() {
    let help = include_str!("../scripts/match.py");
    let options = Workplace::new("match-help").output("echo ugi | outflank");
    let examples: Vec<&str> = help
        .split("--setoption")
        .filter_map(|text| text.strip_prefix("1 ").or(text.strip_prefix("2 ")))
        .collect();
    assert_eq!(examples.len(), 2);
    for example in examples {
        let (name, _) = example.split_once('=').unwrap();
        assert!(options.contains(&format!("option name {name} type")), "{name}");
    }
}

#[test]
fn the_benchmark_prints_its_help_from_any_folder() {
    let workplace = Workplace::new("bench-help");
    for option in ["-h", "--help"] {
        let help = workplace.output(&format!("cd scripts; bash bench.sh {option}"));
        assert!(help.starts_with("Compares ") && help.ends_with("of `outflank bench`\n"), "{help}");
    }
    let wrong = workplace.run("scripts/bench.sh --rounds 3", "");
    assert_eq!((wrong.status.code(), wrong.stdout.as_slice()), (Some(2), b"".as_slice()));
}

#[test]
fn the_scripts_pass_shellcheck() {
    if installed("shellcheck", "checking the scripts") {
        Workplace::new("shellcheck").output("shellcheck scripts/*.sh scripts/*.slurm");
    }
}
