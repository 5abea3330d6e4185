"""Checks of the plot scripts: python3 -m unittest test_plots."""
import contextlib
import importlib.util
import io
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import plot_game  # noqa: E402
import plot_match  # noqa: E402
from match_stats import elo_estimate, elo_of  # noqa: E402
from plot_common import PlotError  # noqa: E402

MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
if not MATPLOTLIB:
    print("SKIPPED: the tests of the pictures need matplotlib", file=sys.stderr)


def row(ply, side, played, black_cd, loss_cd=0, solved=False, **more):
    return {"file": "games.txt", "number": 7, "ply": ply, "side": side, "played": played,
            "black_cd": black_cd, "loss_cd": None if played is None else loss_cd,
            "blunder": None if played is None else loss_cd >= 600, "solved": solved, **more}


SUMMARY = {"black": {"moves": 2, "loss_cd": 100, "blunders": 0},
           "white": {"moves": 1, "loss_cd": 700, "blunders": 1},
           "exact_from": 3, "exact_empties": 57, "result": -2}
GAME = [row(1, "black", "f5", -50, 100), row(2, "white", "d6", 650, 700),
        row(3, "black", "c3", -200, solved=True, summary=SUMMARY)]
POSITION = [row(1, "black", None, 300)]


def lines(rows):
    return [json.dumps(row) + "\n" for row in rows]


def match_lines(results):
    """The file of a match with these discs of pairs of games."""
    settings = {"engine1": {"name": "new"}, "engine2": {"name": "old"}}
    games = [{"pair": pair, "game": game, "discs": discs}
             for pair, both in enumerate(results) for game, discs in enumerate(both)]
    return lines([{"settings": settings}] + games)


class Games(unittest.TestCase):
    def test_a_game_is_read_with_its_blunders_and_its_exact_part(self):
        game, = plot_game.read_games(lines(GAME))
        self.assertEqual((game.plies, game.discs), ([1, 2, 3], [-0.5, 6.5, -2.0]))
        self.assertEqual(game.blunders, [(2, 6.5, "white", "d6", 7.0)])
        self.assertEqual(game.exact_from, 3)
        self.assertEqual(game.title(), "game 7 of games.txt")
        self.assertEqual(game.subtitle(), "Black lost 1 discs, 0 blunders; White lost 7 discs, "
                                          "1 blunder; result -2")

    def test_games_begin_at_ply_1_and_positions_are_no_games(self):
        games = plot_game.read_games(lines(GAME + POSITION + GAME[:2] + GAME) + ["\n"])
        self.assertEqual([len(game.plies) for game in games], [3, 2, 3])
        self.assertIs(plot_game.choose(games, 2), games[1])
        for number in (0, 4):
            with self.assertRaisesRegex(PlotError, f"no game {number}: the input holds 3 games"):
                plot_game.choose(games, number)

    def test_an_interrupted_analysis_shows_what_is_there(self):
        game, = plot_game.read_games(lines(GAME[:2]))
        self.assertEqual((game.exact_from, game.subtitle()), (None, "analysis not complete"))
        rows = GAME[:2] + [row(3, "black", "c3", -200, solved=True)]
        self.assertEqual(plot_game.read_games(lines(rows))[0].exact_from, 3)

    def test_the_last_position_of_a_game_without_a_move_is_no_point_of_the_curve(self):
        rows = GAME[:2] + [row(3, "black", None, 100, summary=SUMMARY)]
        game, = plot_game.read_games(lines(rows))
        self.assertEqual((game.plies, game.summary), ([1, 2], SUMMARY))

    def test_other_lines_are_named(self):
        for text, reason in [("f5d6", "line 2: not JSON"), ("{}", "line 2: no 'ply'"),
                             ("[]", "line 2: no 'ply'")]:
            with self.assertRaisesRegex(PlotError, reason):
                plot_game.read_games(lines(GAME[:1]) + [text])

    def test_the_axis_holds_the_curve_and_the_even_line(self):
        game, = plot_game.read_games(lines(GAME))
        for discs in ([-0.5, 6.5, -2.0], [1.0], [-30.0, -40.0], [64.0, 2.0]):
            game.discs = discs
            low, high = plot_game.limits(game)
            self.assertTrue(low < min(0, *discs) and max(0, *discs) < high)

    def test_labels_near_each_other_take_turns(self):
        blunders = [(ply, 0, side, "f5", 6) for ply, side in
                    [(1, "black"), (3, "black"), (4, "white"), (5, "black"), (20, "black")]]
        self.assertEqual(plot_game.label_rows(blunders), [0, 1, 0, 0, 0])


class Matches(unittest.TestCase):
    RESULTS = [(2, 4), (-6, 6), (0, 0), (8, 0), (-2, -2), (4, -4), (10, 2)]

    def test_the_running_score_is_that_of_the_pairs_so_far(self):
        match = plot_match.read_match(match_lines(self.RESULTS))
        self.assertEqual(match.games, [2, 4, 6, 8, 10, 12, 14])
        self.assertEqual(match.scores[:4], [1.0, 0.75, 2 / 3, 0.6875])
        self.assertEqual((match.wins, match.draws, match.losses), (7, 3, 4))
        self.assertEqual(match.title(), "new against old")

    def test_the_band_is_that_of_the_report(self):
        match = plot_match.read_match(match_lines(self.RESULTS))
        lower, upper = plot_match.band(match)
        self.assertTrue(math.isnan(match.errors[0]))
        _, width = elo_estimate(match.counts)
        self.assertAlmostEqual((elo_of(upper[-1]) - elo_of(lower[-1])) / 2, width)
        self.assertLess(upper[-1] - lower[-1], 1)

    def test_a_pair_counts_once_both_games_are_over_in_any_order(self):
        records = match_lines(self.RESULTS)
        shuffled = records[:1] + records[:0:-1]
        self.assertEqual(plot_match.read_match(shuffled).scores[-1],
                         plot_match.read_match(records).scores[-1])
        self.assertEqual(plot_match.read_match(records[:-1]).games[-1], 12)
        with self.assertRaisesRegex(PlotError, "no pair of games is over yet"):
            plot_match.read_match(records[:2])

    def test_a_half_written_last_line_is_left_out_and_another_is_named(self):
        records = match_lines(self.RESULTS)
        self.assertEqual(plot_match.read_match(records + ['{"pair": 9, "ga']).games[-1], 14)
        with self.assertRaisesRegex(PlotError, "line 3: not a line"):
            plot_match.read_match(records[:2] + ["{}\n"] + records[2:])
        with self.assertRaisesRegex(PlotError, "line 1: not a line"):
            plot_match.read_match(["f5d6\n"])

    def test_the_axis_holds_the_later_band_and_the_even_score(self):
        match = plot_match.read_match(match_lines([(2, 2), (-2, 2)] * 50))
        low, high = plot_match.limits(match)
        self.assertTrue(0 <= low < 0.5 and match.scores[-1] < high <= 1)


class Programs(unittest.TestCase):
    def run_script(self, name, *arguments, text=""):
        return subprocess.run([sys.executable, os.path.join(HERE, name), *arguments], input=text,
                              capture_output=True, text=True, check=False)

    def test_bad_input_is_one_line(self):
        for name in ("plot_game.py", "plot_match.py"):
            for arguments in (["/no/such/file", "-o", "x.png"], ["-", "-o", "x.png"]):
                outcome = self.run_script(name, *arguments, text="x\n")
                self.assertEqual((outcome.returncode, outcome.stdout), (1, ""))
                self.assertRegex(outcome.stderr, f"^{name}: .*\n$")

    def test_help_has_examples(self):
        for name in ("plot_game.py", "plot_match.py"):
            outcome = self.run_script(name, "--help")
            self.assertEqual(outcome.returncode, 0)
            self.assertIn("examples", outcome.stdout)

    def test_without_matplotlib_one_line_says_what_to_install(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "matplotlib.py"), "w", encoding="utf-8") as file:
                file.write("raise ImportError\n")
            data = os.path.join(folder, "data")
            for name, records in (("plot_game.py", lines(GAME)),
                                  ("plot_match.py", match_lines(Matches.RESULTS))):
                with open(data, "w", encoding="utf-8") as file:
                    file.writelines(records)
                outcome = subprocess.run(
                    [sys.executable, os.path.join(HERE, name), data, "-o", "x.png"],
                    env={**os.environ, "PYTHONPATH": folder}, capture_output=True, text=True,
                    check=False)
                self.assertEqual(outcome.returncode, 1)
                self.assertEqual(outcome.stderr, f"{name}: matplotlib is needed: apt-get install "
                                 "python3-matplotlib, or pip install matplotlib\n")

    @unittest.skipUnless(MATPLOTLIB, "matplotlib is not installed")
    def test_pictures_are_written_as_their_names_say(self):
        with tempfile.TemporaryDirectory() as folder:
            for main, records in ((plot_game.main, lines(GAME)),
                                  (plot_match.main, match_lines(Matches.RESULTS))):
                data = os.path.join(folder, "data")
                with open(data, "w", encoding="utf-8") as file:
                    file.writelines(records)
                for suffix, start in (("png", b"\x89PNG"), ("svg", b"<?xml")):
                    picture = os.path.join(folder, f"picture.{suffix}")
                    main([data, "-o", picture])
                    with open(picture, "rb") as file:
                        self.assertTrue(file.read().startswith(start))
                with self.assertRaises(SystemExit) as caught, \
                        contextlib.redirect_stderr(io.StringIO()):
                    main([data, "-o", os.path.join(folder, "picture.gif")])
                self.assertIn("must end in .png or .svg", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
