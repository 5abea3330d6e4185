#!/usr/bin/env python3
"""Fuzzes the protocols: sends random and mutated lines to the program and watches it.

A fault is: the process ends, writes to stderr, writes a line to stdout that its dialect does not
have, or does not answer in time. After each thousand lines the program is asked whether it is
still there, and everything before must have been answered by then. A fault saves the lines since
the start of the process to a file that can be piped in again.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import re
import selectors
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BLOCK = 1_000    # lines between two questions
ROUND = 100      # blocks to a process
SESSION = 10     # the same where the program has to find out the dialect
POOL = 20_000    # mutated lines that are made once and then sent again and again
FRESH = 150      # lines of a block that are new
CHEAP_ONLY = 2   # at most so many lines of a block may start work without a bound
OVERLONG = (16 << 20) + 9  # bytes of a line that the program need not read
PIECE = 1 << 16  # bytes read at a time

EPILOG = """\
examples
  a quick run through all dialects, some seconds:
    fuzz.py --lines 100000
  the long one, on two cores:
    fuzz.py --lines 10000000 --jobs 2
  one round again, as a fault has named it:
    fuzz.py --dialect gtp --seed 1 --only-round 17

The same seed sends the same lines, whatever --jobs is. Exit status: 0 no fault, 1 a fault, 2 wrong
usage.
"""

# What each dialect is asked, as a client would write it; mutations start from these.
BOARDS = """\
startpos
---------------------------OX------XO--------------------------- X
8/8/8/3wb3/3bw3/8/8/8 b
XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X
OX6/8/8/8/8/8/8/8 X
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;
hex a1=0 0x0000000810000000 0x0000001008000000 b
hex a1=63 0000000810000000 0000001008000000 w
f5d6c3d3c4f4f6f3
1. F5 d6 2. C3
(;GM[Othello]PB[one]PW[two]B[F5/0.5/1.2]W[D6]B[C3]W[D3];)
(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1.2];)
""".splitlines()

UGI = """\
ugi
isready
isready
uginewgame
setoption name Threads value 1
setoption name Hash value 1
setoption name MultiPV value 3
setoption name Level value 1
setoption name Move Overhead value 20
setoption name Clear Hash
setoption name Weights value no-such-file.bin
setoption name Ponder value true
position startpos moves f5 d6 c3
position startpos moves f5 d6 c3 d3 c4 f4 f6 f3 e6 e7
position fen startpos moves f5 d6 moves c3
position fen OX6/8/8/8/8/8/8/8 X moves pass c1
go depth 2
go nodes 100
go level 1
go movetime 1
go depth 3 selectivity 73
go p1time 60000 p2time 1500 p1inc 0 p2inc 0 depth 1
go infinite
stop
query p1turn
query gameover
query result
d
eval
perft 2
perft 3 pass-free
perft 3 full-depth
help
""".splitlines() + [f"position board {board}" for board in BOARDS]

GTP = """\
protocol_version
1 name
version # which one?
known_command genmove
list_commands
list_games
set_game Othello
boardsize 8
clear_board
komi 6.5
play black f5
play w f6
play b pass
12 genmove black
genmove w
reg_genmove b
undo
undo
showboard
final_score
time_settings 1 0 0
time_left black 1 0
time_left white 0 3
set_level 1
level 2
setoption name MultiPV value 2
setoption name Clear Hash
loadsgf no/such/file.sgf 3
gogui-rules_game_id
gogui-rules_board_size
gogui-rules_board
gogui-rules_side_to_move
gogui-rules_legal_moves
gogui-rules_final_result
gogui-analyze_commands
outflank-move_values
outflank-best_line
""".splitlines()

NBOARD = """\
nboard 2
nboard 1
set depth 1
set depth 2
set contempt 50
move F5
move D6/0.5/1.2
move PA
move --//2.1
hint 1
hint 3
go
ping 1
learn
analyze
""".splitlines() + [f"set game {board}" for board in BOARDS]

# Pieces that mutations put in, beside words of the dialect.
TOKENS = """\
-1 0 1 2 60 61 255 256 65536 4294967296 18446744073709551615 18446744073709551616
-9223372036854775809 1e308 1e-9 nan inf +5 0x10 00 1.5 / /// a1 h8 i9 a0 A1 pass PA -- @@@@ 0000
startpos moves fen board name value depth nodes movetime level infinite selectivity hint # % ; : ??
black white b w X O 8/8/8/8/8/8/8/8 hex a1=0 a1=7 [ ] ( ) (; ;) B[ W[ BO[8 <empty> … é 中 \ufeff
""".split()

TEXT = rb"[ -~\x80-\xff]"  # what an answer is made of: no control characters
SQUARE = rb"(?:[a-h][1-8]|pass)"
DIAGRAM = [
    rb"  a b c d e f g h", rb"[1-8](?: [.XO*]){8} [1-8]", rb"side to move: (?:black|white)",
    rb"legal moves:(?: " + SQUARE + rb"| none)*", rb"game over: " + TEXT + rb"+",
    rb"discs: black \d+, white \d+"]
ANSWERS = {
    "ugi": DIAGRAM + [
        rb"error " + TEXT + rb"+", rb"readyok", rb"ugiok", rb"id (?:name|author) " + TEXT + rb"+",
        rb"option name " + TEXT + rb"+ type (?:spin default \d+ min \d+ max \d+|button|"
        rb"string default " + TEXT + rb"*|check default (?:true|false))",
        rb"info depth \d+ selectivity \d+ multipv \d+ score cd -?\d+(?: lowerbound| upperbound)?"
        rb"(?: solved)? nodes \d+ nps \d+ time \d+ hashfull \d+(?: pv(?: " + SQUARE + rb")+)?",
        rb"bestmove (?:" + SQUARE + rb"|none)",
        rb"response (?:true|false|p1win|p2win|draw|none)", rb"eval cd -?\d+",
        rb"perft depth \d+ convention (?:pass-ply|pass-free|full-depth) count \d+ time \d+",
        rb"position: [XO-]{64} [XO]", rb"moves:(?: none|(?: " + SQUARE + rb")+)",
        rb"(?:ugi|isready|uginewgame|setoption|position|go|stop|query|d|eval|perft|help|quit)\b"
        rb"[^:\n]*: " + TEXT + rb"+"],
    # An answer has no blank line in it and ends with one; an error has one line.
    "gtp": [rb"=\d*(?: " + TEXT + rb"+)?\n(?:[^=?\n]" + TEXT + rb"*\n)*",
            rb"\?\d* " + TEXT + rb"+\n"],
    "nboard": [
        rb"set myname [A-Za-z0-9]+", rb"status " + TEXT + rb"+", rb"pong \d+", rb"learned",
        rb"=== (?:[A-H][1-8](?:/-?\d+\.\d\d(?:/\d+\.\d+)?)?|PA)",
        rb"search (?:[A-H][1-8]|PA)+ -?\d+\.\d\d 0 (?:\d+|\d+@\d+%|100%)",
        rb"nodestats \d+ \d+\.\d+", rb"analysis \d+ -?\d+\.\d\d"],
}

# arguments of the program; lines that make searches short; the question at the end of a block, N
# for its number, with the answer, in each dialect that may be spoken.
Dialect = collections.namedtuple("Dialect", "arguments seeds set_up asks")
# (UGI answers all in order except `isready`, which does not wait.)
UGI_ASK = (b"isready\nstop\nanswer-N\n", rb"^error unknown command 'answer-N' at column 1\n")
GTP_ASK = (b"9N name\n", rb"^=9N outflank\n\n")
NBOARD_ASK = (b"ping N\n", rb"^pong N\n")
DIALECTS = {
    "ugi": Dialect(["ugi"], UGI, ["setoption name Threads value 1", "setoption name Hash value 1",
                                  "setoption name Level value 1"], {"ugi": UGI_ASK}),
    "gtp": Dialect(["gtp"], GTP, ["setoption name Threads value 1", "setoption name Hash value 1",
                                  "set_level 1", "time_settings 0 0 0"], {"gtp": GTP_ASK}),
    "nboard": Dialect(["nboard"], NBOARD, ["set depth 1"], {"nboard": NBOARD_ASK}),
    "auto": Dialect([], UGI + GTP + NBOARD, ["setoption name Level value 1", "set_level 1",
                                             "set depth 1"],
                    {"ugi": UGI_ASK, "gtp": GTP_ASK, "nboard": NBOARD_ASK}),
}

QUIT = re.compile(rb"[^a-z]+")
LARGE = re.compile(rb"(?i)(?:hash|threads|level|depth|multipv)\D*0*(?:[4-9]|[1-9]\d)|"
                   rb"time_settings(?!\s+\d\s+0\s+0\b).*[1-9]|time_left.*(?:[4-9]|\d\d)", re.S)
WORK = re.compile(rb"\s*\W*(?:go|perft)\b")
CHEAP = re.compile(rb"\s*(?:go\s(?:.*\s)?(?:depth|level)\s+0*[1-3]|go\s(?:.*\s)?nodes\s+\d{1,4}|"
                   rb"go\s(?:.*\s)?movetime\s+\d|perft\s+0*[1-4])(?:\s|$)", re.S)


def quits(line):
    """Would the line end the program, in any dialect? Rather once too often."""
    return b"q" in line and QUIT.sub(b"", line.split(b"#")[0]) == b"quit"


def costly(line):
    """May the line ask for memory, threads, time or a strength that make the run slow?"""
    return bool(LARGE.search(line)) and not WORK.match(line)


def unbounded(line):
    """May the line start work that only `stop` ends?"""
    return bool(WORK.match(line)) and (b"infinite" in line or not CHEAP.match(line))


class Mutator:
    """Makes lines out of the seeds of a dialect."""

    def __init__(self, seeds, rng):
        self.rng = rng
        self.seeds = [seed.encode() for seed in seeds]
        words = {word for seed in self.seeds for word in seed.split()}
        self.tokens = sorted(words | {token.encode() for token in TOKENS})

    def line(self):
        """A line without its end that is safe to send."""
        while True:
            line = self.raw().replace(b"\n", b" ")
            if not quits(line) and not costly(line):
                return line

    def raw(self):
        rng, kind = self.rng, self.rng.random()
        if kind < 0.15:
            return rng.choice(self.seeds)
        if kind < 0.20:
            return rng.randbytes(rng.randrange(40))
        if kind < 0.25:
            return b" ".join(rng.choices(self.tokens, k=rng.randrange(1, 9)))
        line = rng.choice(self.seeds)
        for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
            line = self.words(line) if rng.random() < 0.5 else self.bytes(line)
        return line

    def words(self, line):
        """Changes the line by a word."""
        rng, words = self.rng, line.split(b" ")
        at, kind = rng.randrange(len(words)), rng.randrange(6)
        if kind == 0:
            del words[at]
        elif kind == 1:
            words.insert(at, words[at])
        elif kind == 2:
            words[at] = rng.choice(self.tokens)
        elif kind == 3:
            words.insert(at, rng.choice(self.tokens))
        elif kind == 4:
            other = rng.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        else:
            words[at:] = rng.choice(self.seeds).split(b" ")[at:]
        return b" ".join(words)

    def bytes(self, line):
        """Changes the line by a byte or two."""
        rng = self.rng
        at, kind = rng.randrange(len(line) + 1), rng.randrange(8)
        if kind == 0:
            return line[:at]
        if kind == 1:
            return line[:at] + line[at + 1:]
        if kind == 2:
            return line[:at] + bytes([rng.randrange(256)]) + line[at:]
        if kind == 3:
            return line[:at] + bytes([rng.randrange(32, 127)]) + line[at + 1:]
        if kind == 4:
            return line[:at] + rng.choice((b"\0", b"\r", b"\t", b"\xff", b"\xc3", b"\xed\xa0\x80",
                                           b"\x1b[2J", b"\xef\xbb\xbf", b"\xe2\x80\xa8")) + line[at:]
        if kind == 5 and at < len(line):
            return line[:at] + bytes([line[at] ^ 1 << rng.randrange(8)]) + line[at + 1:]
        if kind == 6:
            return line + b"\r"
        end = min(len(line), at + rng.randrange(8))
        return line[:end] + line[at:end] * rng.randrange(1, 5) + line[end:]

    def long_line(self):
        """A line of up to a megabyte."""
        rng = self.rng
        length = int(10 ** rng.uniform(3, 6))
        piece = rng.choice((b"x", b" ", b"\0", b"9", b"pass ", b"f5d6", b"a1:+2; ", b"8/", b"(;",
                            rng.choice(self.tokens) + b" ", rng.randbytes(9).replace(b"\n", b"")))
        line = rng.choice(self.seeds) + b" " * rng.randrange(2) + piece * (length // len(piece))
        return b"x" + line if quits(line) or costly(line) else line


class Blocks:
    """The lines of one round, a thousand at a time."""

    def __init__(self, name, seed, number, pool):
        self.dialect = DIALECTS[name]
        self.rng = random.Random(f"{seed} {name} {number}")
        self.mutator = Mutator(self.dialect.seeds, self.rng)
        self.pool = pool
        self.auto = name == "auto"

    def block(self):
        rng, mutator = self.rng, self.mutator
        lines = [rng.choice(self.pool[1]), *(line.encode() for line in self.dialect.set_up)]
        if not self.auto:
            del lines[0]
        long_lines = [mutator.long_line()] if rng.random() < 0.1 else []
        if rng.random() < 0.01:
            long_lines.append(b"x" * OVERLONG)
        fresh = [mutator.line() for _ in range(FRESH)]
        old = BLOCK - len(lines) - len(fresh) - len(long_lines)
        sent = rng.choices(self.pool[0], k=old) + fresh + long_lines
        rng.shuffle(sent)
        left = CHEAP_ONLY
        for line in sent:
            if unbounded(line):
                left -= 1
                line = line + b"\nstop" if left >= 0 else b"isready"
            lines.append(line)
        return b"\n".join(lines) + b"\n"


def make_pool(name, seed):
    """Mutated lines, and those that may open a session (which start no work)."""
    mutator = Mutator(DIALECTS[name].seeds, random.Random(f"{seed} {name}"))
    lines = [mutator.line() for _ in range(POOL)]
    openers = [line for line in lines
               if line.strip() and not re.search(rb"go|genmove|perft|outflank|hint|analy", line)]
    return lines, openers


class Fault(Exception):
    """Something is wrong with the program."""


class Program:
    """The running program and what it has been told."""

    def __init__(self, command, patience):
        self.patience = patience
        self.errors = tempfile.TemporaryFile()
        environment = {key: value for key, value in os.environ.items() if key != "RUST_LOG"}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, bufsize=0, env=environment)
        os.set_blocking(self.process.stdin.fileno(), False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.output = bytearray()
        self.sent = []

    def send(self, data, remember=True):
        """Sends bytes, and reads meanwhile what the program says."""
        if remember:
            self.sent.append(data)
        rest, deadline = memoryview(data), time.monotonic() + self.patience
        while rest:
            try:
                rest = rest[self.process.stdin.write(rest) or 0:]
                if not rest:
                    return
            except BrokenPipeError:
                raise Fault("it reads no more") from None
            if not self.read(0.001):
                raise Fault("it has closed its output")
            if time.monotonic() > deadline:
                raise Fault(f"it has not read for {self.patience} s")

    def read(self, wait):
        """Takes what the program has said, or waits for it; false once it has closed its output."""
        if not self.selector.select(wait):
            return True
        piece = os.read(self.process.stdout.fileno(), PIECE)
        self.output += piece
        return bool(piece)

    def until(self, patterns, nudge):
        """All output up to the answer that fits one of these, with the name of its pattern. It
        sends `nudge` now and then, which ends work without a bound."""
        deadline, searched, waits = time.monotonic() + self.patience, 0, 0.02
        pause = time.monotonic() + waits
        while True:
            for name, pattern in patterns.items():
                found = pattern.search(self.output, searched)
                if found:
                    said = bytes(self.output[:found.end()])
                    del self.output[:found.end()]
                    return name, said
            searched = max(0, len(self.output) - 200)
            if not self.read(0.02):
                raise Fault("it has closed its output")
            now = time.monotonic()
            if now > deadline:
                raise Fault(f"no answer within {self.patience} s")
            if nudge and now > pause:
                self.send(nudge, remember=False)
                pause = now + waits

    def check_errors(self):
        if os.fstat(self.errors.fileno()).st_size:
            raise Fault("it has written to stderr")

    def finish(self):
        """Ends the input; the program must end by itself."""
        self.process.stdin.close()
        deadline = time.monotonic() + self.patience
        while self.read(0.1):
            if time.monotonic() > deadline:
                raise Fault("it does not end at the end of its input")
        status = self.process.wait(timeout=self.patience)
        if status:
            raise Fault(f"it ended with status {status}")

    def close(self):
        """Kills the process if it still runs, and says how it ended."""
        try:
            state = f"ended with status {self.process.wait(timeout=0.5)}"
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            state = "was still running"
        self.errors.seek(0)
        errors = self.errors.read(2_000).decode(errors="backslashreplace")
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            stream.close()
        self.selector.close()
        return state, errors


def checker(answers):
    """A pattern that fits as many whole answers as it can."""
    return re.compile(rb"(?:(?:" + rb"|".join(answers) + rb")\n)*")


CHECKERS = {name: checker(answers) for name, answers in ANSWERS.items()}


def first_strange(name, said):
    """The first line that is no answer of the dialect, or None."""
    good = CHECKERS[name].match(said).end()
    return None if good == len(said) else said[good:].split(b"\n", 1)[0]


def ask(program, dialect, number):
    """Asks whether the program is still there and checks all it has said so far."""
    number = b"%d" % number
    asks = {name: (question.replace(b"N", number), re.compile(answer.replace(b"N", number), re.M))
            for name, (question, answer) in dialect.asks.items()}
    program.send(b"".join(question for question, _ in asks.values()))
    nudge = b"stop\n" if "ugi" in asks else b""
    name, said = program.until({name: answer for name, (_, answer) in asks.items()}, nudge)
    strange = first_strange(name, said)
    if strange is not None:
        raise Fault(f"no answer of {name}: {strange[:200]!r}")
    program.check_errors()


Result = collections.namedtuple("Result", "lines fault")


def play_round(name, seed, number, blocks, pool, command, patience, folder):
    """Sends the blocks of a round; returns how many lines, and the report of a fault."""
    source, dialect, lines = Blocks(name, seed, number, pool), DIALECTS[name], 0
    program = block = None
    try:
        for index in range(blocks):
            block = block or source.block()
            # The first line of a process chooses the dialect: there it must often be another.
            if program is None or name == "auto" and index % SESSION == 0:
                if program:
                    program.finish()
                    program.close()
                program = Program(command + dialect.arguments, patience)
            program.send(block)
            lines += BLOCK
            # The next block is made while the program works on this one.
            block = source.block() if index + 1 < blocks else None
            ask(program, dialect, 1_000_000 + index)
        program.finish()
        program.check_errors()
    except (Fault, subprocess.TimeoutExpired) as fault:
        path = os.path.join(folder, f"fuzz-{name}-{seed}-{number}.txt")
        os.makedirs(folder, exist_ok=True)
        with open(path, "wb") as file:
            file.write(b"".join(program.sent))
        state, errors = program.close()
        program = None
        report = (f"{name}: FAULT in round {number}: {fault}; the process {state}\n"
                  f"  lines sent: {path}")
        return Result(lines, report + (f"\n  stderr: {errors.strip()}" if errors else ""))
    finally:
        if program:
            program.close()
    return Result(lines, None)


def rounds(lines):
    """Numbers of the rounds with their blocks, for so many lines."""
    blocks = max(1, -(-lines // BLOCK))
    return [(number, min(ROUND, blocks - first))
            for number, first in enumerate(range(0, blocks, ROUND))]


def fuzz(name, args, command):
    """Fuzzes one dialect; returns whether there was no fault."""
    pool = make_pool(name, args.seed)
    wanted = rounds(args.lines)
    if args.only_round is not None:
        wanted = [(args.only_round, ROUND)]
    started, lines, faults = time.monotonic(), 0, 0
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as executor:
        jobs = [executor.submit(play_round, name, args.seed, number, blocks, pool, command,
                                args.patience, args.faults) for number, blocks in wanted]
        for job in concurrent.futures.as_completed(jobs):
            result = job.result()
            lines += result.lines
            if result.fault:
                faults += 1
                print(result.fault, flush=True)
                if faults >= args.most_faults:
                    executor.shutdown(cancel_futures=True)
                    break
            elif sys.stderr.isatty():
                rate = lines / (time.monotonic() - started)
                print(f"\r{name}: {lines:,} lines, {rate:,.0f} a second ", end="", file=sys.stderr)
    seconds = time.monotonic() - started
    print(f"{name}: {lines} lines in {seconds:.1f} s, {lines / seconds:.0f} a second, "
          f"{faults} faults", flush=True)
    return not faults


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--engine", default=os.path.join(HERE, "..", "target", "release", "outflank"),
        metavar="CMD", help="command line of the program (default: the release build)")
    add("--dialect", choices=[*DIALECTS, "all"], default="all")
    add("--lines", type=int, default=100_000, metavar="N", help="of each dialect (default 100000)")
    add("--seed", type=int, default=1, metavar="S", help="choice of the lines (default 1)")
    add("--jobs", type=int, default=1, metavar="N", help="processes at a time (default 1)")
    add("--patience", type=float, default=30, metavar="SECONDS",
        help="for the answer to a block (default 30)")
    add("--only-round", type=int, metavar="N", help=f"only these {BLOCK * ROUND} lines")
    add("--faults", default=".", metavar="FOLDER", help="where the lines before a fault are saved")
    add("--most-faults", type=int, default=5, metavar="N", help="end after so many (default 5)")
    args = parser.parse_args(arguments)
    if args.lines < 1 or args.jobs < 1:
        parser.error("--lines and --jobs must be 1 or more")
    command = shlex.split(args.engine)
    if not (command and shutil.which(command[0])):
        parser.error(f"{args.engine!r} is not there: cargo build --release")
    names = DIALECTS if args.dialect == "all" else [args.dialect]
    # Every dialect is tried, whatever the one before has shown.
    return 0 if all([fuzz(name, args, command) for name in names]) else 1


if __name__ == "__main__":
    sys.exit(main())
