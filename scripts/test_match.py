"""Checks of the referee: python3 -m unittest test_match (half a minute)."""
import io
import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from contextlib import redirect_stderr, redirect_stdout

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import match  # noqa: E402
from match_engines import Clock, Limit  # noqa: E402
from match_rules import (BLACK, EMPTY, PASS, WHITE, Board, SetupError,  # noqa: E402
                         choose_openings, parse_transcript)
from match_stats import Moments, Sprt, elo_estimate, elo_of, score_of  # noqa: E402

# A UGI or GTP engine that plays at random; argument 1 is the protocol, argument 2 a fault
# that it shows at its 5th move: illegal, die, hang, malformed, or ok for none.
FAKE = '''
import os, random, sys, time
sys.path.insert(0, %r)
from match_rules import BLACK, WHITE, PASS, Board
proto, fault, log = sys.argv[1:4]
rng, board, count = random.Random(int(sys.argv[4])), Board(), 0
out = open(log, "a") if log != "-" else None

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

def think():
    global count
    count += 1
    if fault != "ok" and count >= 5:
        if fault == "illegal":
            return "d4"
        if fault == "die":
            os._exit(3)
        if fault == "hang":
            time.sleep(1000)
        if fault == "malformed":
            return "f5 ponder d6" if proto == "ugi" else "resign"
        if fault == "slow":
            time.sleep(1)
    return rng.choice(board.moves() or [PASS])

for line in sys.stdin:
    words = line.split()
    if out:
        print(line.strip(), file=out, flush=True)
    if not words:
        continue
    if words[0] == "quit":
        break
    if proto == "ugi":
        if words[0] == "ugi":
            say("id name fake")
            say("ugiok")
        elif words[0] == "setoption":
            say("info string error is only a word here")
            if words[2] != "Hash":
                say("error unknown option " + words[2])
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "uginewgame":
            count = 0
        elif words[0] == "position":
            board = Board()
            for move in words[3:]:
                if move != PASS and not board.flips(move, board.side):
                    board.play(PASS)
                board.play(move)
            if board.must_pass() and "skips" in sys.argv:
                board.play(PASS)
        elif words[0] == "go":
            move = think()
            say("info depth 1 nodes 50")
            say("info depth 3 nodes 100 pv f5 nodes 7")
            say("bestmove " + move)
    else:
        answer = "="
        if words[0] == "clear_board":
            board, count = Board(), 0
        elif words[0] in ("play", "genmove"):
            board.side = BLACK if words[1] == "black" else WHITE
            if words[0] == "genmove":
                answer = "= " + think().upper()
                if "resign" in answer.lower() or fault == "illegal" and count >= 5:
                    say(answer + "\\n")
                    continue
            if words[0] == "play" and words[2] == PASS and "skips" in sys.argv:
                answer = "? no passes"
            else:
                board.play((words[2] if words[0] == "play" else answer[2:]).lower())
        elif words[0] not in ("name", "time_settings", "boardsize", "set_level", "time_left"):
            answer = "? unknown command"
        say(answer + "\\n")
''' % HERE

OPENINGS = ["f5d6c4d3c2b3b4b5", "f5f6d3c5d6c7b5e3", "f5f4e3d2c3e6e1g5", "f5d6c3d3c4f4f6b4"]


class Rules(unittest.TestCase):
    def perft(self, board, depth):
        moves = board.moves()
        if depth == 1:
            return len(moves) or 1
        if not moves:
            return self.perft(self.after(board, PASS), depth - 1) if board.must_pass() else 1
        return sum(self.perft(self.after(board, move), depth - 1) for move in moves)

    @staticmethod
    def after(board, move):
        copy = Board()
        copy.discs, copy.side = dict(board.discs), board.side
        copy.play(move)
        return copy

    @staticmethod
    def board(rows, side):
        board = Board()
        board.discs = dict(zip(board.discs, "".join(rows)))
        board.side = side
        return board

    def test_perft(self):
        self.assertEqual([self.perft(Board(), depth) for depth in range(1, 7)],
                         [4, 12, 56, 244, 1396, 8200])

    def test_first_moves(self):
        self.assertEqual(sorted(Board().moves()), ["c4", "d3", "e6", "f5"])

    def test_illegal_moves_are_refused(self):
        for move in ("d4", "a1", "i9", "", PASS, "F5"):
            with self.assertRaises(ValueError):
                Board().play(move)

    def test_forced_pass(self):
        board = self.board(["OX------"] + ["-" * 8] * 7, BLACK)
        self.assertTrue(board.must_pass())
        board.play(PASS)
        self.assertEqual(board.moves(), ["c1"])
        board.play("c1")
        self.assertTrue(board.over())
        self.assertEqual(board.result(), -64)

    def test_end_counts_empties_for_the_winner(self):
        self.assertEqual(self.board(["XXXO----"] + ["-" * 8] * 7, BLACK).result(), 2 + 60)
        self.assertEqual(self.board(["XXXXOOOO"] * 8, BLACK).result(), 0)
        self.assertEqual(self.board(["XO------"] + ["-" * 8] * 7, BLACK).result(), 0)
        full = self.board(["XXXXXOOO"] * 8, WHITE)
        self.assertTrue(full.over() and not full.must_pass())
        self.assertEqual(full.result(), 16)

    def test_flips_stop_at_the_edge(self):
        board = self.board(["------OO", "X-------"] + ["-" * 8] * 6, BLACK)
        self.assertEqual(board.moves(), [])
        self.assertEqual(sum(d != EMPTY for d in board.discs.values()), 3)


class Openings(unittest.TestCase):
    def write(self, text):
        file = tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False, encoding="utf-8",
                                           errors="surrogateescape")
        self.addCleanup(os.unlink, file.name)
        with file:
            file.write(text)
        return file.name

    def test_forms_of_a_transcript(self):
        wanted = ["f5", "f6", "e6", "f4"]
        for text in ("f5f6e6f4", "F5F6e6f4", "1. f5 f6 2. e6 f4", "startpos moves f5 f6 e6 f4",
                     "1 f5 2 f6 3 e6 4 f4"):
            self.assertEqual(parse_transcript(text), wanted, text)

    def test_passes_may_stand_or_be_missing(self):
        before, after = ("d3c3c4c5b5f3b2b4b3a2f5a6e3b1a5f6e6d2g3a4g7f2a3h4f1e2e1g1h3d1a1g6"
                         "c2g8f4f7c1d6h1h2h7h5c6g5h8d7e7c7f8e8a7b6g2"), "g4"
        wanted = re.findall("..", before) + [after]
        for text in (before + after, before + "PA" + after, f"{before} -- {after}"):
            self.assertEqual(parse_transcript(text), wanted)
        with self.assertRaises(ValueError):
            parse_transcript(f"{before} pass pass {after}")

    def test_wrong_transcripts(self):
        for text in ("f5f5", "a1", "f5 x9", "f5pass", "hello", "f5d66c3"):
            with self.assertRaises(ValueError, msg=text):
                parse_transcript(text)

    def test_sampling(self):
        path = self.write("# comment\n" + "\n".join(OPENINGS) + "\n\n" + OPENINGS[0] + "\n")
        every = choose_openings(path, None, 5)
        self.assertEqual(sorted("".join(o) for o in every), sorted(OPENINGS))
        self.assertEqual(choose_openings(path, 2, 5), every[:2])
        self.assertGreater(len({str(choose_openings(path, 2, seed)) for seed in range(9)}), 1)
        with self.assertRaises(SetupError):
            choose_openings(path, 5, 5)
        with self.assertRaisesRegex(SetupError, ":2: "):
            choose_openings(self.write("f5f6\nf5x\n"), None, 1)

    def test_files_of_another_form(self):
        for text in ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;",
                     "OX" + "-" * 62 + " X; C1:+64;", "(;GM[Othello]B[F5]W[D6];)",
                     "\udcff\udc80\0"):
            path = self.write(f"% comment\n{text}\n")
            with self.assertRaises(SetupError) as caught:
                choose_openings(path, None, 1)
            start = f"{path}:2: expected a transcript of moves such as f5d6c3: "
            self.assertTrue(str(caught.exception).startswith(start), caught.exception)


class Statistics(unittest.TestCase):
    def test_elo(self):
        self.assertEqual(elo_of(0.5), 0)
        self.assertAlmostEqual(elo_of(0.75), 190.8485, 3)
        self.assertAlmostEqual(elo_of(0.64), 99.9510, 3)
        self.assertEqual((elo_of(1), elo_of(0)), (math.inf, -math.inf))
        self.assertAlmostEqual(score_of(elo_of(0.3)), 0.3)

    def test_pair_variance(self):
        # mean (20/4 + 30/2 + 20·3/4 + 20) / 100 = 0.55
        counts = [10, 20, 30, 20, 20]
        variance = (20 * 0.0625 + 30 * 0.25 + 20 * 0.5625 + 20) / 100 - 0.55 ** 2
        elo, width = elo_estimate(counts)
        self.assertAlmostEqual(elo, 34.86, 2)
        slope = 400 / math.log(10) / (0.55 * 0.45)
        self.assertAlmostEqual(width, 1.96 * math.sqrt(variance / 100) * slope, delta=0.3)

    def test_pairs_that_cancel_have_no_error(self):
        self.assertEqual(elo_estimate([0, 0, 50, 0, 0]), (0, 0))
        self.assertTrue(math.isnan(elo_estimate([0] * 5)[0]))

    def test_moments(self):
        moments = Moments()
        for value in (2, 4, 4, 4, 5, 5, 7, 9):
            moments.add(value)
        self.assertEqual(moments.mean(), 5)
        self.assertAlmostEqual(moments.error(), math.sqrt(32 / 7 / 8))

    def test_sprt_bounds_and_sign(self):
        sprt = Sprt(0, 10, 0.05, 0.05, "normalised")
        self.assertAlmostEqual(sprt.upper, math.log(19))
        self.assertAlmostEqual(sprt.lower, -math.log(19))
        self.assertEqual(sprt.llr([0] * 5), 0)
        self.assertGreater(sprt.llr([5, 10, 30, 20, 15]), 0)
        self.assertLess(sprt.llr([15, 20, 30, 10, 5]), 0)

    def test_sprt_known_values(self):
        # mean 1/2, variance v: LLR = -N (s1 - 1/2)² / (2 v)
        counts, variance = [250, 0, 500, 0, 250], 0.125
        step = score_of(10) - 0.5
        logistic = Sprt(0, 10, 0.05, 0.05, "logistic").llr(counts)
        self.assertAlmostEqual(logistic, -1000 * step ** 2 / (2 * variance), 3)
        # normalised: (s1 - 1/2)² = 2 v (elo ln 10 / 800)², so v cancels
        normalised = Sprt(0, 10, 0.05, 0.05, "normalised").llr(counts)
        self.assertAlmostEqual(normalised, -1000 * (10 * math.log(10) / 800) ** 2, 3)

    def test_sprt_verdicts(self):
        sprt = Sprt(0, 10, 0.05, 0.05, "normalised")
        self.assertEqual(sprt.verdict([100, 200, 700, 400, 300]), "H1")
        self.assertEqual(sprt.verdict([300, 400, 700, 200, 100]), "H0")
        self.assertIsNone(sprt.verdict([0, 0, 0, 0, 15]), "too few pairs for a verdict")
        self.assertEqual(sprt.verdict([0, 0, 0, 0, 16]), "H1")
        self.assertIsNone(sprt.verdict([10, 10, 20, 10, 10]))

    def test_tally_by_pairs(self):
        tally = match.Tally()
        usage = match.Usage().record()
        for pair, discs in ((0, 10), (1, 4), (1, 0), (2, -6), (0, -10)):
            tally.add({"pair": pair, "discs": discs, "loser": None, "end": "normal",
                       "engine1": usage, "engine2": usage})
        self.assertEqual(tally.pairs, [0, 0, 1, 1, 0])
        self.assertEqual((tally.wins, tally.draws, tally.losses), (2, 1, 2))
        self.assertEqual(tally.pair_discs.mean(), 1)


class Limits(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(Limit.parse("clock=60+1.5").increment, 1.5)
        self.assertEqual(Limit.parse("level=0").value, 0)
        self.assertEqual(str(Limit.parse("none")), "none")
        for text in ("movetime=0", "depth=x", "clock=", "clock=-1", "clock=nan", "speed=3",
                     "none=1", "nodes"):
            with self.assertRaises(SetupError, msg=text):
                Limit.parse(text)

    def test_clock(self):
        clock = Clock(Limit.parse("clock=10+2"), 0.1, 60)
        clock.charge(3)
        self.assertEqual(clock.left, 9)
        self.assertAlmostEqual(clock.allowance(), 9.1)
        self.assertAlmostEqual(Clock(Limit.parse("movetime=500"), 0.1, 60).allowance(), 0.6)
        self.assertEqual(Clock(Limit.parse("depth=5"), 0.1, 60).allowance(), 60)


class EndToEnd(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.fake = self.write("fake.py", FAKE)
        self.openings = self.write("openings.txt", "\n".join(OPENINGS))
        self.out = os.path.join(self.folder, "out.jsonl")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))
        return path

    def engine(self, proto, fault="ok", log="-", seed=1, *more):
        return shlex.join([sys.executable, self.fake, proto, fault, log, str(seed), *more])

    def arguments(self, engine1, engine2, *more):
        return ["--engine1", engine1, "--engine2", engine2, "--openings", self.openings,
                "--name1", "A", "--name2", "B", *more]

    def run_match(self, *args):
        """Exit status, report, stderr."""
        out, err = io.StringIO(), io.StringIO()
        kept = {number: signal.getsignal(number)
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        try:
            with redirect_stdout(out), redirect_stderr(err):
                status = match.main([*self.arguments(*args), "--json"])
        finally:
            for number, handler in kept.items():
                signal.signal(number, handler)
        self.assert_no_children()
        return status, json.loads(out.getvalue() or "null"), err.getvalue()

    def assert_no_children(self):
        found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
        self.assertNotIn(self.fake, found)

    def records(self):
        with open(self.out) as lines:
            return [json.loads(line) for line in lines][1:]

    def test_ugi_against_gtp(self):
        log1, log2 = (os.path.join(self.folder, name) for name in ("log1", "log2"))
        status, report, _ = self.run_match(
            self.engine("ugi", log=log1), self.engine("gtp", "ok", log2, 2, "skips"),
            "--limit1", "movetime=1000", "--limit2", "level=3", "--setoption1", "Hash=16",
            "--init2", "boardsize 8", "--concurrency", "2", "--out", self.out)
        self.assertEqual((status, report["games"], report["pairs"]), (0, 8, 4))
        self.assertEqual(sum(report["pair_counts"]), 4)
        first, second = report["engines"]
        self.assertEqual((first["nodes_per_move"], first["depth"]), (100, 3))
        self.assertIsNone(second["nodes_per_move"])
        self.assertFalse(any(first["forfeits"].values()) or any(second["forfeits"].values()))
        with open(log1) as lines:
            sent = lines.read().split("\n")
        self.assertIn("setoption name Hash value 16", sent)
        self.assertIn("go movetime 1000", sent)
        self.assertTrue(any(line.startswith("position startpos moves f5 ") for line in sent))
        with open(log2) as lines:
            sent = lines.read()
        self.assertIn("set_level 3", sent)
        self.assertNotIn("pass", sent)
        self.replay(self.records())

    def replay(self, records):
        """Every record agrees with the rules, and colours are swapped within a pair."""
        self.assertEqual({(r["pair"], r["game"], r["black"]) for r in records},
                         {(pair, game, game + 1) for pair in range(4) for game in (0, 1)})
        for record in records:
            self.assertTrue(record["moves"].startswith(record["opening"]))
            board = Board()
            for at in range(0, len(record["moves"]), 2):
                if board.must_pass():
                    board.play(PASS)
                board.play(record["moves"][at:at + 2])
            self.assertTrue(board.over())
            self.assertEqual(record["discs"], board.result() * (3 - 2 * record["black"]))

    def test_passes_sent_to_both_protocols(self):
        status, report, err = self.run_match(self.engine("ugi"), self.engine("gtp", seed=2),
                                             "--limit1", "depth=1", "--limit2", "none",
                                             "--passes2", "send")
        self.assertEqual((status, err.count("FORFEIT")), (0, 0), err)

    def test_passes_skipped_in_ugi(self):
        status, report, err = self.run_match(
            self.engine("ugi", "ok", "-", 1, "skips"), self.engine("ugi", seed=2),
            "--nodes", "9", "--passes1", "skip")
        self.assertEqual((status, err.count("FORFEIT")), (0, 0), err)

    def test_clock(self):
        log1, log2 = (os.path.join(self.folder, name) for name in ("log1", "log2"))
        status, _, _ = self.run_match(self.engine("ugi", log=log1), self.engine("gtp", log=log2),
                                      "--clock", "20+1", "--pairs", "1")
        self.assertEqual(status, 0)
        with open(log1) as lines:
            self.assertIn("go p1time 20000 p2time 20000 p1inc 1000 p2inc 1000", lines.read())
        with open(log2) as lines:
            sent = lines.read()
        self.assertIn("time_settings 20 1 0", sent)
        self.assertIn("time_left black 20 0", sent)

    def forfeits(self, proto, fault, kind, *more):
        status, report, err = self.run_match(
            self.engine(proto, fault), self.engine("ugi", seed=2), "--pairs", "2",
            "--concurrency", "2", "--out", self.out,
            *(more or ("--limit1", "level=1", "--limit2", "level=1", "--move-timeout", "2")))
        self.assertEqual((status, report["losses"], report["games"]), (0, 4, 4), err)
        self.assertEqual(report["engines"][0]["forfeits"][kind], 4)
        self.assertFalse(any(report["engines"][1]["forfeits"].values()))
        self.assertEqual(err.count(f"FORFEIT ({kind}): A loses"), 4)
        self.assertEqual(report["discs"], -64)
        self.assertEqual({(r["end"], r["loser"]) for r in self.records()}, {(kind, 1)})

    def test_ugi_illegal(self):
        self.forfeits("ugi", "illegal", "illegal")

    def test_ugi_dies(self):
        self.forfeits("ugi", "die", "dead")

    def test_ugi_hangs(self):
        self.forfeits("ugi", "hang", "time")

    def test_ugi_malformed(self):
        self.forfeits("ugi", "malformed", "malformed")

    def test_ugi_oversteps_movetime(self):
        self.forfeits("ugi", "slow", "time", "--movetime", "100", "--margin", "500")

    def test_ugi_oversteps_clock(self):
        self.forfeits("ugi", "slow", "time", "--clock", "2", "--margin", "0")

    def test_gtp_illegal(self):
        self.forfeits("gtp", "illegal", "illegal")

    def test_gtp_dies(self):
        self.forfeits("gtp", "die", "dead")

    def test_gtp_hangs(self):
        self.forfeits("gtp", "hang", "time")

    def test_gtp_malformed(self):
        self.forfeits("gtp", "malformed", "malformed")

    def test_resume(self):
        args = [self.engine("ugi"), self.engine("ugi", seed=2), "--level", "1", "--out", self.out]
        self.assertEqual(self.run_match(*args, "--pairs", "2")[0], 0)
        self.assertEqual(self.run_match(*args, "--pairs", "2")[0], 2, "needs --resume")
        with open(self.out, "rb") as file:
            data = file.read()
        with open(self.out, "wb") as file:
            file.write(data[:-20])  # the last line was cut short
        before = self.records_of(data)
        status, report, _ = self.run_match(*args, "--pairs", "3", "--resume")
        self.assertEqual((status, report["games"], report["pairs"]), (0, 6, 3))
        records = self.records()
        self.assertEqual(len({(r["pair"], r["game"]) for r in records}), 6)
        self.assertEqual(records[:3], before[:3])
        self.assertEqual(len(records), 6)
        status, report, _ = self.run_match(*args, "--pairs", "3", "--resume")
        self.assertEqual((status, report["games"], len(self.records())), (0, 6, 6))
        other = [*args[:2], "--level", "2", "--out", self.out, "--pairs", "3", "--resume"]
        status, _, err = self.run_match(*other)
        self.assertEqual(status, 2)
        self.assertIn("other settings", err)

    @staticmethod
    def records_of(data):
        return [json.loads(line) for line in data.splitlines()[1:]]

    def test_resume_leaves_other_files_alone(self):
        path = self.write("notes.txt", "not a results file")
        status, _, err = self.run_match(self.engine("ugi"), self.engine("ugi"), "--level", "1",
                                        "--out", path, "--resume")
        self.assertEqual(status, 2)
        with open(path) as file:
            self.assertEqual(file.read(), "not a results file")

    def test_sprt_stops_early(self):
        lines = [OPENINGS[0][:2 * n] for n in range(1, 9)] + [o[:2 * n] for o in OPENINGS[1:]
                                                              for n in range(4, 9)]
        self.openings = self.write("many.txt", "\n".join(sorted(set(lines))))
        status, report, _ = self.run_match(
            self.engine("ugi"), self.engine("ugi", "die"), "--level", "1", "--sprt", "0,200")
        self.assertEqual((status, report["sprt"]["verdict"], report["pairs"]), (0, "H1", 16))
        self.assertLess(report["games"], report["games_planned"])

    def test_setup_errors(self):
        for engine, more, text in (
                ("/no/such/engine", ("--level", "1"), "cannot start"),
                (self.engine("gtp"), ("--movetime", "500"), "cannot be said in GTP"),
                (self.engine("gtp"), ("--nodes", "500"), "cannot be said in GTP"),
                (self.engine("ugi"), ("--limit1", "none", "--limit2", "level=1"), "needs a limit"),
                (self.engine("gtp"), ("--level", "1", "--setoption1", "A=1"), "no setoption"),
                (self.engine("ugi"), ("--level", "1", "--setoption1", "Hsh=1"),
                 "match.py: engine 1 (A): error unknown option Hsh\n"),
                (self.engine("ugi"), ("--level", "1", "--init1", "setoption name Hsh"),
                 "match.py: engine 1 (A): error unknown option Hsh\n"),
                ("true", ("--level", "1"), "cannot be set up"),
                ("cat", ("--level", "1", "--start-timeout", "0.3"), "no answer in time")):
            status, report, err = self.run_match(engine, self.engine("ugi"), *more)
            self.assertEqual((status, report), (1, None), err)
            self.assertIn(text, err)

    def test_no_limit_is_an_error(self):
        self.assertEqual(self.run_match(self.engine("ugi"), self.engine("ugi"))[0], 2)

    def test_sigterm_ends_everything(self):
        log = os.path.join(self.folder, "log")
        command = [sys.executable, os.path.join(HERE, "match.py"),
                   *self.arguments(self.engine("ugi"), self.engine("ugi", "hang", log),
                                   "--movetime", "60000", "--out", self.out,
                                   "--concurrency", "2", "--json")]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        sent = ""
        while sent.count("go movetime") < 7:  # till a game hangs
            time.sleep(0.1)
            if os.path.exists(log):
                with open(log) as lines:
                    sent = lines.read()
        child.send_signal(signal.SIGTERM)
        out, _ = child.communicate(timeout=10)
        self.assertEqual(child.returncode, 128 + signal.SIGTERM)
        report = json.loads(out)
        self.assertEqual((report["interrupted"], report["games"]), ("SIGTERM", 0))
        self.assertEqual(self.records(), [])
        self.assert_no_children()


if __name__ == "__main__":
    unittest.main()
