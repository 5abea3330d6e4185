#!/usr/bin/env python3
"""Draws the evaluation curve of a game from the output of `outflank analyze --json`."""
import argparse
import json
import sys

from plot_common import PlotError, open_figure, read_lines, save_figure

EPILOG = """\
examples
  annotate a game and draw it:
    outflank analyze f5d6c3d3c4f4f6f3 --level 10 --json | plot_game.py - -o game.png
  the third game of an annotated file, as SVG:
    plot_game.py games.jsonl --game 3 -o game.svg

The curve is Black's view in discs after each ply. The part whose values are the results under
best play is shaded. Triangles mark blunders with the move and what it cost.
Exit status: 0, 1 if the input cannot be used or matplotlib is absent, 2 wrong usage.
"""

KEYS = ("ply", "side", "played", "black_cd", "solved", "blunder", "loss_cd")


class Game:
    """The rows of one game, in order."""

    def __init__(self, rows):
        moves = [row for row in rows if row["played"] is not None]
        self.file, self.number = rows[0].get("file"), rows[0].get("number")
        self.summary = rows[-1].get("summary") or {}
        self.plies = [row["ply"] for row in moves]
        self.discs = [row["black_cd"] / 100 for row in moves]
        self.blunders = [(row["ply"], row["black_cd"] / 100, row["side"], row["played"],
                          row["loss_cd"] / 100) for row in moves if row["blunder"]]
        self.exact_from = self.summary.get("exact_from")
        if not self.summary:  # the analysis was interrupted
            for row in reversed(moves):
                if not row["solved"]:
                    break
                self.exact_from = row["ply"]

    def title(self):
        return f"game {self.number}" + (f" of {self.file}" if self.file else "")

    def subtitle(self):
        parts = []
        for side in ("black", "white"):
            if side in self.summary:
                part = self.summary[side]
                blunders = part["blunders"]
                parts.append(f"{side.capitalize()} lost {part['loss_cd'] / 100:g} discs, "
                             f"{blunders} blunder{'' if blunders == 1 else 's'}")
        if self.summary.get("result") is not None:
            parts.append(f"result {self.summary['result']:+d}")
        return "; ".join(parts) or "analysis not complete"


def read_games(lines):
    """The games among the rows; single positions are left out."""
    games, rows = [], []

    def close():
        if any(row["played"] is not None for row in rows):
            games.append(Game(rows))

    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            raise PlotError(f"line {number}: not JSON; made by 'outflank analyze --json'?") \
                from None
        missing = [key for key in KEYS if not isinstance(row, dict) or key not in row]
        if missing:
            raise PlotError(f"line {number}: no '{missing[0]}'; made by 'outflank analyze --json'?")
        if row["ply"] == 1:
            close()
            rows = []
        rows.append(row)
    if rows:
        close()
    return games


def choose(games, number):
    if not 1 <= number <= len(games):
        found = f"{len(games)} game{'' if len(games) == 1 else 's'}"
        raise PlotError(f"no game {number}: the input holds {found}")
    return games[number - 1]


def limits(game):
    """Ends of the vertical axis: the curve, its labels and the even line fit."""
    low, high = min(0, *game.discs), max(0, *game.discs)
    margin = max(4, 0.2 * (high - low))
    return low - margin, high + margin


def label_rows(blunders, near=6):
    """For each blunder how many labels of the same side, on plies near it, it must clear."""
    rows, last = [], {}
    for ply, _, side, _, _ in blunders:
        before = last.get(side)
        rows.append(1 - before[1] if before and ply - before[0] < near else 0)
        last[side] = (ply, rows[-1])
    return rows


def draw(game):
    figure, axes = open_figure()
    from matplotlib.patheffects import withStroke
    low, high = limits(game)
    last = game.plies[-1]
    axes.axhspan(0, high, color="#efefef", zorder=0)  # Black is ahead above
    axes.axhline(0, color="#888888", linewidth=0.8, zorder=1)
    if game.exact_from is not None:
        axes.axvspan(game.exact_from - 0.5, last + 0.5, color="#cfe3f5", alpha=0.7, zorder=1,
                     linewidth=0)
        below = game.discs[-1] > (low + high) / 2  # away from the curve
        axes.text(game.exact_from, low if below else high, "exact", color="#27608f",
                  va="bottom" if below else "top")
    axes.plot(game.plies, game.discs, color="#27608f", linewidth=1.6, marker=".", markersize=5,
              zorder=3)
    for (ply, discs, side, played, loss), row in zip(game.blunders, label_rows(game.blunders)):
        # Below the curve where Black loses, above it where White does.
        black = side == "black"
        axes.plot([ply], [discs], marker="v" if black else "^", markersize=9, linestyle="",
                  color="#202020" if black else "white", markeredgecolor="#c0392b",
                  markeredgewidth=1.5, zorder=5)
        axes.annotate(f"{played} −{round(loss, 1):g}", (ply, discs),
                      xytext=(0, (9 + 13 * row) * (-1 if black else 1)),
                      textcoords="offset points", ha="center", va="top" if black else "bottom",
                      color="#c0392b", fontsize=8.5, zorder=4,
                      path_effects=[withStroke(linewidth=3, foreground="white")])
    axes.set_xlim(0, max(last, 10) + 0.5)
    axes.set_ylim(low, high)
    axes.set_xlabel("ply")
    axes.set_ylabel("discs, Black's view")
    for middle, text in ((high / 2, "Black ahead"), (low / 2, "White ahead")):
        if abs(middle) > (high - low) / 8:
            axes.annotate(text, (1, middle), xycoords=("axes fraction", "data"), xytext=(4, 0),
                          textcoords="offset points", rotation=270, va="center", color="#666666",
                          fontsize=9)
    figure.suptitle(game.title(), fontsize=12)
    axes.set_title(game.subtitle(), fontsize=9.5, color="#444444")
    return figure


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", help="output of 'outflank analyze --json', or - for stdin")
    parser.add_argument("-o", "--output", required=True, metavar="FILE",
                        help="picture to write, .png or .svg")
    parser.add_argument("--game", type=int, default=1, metavar="N",
                        help="number of the game in the input, from 1 (default 1)")
    args = parser.parse_args(argv)
    try:
        game = choose(read_lines(args.input, read_games), args.game)
        save_figure(draw(game), args.output)
    except PlotError as error:
        sys.exit(f"plot_game.py: {error}")


if __name__ == "__main__":
    main()
