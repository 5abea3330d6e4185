#!/usr/bin/env python3
"""Draws the running score of a match from the results file of match.py (--out FILE)."""
import argparse
import json
import math
import sys

from match_stats import elo_estimate, elo_of, pair_mean_variance, score_of
from plot_common import PlotError, open_figure, read_lines, save_figure

EPILOG = """\
examples
  draw the match in new-old.jsonl:
    plot_match.py new-old.jsonl -o match.png
  while it is played, draw it again every minute; a half-written line is left out:
    watch -n 60 plot_match.py new-old.jsonl -o match.svg

The curve is the score of engine 1 after each pair of games; the band is its 95 % interval from
the scores of the pairs, as in the report of match.py. A pair counts once both games are over.
Exit status: 0, 1 if the input cannot be used or matplotlib is absent, 2 wrong usage.
"""

BAND = 1.96  # standard errors on each side: 95 %


class Match:
    """The course of a match from the view of engine 1."""

    def __init__(self, names):
        self.names, self.counts = names, [0] * 5
        self.wins = self.draws = self.losses = 0
        self.waiting = {}  # discs of pairs with one game
        self.games, self.scores, self.errors = [], [], []

    def add(self, pair, discs):
        self.wins, self.draws, self.losses = (
            self.wins + (discs > 0), self.draws + (discs == 0), self.losses + (discs < 0))
        if pair not in self.waiting:
            self.waiting[pair] = discs
            return
        both = (discs, self.waiting.pop(pair))
        self.counts[sum(1 + (d > 0) - (d < 0) for d in both)] += 1
        number, mean, variance = pair_mean_variance(self.counts)
        self.games.append(2 * number)
        self.scores.append(mean)
        self.errors.append(math.sqrt(variance / number) if number > 1 else math.nan)

    def title(self):
        return f"{self.names[0]} against {self.names[1]}"

    def subtitle(self):
        elo, width = elo_estimate(self.counts)
        text = (f"won {self.wins}, drawn {self.draws}, lost {self.losses}; pairs score "
                f"{self.scores[-1]:.1%}")
        if math.isfinite(elo) and math.isfinite(width):
            text += f"; Elo {elo:+.1f} ± {width:.1f}"
        return text


def read_match(lines):
    match = None
    lines = list(lines)
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            if match is None:
                settings = record["settings"]
                match = Match([settings[key]["name"] for key in ("engine1", "engine2")])
            else:
                match.add(record["pair"], record["discs"])
        except (ValueError, KeyError, TypeError):
            if match and number == len(lines) and not line.endswith("\n"):
                break  # being written
            raise PlotError(f"line {number}: not a line of a results file of match.py") from None
    if not match or not match.games:
        raise PlotError("no pair of games is over yet")
    return match


def band(match):
    """Lower and upper end of the interval, 0 to 1; gaps where there is none yet."""
    return ([max(0, score - BAND * error) for score, error in zip(match.scores, match.errors)],
            [min(1, score + BAND * error) for score, error in zip(match.scores, match.errors)])


def limits(match):
    """Ends of the vertical axis: the later part of the band and the even score fit."""
    lower, upper = band(match)
    settled = len(match.games) // 10  # the first few pairs say little and swing far
    values = [0.5, match.scores[-1]]
    values += [v for v in match.scores[settled:] + lower[settled:] + upper[settled:]
               if not math.isnan(v)]
    margin = max(0.02, 0.08 * (max(values) - min(values)))
    return max(0, min(values) - margin), min(1, max(values) + margin)


def draw(match):
    figure, axes = open_figure()
    import numpy  # comes with matplotlib
    from matplotlib.ticker import PercentFormatter
    lower, upper = band(match)
    axes.axhline(0.5, color="#888888", linewidth=0.9, linestyle="--", zorder=1)
    axes.fill_between(match.games, lower, upper, color="#27608f", alpha=0.2, linewidth=0,
                      label="95 %", zorder=2)
    axes.plot(match.games, match.scores, color="#27608f", linewidth=1.6, zorder=3,
              label=f"score of {match.names[0]}", marker="." if len(match.games) == 1 else None)
    axes.set_xlim(0, match.games[-1])
    axes.set_ylim(*limits(match))
    axes.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
    axes.set_xlabel("games")
    axes.set_ylabel(f"score of {match.names[0]}")
    edge = 1e-3  # Elo is infinite at 0 and 100 %
    right = axes.secondary_yaxis("right", functions=(
        numpy.vectorize(lambda score: elo_of(min(max(score, edge), 1 - edge)), otypes=[float]),
        numpy.vectorize(score_of, otypes=[float])))
    right.set_ylabel("Elo")
    axes.legend(loc="best", frameon=False, fontsize=9)
    figure.suptitle(match.title(), fontsize=12)
    axes.set_title(match.subtitle(), fontsize=9.5, color="#444444")
    return figure


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", help="results file of match.py, or - for stdin")
    parser.add_argument("-o", "--output", required=True, metavar="FILE",
                        help="picture to write, .png or .svg")
    args = parser.parse_args(argv)
    try:
        save_figure(draw(read_lines(args.input, read_match)), args.output)
    except PlotError as error:
        sys.exit(f"plot_match.py: {error}")


if __name__ == "__main__":
    main()
