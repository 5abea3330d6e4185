#!/usr/bin/env python3
"""Referee: plays two Othello engines against each other in paired games.

Each opening is played twice with colours swapped (a pair). Statistics treat the pair as
the unit of observation, since the two games of a pair are not independent.
"""
import argparse
import collections
import json
import math
import os
import queue
import signal
import sys
import threading
import time

from match_engines import (Clock, EngineFault, EngineSpec, Limit, ProcessTable, file_digest,
                           start_player)
from match_rules import BLACK, COLOUR_NAME, PASS, WHITE, Board, SetupError, choose_openings
from match_stats import Moments, Sprt, elo_estimate

EPILOG = """\
examples
  two sets of weights, 200 pairs, 100 ms a move, stop as soon as SPRT decides:
    match.py --engine1 './outflank' --setoption1 Weights=new.bin --name1 new \\
             --engine2 './outflank' --setoption2 Weights=old.bin --name2 old \\
             --openings shared/data/openings-xot.txt --pairs 200 --movetime 100 \\
             --sprt 0,10 --concurrency 2 --out new-old.jsonl
  go on after an interruption: the same command with --resume.
  against GRhino (GTP, strength by its own -l option), our engine at level 4:
    match.py --engine1 ./outflank --limit1 level=4 \\
             --engine2 '/usr/games/gtp-rhino -l 3' --proto2 gtp --limit2 none \\
             --openings shared/data/openings-xot.txt --pairs 20
  one minute a game plus one second a move:
    match.py --engine1 ./a --engine2 ./b --openings xot.txt --pairs 50 --clock 60+1

A game lost by an illegal move, a dead process, a malformed reply or on time is a forfeit:
it counts as a loss by 64 discs and is listed separately in the report.
Exit status: 0 match complete (or decided by SPRT), 1 an engine could not be set up,
2 wrong usage, 128+signal when interrupted (the results so far are kept and reported).
"""


Job = collections.namedtuple("Job", "pair game opening black")  # black: number of the engine


class Usage:
    """What one engine spent in a game or a match."""
    FIELDS = ("moves", "seconds", "longest", "nodes", "nodes_moves", "depth", "depth_moves")

    def __init__(self):
        self.__dict__.update(dict.fromkeys(self.FIELDS, 0))

    def add_reply(self, reply):
        self.moves += 1
        self.seconds += reply.seconds
        self.longest = max(self.longest, reply.seconds)
        for key, value in (("nodes", reply.nodes), ("depth", reply.depth)):
            if value is not None:
                setattr(self, key, getattr(self, key) + value)
                setattr(self, key + "_moves", getattr(self, key + "_moves") + 1)

    def add_record(self, record):
        for key in self.FIELDS:
            old = getattr(self, key)
            setattr(self, key, max(old, record[key]) if key == "longest" else old + record[key])

    def record(self):
        return {key: round(getattr(self, key), 4) for key in self.FIELDS}

    def summary(self):
        def mean(total, count):
            return total / count if count else None
        return {"moves": self.moves, "seconds_per_move": mean(self.seconds, self.moves),
                "longest_move": self.longest, "nodes_per_move": mean(self.nodes, self.nodes_moves),
                "depth": mean(self.depth, self.depth_moves)}


class Game:
    """One game between two players, judged move by move."""

    def __init__(self, job, players, margin, move_timeout):
        self.job, self.board, self.moves = job, Board(), []
        self.sides = {BLACK: players[job.black], WHITE: players[3 - job.black]}
        self.clocks = {colour: Clock(player.spec.limit, margin, move_timeout)
                       for colour, player in self.sides.items()}
        self.usage = {1: Usage(), 2: Usage()}

    def play(self):
        """Plays the game to its end and returns its record."""
        end, loser, detail = "normal", None, ""
        try:
            for player in self.sides.values():
                player.new_game()
            for move in self.job.opening:
                if self.board.must_pass():
                    self.apply(PASS)
                self.apply(move)
            while not self.board.over():
                self.ply()
            discs = self.board.result() * (1 if self.job.black == 1 else -1)
        except EngineFault as fault:
            end, loser, detail = fault.kind, fault.engine, str(fault)
            discs = -64 if loser == 1 else 64
        return {"pair": self.job.pair, "game": self.job.game,
                "opening": "".join(self.job.opening), "black": self.job.black,
                "moves": "".join(self.moves), "discs": discs, "end": end, "loser": loser,
                "detail": detail, "engine1": self.usage[1].record(),
                "engine2": self.usage[2].record()}

    def ply(self):
        colour = self.board.side
        player = self.sides[colour]
        forced = self.board.must_pass()
        if forced and not player.sends_passes:
            self.apply(PASS)
            return
        reply = player.choose(colour, self.clocks)
        if not forced:
            self.clocks[colour].charge(reply.seconds)
            self.usage[player.spec.number].add_reply(reply)
        if reply.move not in (self.board.moves() or [PASS]):
            raise player.process.fault("illegal", f"{COLOUR_NAME[colour]} played {reply.move}")
        self.apply(reply.move, player)

    def apply(self, move, author=None):
        colour = self.board.side
        self.board.play(move)
        if move != PASS:
            self.moves.append(move)
        for player in self.sides.values():
            player.observe(colour, move, player is author)


class Tally:
    """Results of the match so far, from engine 1's view."""

    def __init__(self):
        self.wins = self.draws = self.losses = 0
        self.discs, self.pair_discs = Moments(), Moments()
        self.pairs, self.waiting = [0] * 5, {}  # waiting: discs of pairs with one game
        self.forfeits = {1: collections.Counter(), 2: collections.Counter()}
        self.usage = {1: Usage(), 2: Usage()}

    def add(self, record):
        discs, pair = record["discs"], record["pair"]
        self.wins, self.draws, self.losses = (
            self.wins + (discs > 0), self.draws + (discs == 0), self.losses + (discs < 0))
        self.discs.add(discs)
        if record["loser"]:
            self.forfeits[record["loser"]][record["end"]] += 1
        for number in (1, 2):
            self.usage[number].add_record(record[f"engine{number}"])
        if pair in self.waiting:
            both = (discs, self.waiting.pop(pair))
            self.pairs[sum(1 + (d > 0) - (d < 0) for d in both)] += 1
            self.pair_discs.add(sum(both) / 2)
        else:
            self.waiting[pair] = discs

    def games(self):
        return self.wins + self.draws + self.losses

    def score(self):
        return (self.wins + self.draws / 2) / self.games() if self.games() else math.nan


class ResultsFile:
    """One JSON line of settings, then one JSON line a game; written line by line."""

    def __init__(self, path, settings, resume):
        self.records = []
        if os.path.exists(path) and os.path.getsize(path):
            if not resume:
                raise SetupError(f"{path} exists; use --resume or another file")
            self.read(path, settings)
            self.file = open(path, "ab")
        else:
            self.file = open(path, "ab")
            self.write({"settings": settings})

    def read(self, path, settings):
        with open(path, "r+b") as file:
            data = file.read()
            whole = data[:data.rfind(b"\n") + 1]
            try:
                header, *self.records = [json.loads(line) for line in whole.splitlines()]
                theirs = header["settings"]
            except (ValueError, KeyError, TypeError):
                raise SetupError(f"{path} is not a results file of this program") from None
            file.truncate(len(whole))  # a line cut short by a crash is played again
        differing = [key for key in settings if theirs.get(key) != settings[key]]
        if differing:
            raise SetupError(f"{path} was played with other settings: " + "; ".join(
                f"{key} {theirs.get(key)} there, {settings[key]} now" for key in differing))

    def write(self, record):
        self.file.write(json.dumps(record).encode() + b"\n")
        self.file.flush()


class Worker(threading.Thread):
    """Plays games one after another with its own pair of engine processes."""

    def __init__(self, match):
        super().__init__(daemon=True)
        self.match, self.players = match, {}

    def run(self):
        try:
            while not self.match.table.stopped:
                job = self.match.jobs.get_nowait()
                for number in (1, 2):
                    self.prepare(number)
                record = Game(job, self.players, self.match.args.margin / 1000,
                              self.match.args.move_timeout).play()
                if record["loser"]:
                    if self.match.table.stopped:  # killed by us: no game
                        break
                    self.players.pop(record["loser"]).process.kill()
                self.match.results.put(record)
        except queue.Empty:
            pass
        except Exception as error:  # handed to the main thread, which ends the match
            self.match.results.put(error)
        finally:
            for player in self.players.values():
                player.process.close()

    def prepare(self, number):
        player = self.players.get(number)
        if player and not player.process.alive():
            self.match.say(f"{player.spec.name}: the process ended between games; restarted")
            player.process.kill()
            player = None
        if not player:
            self.players.pop(number, None)
            self.players[number] = start_player(self.match.specs[number], self.match.table,
                                                self.match.args.start_timeout)


class Match:
    """The whole match: hands out games, gathers results, decides when to stop."""

    def __init__(self, args):
        self.args = args
        self.specs = {number: EngineSpec(number, args) for number in (1, 2)}
        self.sprt = args.sprt and Sprt(*args.sprt, args.alpha, args.beta, args.sprt_model)
        openings = choose_openings(args.openings, args.pairs, args.seed)
        self.total = 2 * len(openings)
        self.tally, self.shown = Tally(), 0.0
        self.verdict = self.signal = self.error = None  # reasons to stop
        self.out = ResultsFile(args.out, self.settings(), args.resume) if args.out else None
        done = {}
        for record in self.out.records if self.out else []:
            done[record["pair"], record["game"]] = record["opening"]
            self.account(record)
        self.jobs, self.results = queue.Queue(), queue.Queue()
        for pair, opening in enumerate(openings):
            for game in (0, 1):
                if done.get((pair, game), "".join(opening)) != "".join(opening):
                    raise SetupError(f"{args.out}: pair {pair} has another opening")
                if (pair, game) not in done:
                    self.jobs.put(Job(pair, game, opening, 1 + game))
        stderr = open(args.engine_stderr, "ab") if args.engine_stderr else None
        self.table = ProcessTable(stderr)

    def close(self):
        for file in (self.out and self.out.file, self.args.engine_stderr and self.table.stderr):
            if file:
                file.close()

    def settings(self):
        args = self.args
        return {"engine1": self.specs[1].settings(), "engine2": self.specs[2].settings(),
                "openings": file_digest(args.openings), "seed": args.seed,
                "margin": args.margin, "move_timeout": args.move_timeout,
                "sprt": self.sprt and [*args.sprt, args.alpha, args.beta, args.sprt_model]}

    def account(self, record):
        self.tally.add(record)
        if self.sprt and not self.verdict:
            self.verdict = self.sprt.verdict(self.tally.pairs)

    def run(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:  # nohup stays in force
                signal.signal(number, self.interrupt)
        workers = [Worker(self) for _ in range(self.args.concurrency)] if not self.verdict else []
        try:
            for worker in workers:
                worker.start()
            while not (self.signal or self.verdict or self.error):
                running = any(worker.is_alive() for worker in workers)
                try:
                    self.take(self.results.get(timeout=0.1))
                except queue.Empty:
                    if not running:
                        break
        finally:
            self.table.stop()
            for worker in workers:
                worker.join(5)
        while not self.results.empty():  # games that ended while we were stopping
            self.take(self.results.get())
        self.progress(last=True)
        if self.error and not (self.signal or self.verdict):
            raise self.error

    def interrupt(self, number, _frame):
        self.signal = number

    def take(self, record):
        if isinstance(record, Exception):
            self.error = self.error or record
            return
        if self.out:
            self.out.write(record)
        self.account(record)
        if record["loser"]:
            self.say(f"FORFEIT ({record['end']}): {self.specs[record['loser']].name} loses game "
                     f"{record['game']} of pair {record['pair']} (opening {record['opening']}, "
                     f"{len(record['moves']) // 2} moves played): {record['detail']}")
        self.progress()

    def say(self, text):
        print(("\r\033[K" if sys.stderr.isatty() else "") + text, file=sys.stderr, flush=True)

    def progress(self, last=False):
        tty, now = sys.stderr.isatty(), time.monotonic()
        due = now - self.shown >= (0.2 if tty else self.args.progress)
        if not self.tally.games() or not (due or last):
            return
        self.shown, tally = now, self.tally
        elo, width = elo_estimate(tally.pairs)
        line = (f"{tally.games()}/{self.total} games  +{tally.wins} ={tally.draws} "
                f"-{tally.losses}  {show(tally.score(), '.1%')}  discs "
                f"{show(tally.discs.mean(), '+.2f')}  Elo {show(elo, '+.1f')} ± "
                f"{show(width, '.1f')}")
        if self.sprt:
            line += f"  LLR {self.sprt.llr(tally.pairs):+.2f}"
        print(("\r\033[K" if tty else "") + line, end="" if tty and not last else "\n",
              file=sys.stderr, flush=True)

    # -------------------------------------------------------------- report

    def report(self):
        """The result as a dictionary for JSON; values not known are None."""
        tally = self.tally
        elo, width = elo_estimate(tally.pairs)
        sprt = self.sprt and {
            "elo0": self.sprt.elo0, "elo1": self.sprt.elo1, "model": self.sprt.model,
            "alpha": self.args.alpha, "beta": self.args.beta, "llr": self.sprt.llr(tally.pairs),
            "lower": self.sprt.lower, "upper": self.sprt.upper, "verdict": self.verdict}
        engines = [{"name": spec.name, "limit": str(spec.limit), **tally.usage[number].summary(),
                    "forfeits": {kind: tally.forfeits[number][kind] for kind in EngineFault.KINDS}}
                   for number, spec in self.specs.items()]
        return finite({
            "games": tally.games(), "games_planned": self.total, "wins": tally.wins,
            "draws": tally.draws, "losses": tally.losses, "score": tally.score(),
            "discs": tally.discs.mean(), "discs_error": tally.discs.error(),
            "pairs": sum(tally.pairs), "pair_counts": tally.pairs,
            "pair_discs": tally.pair_discs.mean(), "pair_discs_error": tally.pair_discs.error(),
            "elo": elo, "elo_95": width, "sprt": sprt, "engines": engines,
            "interrupted": self.signal and signal.Signals(self.signal).name})

    def report_text(self):
        data = self.report()
        first, second = data["engines"]
        lines = [
            f"{first['name']} against {second['name']}: {data['games']} of "
            f"{data['games_planned']} games"
            + (f", interrupted by {data['interrupted']}" if data["interrupted"] else ""),
            f"won {data['wins']}, drawn {data['draws']}, lost {data['losses']}: "
            f"score {show(data['score'], '.2%')}",
            f"discs a game {show(data['discs'], '+.3f')} ± {show(data['discs_error'], '.3f')} "
            f"(s.e. by game)",
            f"discs a game {show(data['pair_discs'], '+.3f')} ± "
            f"{show(data['pair_discs_error'], '.3f')} (s.e. by pair, {data['pairs']} pairs)",
            f"pairs scoring 0, ½, 1, 1½, 2: {', '.join(map(str, data['pair_counts']))}",
            f"Elo {show(data['elo'], '+.1f')} ± {show(data['elo_95'], '.1f')} (95 %, from pairs)"]
        if (sprt := data["sprt"]):
            meaning = {"H1": f"H1 accepted: Elo is {sprt['elo1']:g} rather than {sprt['elo0']:g}",
                       "H0": f"H0 accepted: Elo is {sprt['elo0']:g} rather than {sprt['elo1']:g}",
                       None: "undecided"}
            lines.append(f"SPRT {sprt['elo0']:g},{sprt['elo1']:g} ({sprt['model']}): LLR "
                         f"{sprt['llr']:+.2f} in ({sprt['lower']:.2f}, {sprt['upper']:.2f}): "
                         + meaning[sprt["verdict"]])
        for engine in data["engines"]:
            lines.append(
                f"{engine['name']} ({engine['limit']}): forfeits "
                + ", ".join(f"{kind} {count}" for kind, count in engine["forfeits"].items())
                + f"; {engine['moves']} moves, {show(engine['seconds_per_move'], '.3f', ' s')} a "
                f"move, longest {engine['longest_move']:.3f} s, "
                f"{show(engine['nodes_per_move'], ',.0f')} nodes a move, "
                f"depth {show(engine['depth'], '.1f')}")
        return "\n".join(lines)


def show(value, form, unit=""):
    """A number as text; "-" if there is none yet."""
    return "-" if value is None or math.isnan(value) else format(value, form) + unit


def finite(value):
    """The same structure with infinities and NaN, which JSON lacks, replaced by None."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def parse_arguments(argv):
    parser = argparse.ArgumentParser(
        description="Play two Othello engines against each other in paired games.",
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    for number in "12":
        group = parser.add_argument_group(f"engine {number}")
        add = group.add_argument
        add(f"--engine{number}", required=True, metavar="CMD", help="command line of the engine")
        add(f"--name{number}", metavar="NAME")
        add(f"--proto{number}", choices=("ugi", "gtp", "auto"), default="auto")
        add(f"--limit{number}", metavar="KIND=VALUE",
            help="a limit of its own, e.g. level=4, clock=60+1, none (GTP only)")
        add(f"--setoption{number}", metavar="NAME=VALUE", action="append", default=[],
            help="UGI option; may be repeated")
        add(f"--init{number}", metavar="LINE", action="append", default=[],
            help="line sent as it is after the start; may be repeated")
        add(f"--passes{number}", f"--gtp-passes{number}", choices=("send", "skip"),
            help="tell the engine of forced passes and ask it for its own, or never mention "
                 "them (default: send for UGI, skip for GTP)")
    add = parser.add_argument_group("match").add_argument
    add("--openings", required=True, metavar="FILE", help="one transcript a line, e.g. XOT")
    add("--pairs", type=int, metavar="N", help="openings to play (default: all of the file)")
    add("--seed", type=int, default=1, metavar="S", help="choice of openings (default 1)")
    add("--concurrency", type=int, default=1, metavar="N", help="games at once (default 1)")
    add("--margin", type=int, default=200, metavar="MS",
        help="overstep of movetime or clock that is forgiven (default 200)")
    add("--move-timeout", type=float, default=60, metavar="SECONDS",
        help="a move is lost on time after this under limits without a time (default 60)")
    add("--start-timeout", type=float, default=30, metavar="SECONDS",
        help="for every answer outside thinking, e.g. readyok (default 30)")
    limits = parser.add_argument_group("limit for both engines").add_mutually_exclusive_group()
    for kind, form in (("movetime", "MS"), ("nodes", "N"), ("depth", "N"), ("level", "N"),
                       ("clock", "SECONDS[+INCREMENT]")):
        limits.add_argument(f"--{kind}", metavar=form)
    add = parser.add_argument_group("results").add_argument
    add("--out", metavar="FILE", help="append each finished game as a JSON line")
    add("--resume", action="store_true", help="skip the games already in --out")
    add("--json", action="store_true", help="final report as JSON")
    add("--progress", type=float, default=10, metavar="SECONDS",
        help="between progress lines where stderr is not a terminal (default 10)")
    add("--engine-stderr", metavar="FILE", help="keep what the engines write to stderr")
    add("--sprt", metavar="ELO0,ELO1", help="stop when the test is decided")
    add("--sprt-model", choices=("normalised", "logistic"), default="normalised",
        help="meaning of ELO0 and ELO1 (default normalised)")
    add("--alpha", type=float, default=0.05, help="chance of a false H1 (default 0.05)")
    add("--beta", type=float, default=0.05, help="chance of a false H0 (default 0.05)")
    args = parser.parse_args(argv)
    if args.sprt:
        try:
            args.sprt = [float(part) for part in args.sprt.split(",")]
            elo0, elo1 = args.sprt
            if not elo0 < elo1:
                raise ValueError
        except ValueError:
            parser.error("--sprt wants two numbers ELO0,ELO1 with ELO0 < ELO1")
    if not (0 < args.alpha < 0.5 and 0 < args.beta < 0.5):
        parser.error("--alpha and --beta must be between 0 and 0.5")
    if args.concurrency < 1 or args.pairs is not None and args.pairs < 1:
        parser.error("--concurrency and --pairs must be at least 1")
    if args.resume and not args.out:
        parser.error("--resume needs --out")
    given = [(kind, getattr(args, kind)) for kind in Limit.KINDS if getattr(args, kind, None)]
    args.limit = Limit(*given[0]) if given else None
    return args


def main(argv=None):
    try:
        args = parse_arguments(argv)
        match = Match(args)
    except (SetupError, OSError, ValueError) as error:
        print(f"match.py: {error}", file=sys.stderr)
        return 2
    status = 0
    try:
        match.run()
    except SetupError as error:
        print(f"match.py: {error}", file=sys.stderr)
        status = 1
        if not match.tally.games():
            return status
    finally:
        match.close()
    print(json.dumps(match.report()) if args.json else match.report_text())
    return 128 + match.signal if match.signal else status


if __name__ == "__main__":
    sys.exit(main())
