#!/usr/bin/env python3
"""Tries the engine with real clients, as far as they are installed.

  GRhino   (Debian package grhino) plays a match against it in GTP, refereed by match.py
  Quarry   (packages quarry, grhino, xvfb, xdotool) plays a whole game in its window, on an X
           server of its own, GRhino against the engine with one second a move

A client that is not there is SKIPPED. Exit status: 0 no fault, 1 a fault, 2 wrong usage.
"""
import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from match_rules import PASS, Board

HERE = os.path.dirname(os.path.abspath(__file__))
RHINO = "gtp-rhino"
OPENINGS = """f5d6c3d3c4f4 f5d6c4d3c3f4 f5d6c5f4e3c6 f5d6c4b3b4f4 f5d6c5f4d3e3
f5f6e6f4e3c5 f5f6e6f4g5e7 f5f4e3f6d3e2 f5d6c6f4e6d7 f5f6e6d6e7g5""".split()
QUARRY_SETTINGS = """[GTP Engine "grhino"]
Screen name format = "grhino"
Name = "GTP GRhino"
Command line = "{rhino} -l 3"
Supported games = "Reversi"

[GTP Engine "outflank"]
Screen name format = "outflank"
Name = "outflank"
Command line = "{wrapper}"
Supported games = "Reversi"

[New Game Parameters]
Game = "Reversi"
White is computer = true
Engine playing white = "outflank"
Black is computer = true
Engine playing black = "grhino"

[New Reversi Game Parameters]
Board size = 8
Time control type = 2
Time limit for move = 00:01
"""


class Fault(Exception):
    """What went wrong with a client."""


def find(program):
    return shutil.which(program) or shutil.which(program, path="/usr/games")


def missing(*programs):
    return [program for program in programs if not find(program)]


def rhino(engine, games, level, directory):
    """A match of GTP against GTP; a forfeit of either side is a fault."""
    openings = os.path.join(directory, "openings.txt")
    with open(openings, "w") as file:
        file.write("\n".join(OPENINGS) + "\n")
    command = [sys.executable, os.path.join(HERE, "match.py"), "--json", "--openings", openings,
               "--pairs", str(games // 2), "--engine1", f"{shlex.quote(engine)} gtp",
               "--name1", "outflank", "--proto1", "gtp", "--limit1", "level=10",
               "--engine2", f"{find(RHINO)} -l {level}", "--name2", "grhino", "--proto2", "gtp",
               "--limit2", "none",
               "--move-timeout", "900"]  # its highest level can take minutes for a move
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise Fault(f"match.py ended with status {done.returncode}")
    report = json.loads(done.stdout)
    for side in report["engines"]:
        if any(side["forfeits"].values()):
            raise Fault(f"{side['name']} forfeited: {side['forfeits']}")
    return (f"{report['games']} games, won {report['wins']}, drawn {report['draws']}, "
            f"lost {report['losses']}, {report['discs']:+.1f} discs a game")


def exchanges(directory):
    """Pairs of command and answer as the wrapper has recorded them so far."""
    try:
        with open(os.path.join(directory, "sent")) as file:
            sent = [line for line in file.read().split("\n")[:-1] if line.strip()]
        with open(os.path.join(directory, "answered")) as file:
            answered = file.read().split("\n\n")[:-1]
    except FileNotFoundError:
        return []
    return list(zip(sent, answered))


def replay(pairs):
    """The board after the moves that were played and generated."""
    board = Board()
    for command, answer in pairs:
        words = command.split()
        words = words[1:] if words[0].isdigit() else words
        if answer.startswith("?"):
            raise Fault(f"{command!r} was answered {answer!r}")
        if words[0] in ("play", "genmove"):
            move = (words[2] if words[0] == "play" else answer.split()[-1]).lower()
            if board.must_pass():
                board.play(PASS)
            if move != PASS:
                if move not in board.moves():
                    raise Fault(f"{move} is illegal ({command!r}, {answer!r})")
                board.play(move)
    return board


def start_display(processes):
    """Starts an X server on a free display and returns the name of that."""
    reader, writer = os.pipe()
    processes.append(subprocess.Popen(
        ["Xvfb", "-screen", "0", "1024x768x24", "-displayfd", str(writer)],
        pass_fds=[writer], stderr=subprocess.DEVNULL))
    os.close(writer)
    with os.fdopen(reader) as pipe:
        number = pipe.readline().strip()
    if not number:
        raise Fault("Xvfb does not start")
    return f":{number}"


def quarry(engine, patience, directory):
    """One game in Quarry's window; it must come to its end without an error."""
    wrapper = os.path.join(directory, "engine.sh")
    with open(wrapper, "w") as file:
        file.write(f"#!/bin/sh\ncd {shlex.quote(directory)}\n"
                   f"tee sent | {shlex.quote(engine)} gtp | tee answered\n")
    os.chmod(wrapper, 0o755)
    with open(os.path.join(directory, ".quarry"), "w") as file:
        file.write(QUARRY_SETTINGS.format(rhino=find(RHINO), wrapper=wrapper))
    processes = []
    try:
        environment = dict(os.environ, HOME=directory, DISPLAY=start_display(processes))

        def point_and_click(x, y):
            subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "1"],
                           env=environment, check=True)
            time.sleep(1.5)

        processes.append(subprocess.Popen([find("quarry")], env=environment,
                                          stderr=subprocess.DEVNULL))
        subprocess.run(["timeout", "30", "xdotool", "search", "--sync", "--onlyvisible", "--name",
                        "Quarry Control Center"], env=environment, stdout=subprocess.DEVNULL)
        time.sleep(2)
        # There is no window manager: every window opens at the top left corner.
        point_and_click(97, 27)  # New Game
        point_and_click(447, 422)  # Forward
        point_and_click(447, 422)  # Play
        deadline = time.monotonic() + patience
        while True:
            pairs = exchanges(directory)
            board = replay(pairs)
            if board.over():
                return (f"{len(pairs)} commands, the game ended "
                        f"{board.result():+d} for Black, the engine played White")
            if time.monotonic() > deadline:
                last = f", last {pairs[-1]}" if pairs else ""
                raise Fault(f"no end of the game within {patience} s{last}")
            time.sleep(0.5)
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="?", default=os.path.join(
        HERE, "..", "target", "release", "outflank"), help="default: the release build")
    parser.add_argument("--games", type=int, default=20, metavar="N",
                        help="of the match against GRhino, even, 2 to 20 (default 20)")
    parser.add_argument("--rhino-level", type=int, choices=range(1, 6), default=5, metavar="N",
                        help="of GRhino in the match, 1 to 5 (default 5)")
    parser.add_argument("--only", choices=("grhino", "quarry"), help="leave the other one out")
    parser.add_argument("--patience", type=int, default=300, metavar="SECONDS",
                        help="for the game in Quarry (default 300)")
    args = parser.parse_args()
    engine = os.path.abspath(args.engine)
    if not os.access(engine, os.X_OK):
        parser.error(f"{engine} is not there: cargo build --release")
    if args.games % 2 or not 2 <= args.games <= 2 * len(OPENINGS):
        parser.error("--games must be an even number from 2 to 20")
    status = 0
    for name, programs, play in (
            ("GRhino", [RHINO], lambda path: rhino(engine, args.games, args.rhino_level, path)),
            ("Quarry", ["quarry", RHINO, "Xvfb", "xdotool"],
             lambda path: quarry(engine, args.patience, path))):
        if args.only not in (None, name.lower()):
            continue
        absent = missing(*programs)
        if absent:
            print(f"{name}: SKIPPED, not installed: {', '.join(absent)}", flush=True)
            continue
        with tempfile.TemporaryDirectory() as directory:
            try:
                print(f"{name}: ok, {play(directory)}", flush=True)
            except (Fault, OSError, ValueError, subprocess.SubprocessError) as fault:
                print(f"{name}: FAULT, {fault}", flush=True)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
