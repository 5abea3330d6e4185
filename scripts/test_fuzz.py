"""Checks of the fuzzer: python3 -m unittest test_fuzz (some seconds)."""
import contextlib
import io
import os
import random
import shlex
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import fuzz  # noqa: E402

fuzz.POOL = 1_000  # which is enough to see how it works

# A program that answers every line with an error; its argument is the fault that it shows at the
# line `eval`, the last one the dialect, which it does not need.
FAKE = '''
import os, sys, time
fault = sys.argv[1]
for raw in sys.stdin.buffer:
    line = raw.strip()
    if line == b"isready":
        answer = "readyok"
    elif line.startswith(b"answer-"):
        answer = "error unknown command '" + line.decode() + "' at column 1"
    elif line == b"eval" and fault != "ok":
        if fault == "die":
            os._exit(3)
        if fault == "hang":
            time.sleep(1000)
        if fault == "panic":
            print("thread main panicked", file=sys.stderr, flush=True)
        answer = "debug: half of a thought" if fault == "strange" else "error eval"
        if fault == "control":
            answer = "error a\\x07b"
        if fault == "end":
            sys.exit(0)
    else:
        answer = "error no"
    sys.stdout.write(answer + "\\n")
    sys.stdout.flush()
if fault == "status":
    sys.exit(7)
'''


class Mutations(unittest.TestCase):
    def mutator(self, name="ugi", seed=1):
        return fuzz.Mutator(fuzz.DIALECTS[name].seeds, random.Random(seed))

    def test_lines_have_no_line_end_and_never_quit(self):
        for name in fuzz.DIALECTS:
            mutator = self.mutator(name)
            for _ in range(5_000):
                line = mutator.line()
                self.assertNotIn(b"\n", line)
                self.assertFalse(fuzz.quits(line), line)
            long_lines = [mutator.long_line() for _ in range(50)]
            self.assertGreater(max(map(len, long_lines)), 100_000)
            self.assertFalse(any(b"\n" in line for line in long_lines))

    def test_mutations_are_many_and_reach_every_kind_of_byte(self):
        mutator = self.mutator()
        lines = {mutator.line() for _ in range(5_000)}
        self.assertGreater(len(lines), 3_000)
        self.assertEqual(set(range(256)) - set(b"".join(lines)), {ord("\n")})
        self.assertTrue(lines & set(mutator.seeds))

    def test_what_would_end_or_slow_the_program_is_known(self):
        for line in (b"quit", b" quit\r", b"3 quit", b"quit # now", b"qu\0it"):
            self.assertTrue(fuzz.quits(line), line)
        self.assertFalse(fuzz.quits(b"quit now"))
        for line in (b"setoption name Hash value 65536", b"setoption name threads value 0200",
                     b"set_level 60", b"set depth 12"):
            self.assertTrue(fuzz.costly(line), line)
        for line in (b"setoption name Hash value 1", b"set_level 2", b"go depth 60"):
            self.assertFalse(fuzz.costly(line), line)
        for line in (b"go", b"go infinite", b"go depth 30", b"perft 12", b"go nodes 100 infinite",
                     b" go p1time 60000"):
            self.assertTrue(fuzz.unbounded(line), line)
        for line in (b"go depth 2", b"go nodes 100", b"perft 3", b"d", b"go p1time 9 depth 1\r"):
            self.assertFalse(fuzz.unbounded(line), line)

    def test_a_seed_gives_the_same_lines(self):
        def block(name, seed):
            pool = fuzz.make_pool(name, seed)
            return fuzz.Blocks(name, seed, 0, pool).block()
        for name in fuzz.DIALECTS:
            self.assertEqual(block(name, 5), block(name, 5))
            self.assertNotEqual(block(name, 5), block(name, 6))
            self.assertGreaterEqual(block(name, 5).count(b"\n"), fuzz.BLOCK)

    def test_lines_are_shared_among_rounds(self):
        self.assertEqual(fuzz.rounds(1), [(0, 1)])
        self.assertEqual(fuzz.rounds(250_000), [(0, 100), (1, 100), (2, 50)])


class Answers(unittest.TestCase):
    def test_answers_are_told_from_other_lines(self):
        for name, good in (
                ("ugi", b"readyok\nbestmove f5\nerror unknown command 'x\xe2\x80\xa6' at column 1\n"),
                ("ugi", b"info depth 1 selectivity 73 multipv 1 score cd -5 nodes 1 nps 1 time 0 "
                        b"hashfull 0 pv f5 pass d6\n"),
                ("gtp", b"= F5\n\n=12\n\n? no\n\n=\n  a b\n1 . .\n\n"),
                ("nboard", b"pong 3\n=== F5/-1.00/0.200\nsearch F5PA -1.00 0 100%\n")):
            self.assertIsNone(fuzz.first_strange(name, good))
        for name, said, strange in (
                ("ugi", b"readyok\nbestmove f5 ponder d6\nreadyok\n", b"bestmove f5 ponder d6"),
                ("ugi", b"readyok\n\n", b""),
                ("ugi", b"error a\0b\n", b"error a\0b"),
                ("ugi", b"readyok", b"readyok"),
                ("gtp", b"= F5\n\nreadyok\n\n", b"readyok"),
                ("gtp", b"? two\nlines\n\n", b"? two"),
                ("nboard", b"pong 3\nbestmove f5\n", b"bestmove f5")):
            self.assertEqual(fuzz.first_strange(name, said), strange)


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.fake = os.path.join(self.folder, "fake.py")
        with open(self.fake, "w") as file:
            file.write(FAKE)

    def fuzz(self, fault):
        engine = shlex.join([sys.executable, self.fake, fault])
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = fuzz.main(["--engine", engine, "--dialect", "ugi", "--lines", "2000",
                                "--patience", "2", "--faults", self.folder])
        return status, output.getvalue()

    def test_a_program_without_a_fault_has_none(self):
        status, output = self.fuzz("ok")
        self.assertEqual(status, 0, output)
        self.assertIn("ugi: 2000 lines", output)

    def test_a_program_that_is_not_there_is_wrong_usage(self):
        for engine in (os.path.join(self.folder, "outflank"), self.fake, self.folder, ""):
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as ended:
                fuzz.main(["--engine", engine, "--dialect", "ugi", "--lines", "1"])
            self.assertEqual(ended.exception.code, 2)
            last = errors.getvalue().splitlines()[-1]
            self.assertTrue(last.endswith(f"{engine!r} is not there: cargo build --release"), last)

    def test_every_fault_is_reported_with_the_lines_before_it(self):
        for fault, words in (("die", "ended with status 3"),
                             ("end", "ended with status 0"),
                             ("hang", "no answer within 2.0 s; the process was still running"),
                             ("panic", "stderr: thread main panicked"),
                             ("strange", "no answer of ugi: b'debug: half of a thought'"),
                             ("control", "no answer of ugi: b'error a\\x07b'"),
                             ("status", "ended with status 7")):
            with self.subTest(fault):
                status, output = self.fuzz(fault)
                self.assertEqual(status, 1, output)
                self.assertIn("ugi: FAULT in round 0", output)
                self.assertIn(words, output)
                path = os.path.join(self.folder, "fuzz-ugi-1-0.txt")
                with open(path, "rb") as file:
                    self.assertIn(b"\neval\n", file.read())
                os.remove(path)


if __name__ == "__main__":
    unittest.main()
