"""Engine processes and their protocols (UGI and GTP), for the referee match.py."""
import collections
import hashlib
import math
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time

from match_rules import BLACK, COLOUR_NAME, PASS, SQUARE, WHITE, SetupError


class Limit:
    """How long an engine may think: movetime MS, nodes N, depth N, level N, clock S[+I], none."""
    KINDS = ("movetime", "nodes", "depth", "level", "clock", "none")

    def __init__(self, kind, value=""):
        self.kind, self.text = kind, str(value)
        self.base = self.increment = self.value = 0
        try:
            if kind == "clock":
                base, _, increment = self.text.partition("+")
                self.base, self.increment = float(base), float(increment or 0)
                good = 0 < self.base < math.inf and 0 <= self.increment < math.inf
            elif kind == "none":
                good = not self.text
            else:
                self.value = int(self.text)
                good = kind in self.KINDS and self.value >= (0 if kind == "level" else 1)
        except ValueError:
            good = False
        if not good:
            raise SetupError(f"wrong limit: {self}")

    def __str__(self):
        return f"{self.kind}={self.text}" if self.text else self.kind

    @classmethod
    def parse(cls, text):
        kind, _, value = text.partition("=")
        return cls(kind, value)


class Clock:
    """One side's time in one game."""

    def __init__(self, limit, margin, move_timeout):
        self.limit, self.margin, self.move_timeout = limit, margin, move_timeout
        self.left = limit.base

    def allowance(self):
        """Seconds after which the side to move has lost on time."""
        if self.limit.kind == "clock":
            return self.left + self.margin
        if self.limit.kind == "movetime":
            return self.limit.value / 1000 + self.margin
        return self.move_timeout

    def charge(self, seconds):
        if self.limit.kind == "clock":
            self.left = max(0.0, self.left - seconds) + self.limit.increment


class EngineFault(Exception):
    """An engine's fault during a game; the engine forfeits."""
    KINDS = ("illegal", "dead", "malformed", "time")

    def __init__(self, engine, kind, text):
        super().__init__(text)
        self.engine, self.kind = engine, kind


class ProcessTable:
    """All running engine processes, so that none is left behind."""

    def __init__(self, stderr=None):
        self.lock, self.running, self.stopped = threading.Lock(), set(), False
        self.stderr = stderr or subprocess.DEVNULL

    def spawn(self, command):
        with self.lock:  # under the lock: nothing starts once stop() has run
            if self.stopped:
                raise SetupError("stopped")
            try:
                # A session of its own: Ctrl-C reaches the referee alone, and the
                # engine can be killed together with any children it has.
                child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=self.stderr, start_new_session=True)
            except OSError as error:
                raise SetupError(f"cannot start {command[0]}: {error.strerror}") from None
            self.running.add(child)
            return child

    def kill(self, child):
        with self.lock:
            if child in self.running:
                self.running.remove(child)
                self._kill(child)

    def stop(self):
        with self.lock:
            self.stopped = True
            while self.running:
                self._kill(self.running.pop())

    @staticmethod
    def _kill(child):
        try:
            os.killpg(child.pid, signal.SIGKILL)  # not yet reaped, so the id is still ours
        except ProcessLookupError:
            pass
        child.wait()


class EngineProcess:
    """Lines to and from one engine, with deadlines."""
    LONGEST_LINE = 1 << 20

    def __init__(self, number, command, table):
        self.number, self.table = number, table
        self.child = table.spawn(shlex.split(command))
        self.buffer, self.lines, self.ended = b"", collections.deque(), False

    def fault(self, kind, text):
        return EngineFault(self.number, kind, text)

    def send(self, line):
        try:
            self.child.stdin.write(line.encode() + b"\n")
            self.child.stdin.flush()
        except OSError:
            self.ended = True
            raise self.fault("dead", f"the process ended before {line!r}") from None

    def pump(self, seconds):
        """Waits for output and takes it in; False if there was none."""
        if self.ended or not select.select([self.child.stdout], [], [], max(0.0, seconds))[0]:
            return False
        data = os.read(self.child.stdout.fileno(), 65536)
        self.ended = not data
        *whole, self.buffer = (self.buffer + data).split(b"\n")
        self.lines.extend(line.decode("utf-8", "replace").strip() for line in whole)
        return True

    def read_line(self, deadline):
        """The next line; what has come in by now counts as in time, were we late to look."""
        while not self.lines:
            if self.ended:
                raise self.fault("dead", "the process ended")
            if len(self.buffer) > self.LONGEST_LINE:
                raise self.fault("malformed", "endless line")
            left = deadline - time.monotonic()
            if not self.pump(left) and left <= 0:
                raise self.fault("time", "no answer in time")
        if time.monotonic() > deadline + 1:  # a flood of lines that are no answer
            raise self.fault("time", "no answer in time")
        return self.lines.popleft()

    def alive(self):
        """Whether the process still runs; takes in what it wrote since."""
        for _ in range(100):
            if not self.pump(0):
                break
        return not self.ended

    def close(self, grace=1.0):
        """Asks the engine to quit, then kills what is left of it."""
        try:
            self.send("quit")
            self.child.stdin.close()
            deadline = time.monotonic() + grace
            while not self.ended and time.monotonic() < deadline:
                self.pump(deadline - time.monotonic())
        except (EngineFault, OSError):
            pass
        self.kill()

    def kill(self):
        self.table.kill(self.child)
        for pipe in (self.child.stdin, self.child.stdout):
            try:
                pipe.close()
            except OSError:
                pass


class EngineSpec:
    """What the user asked of one engine."""

    def __init__(self, number, args):
        def of(name):
            return getattr(args, f"{name}{number}")
        self.number, self.command, self.proto = number, of("engine"), of("proto")
        self.options, self.init, self.passes = of("setoption"), of("init"), of("passes")
        words = shlex.split(self.command)
        if not words:
            raise SetupError(f"--engine{number} is empty")
        self.name = of("name") or f"{os.path.basename(words[0])}-{number}"
        self.limit = Limit.parse(of("limit")) if of("limit") else args.limit
        if self.limit is None:
            raise SetupError(f"engine {number} has no limit (--movetime, --nodes, …)")

    def settings(self):
        """Everything that makes this engine what it is, contents of its files included."""
        words = shlex.split(self.command)
        words[0] = shutil.which(words[0]) or words[0]
        words += [option.partition("=")[2] for option in self.options]
        files = {word: file_digest(word) for word in words if os.path.isfile(word)}
        return {"name": self.name, "command": self.command, "proto": self.proto,
                "options": self.options, "init": self.init, "passes": self.passes,
                "limit": str(self.limit), "files": files}


def file_digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


Reply = collections.namedtuple("Reply", "move seconds nodes depth")


class Player:
    """An engine in one protocol. Faults during a game are raised as EngineFault."""
    PASSES = "send"

    def __init__(self, spec, process, patience):
        self.spec, self.process, self.patience = spec, process, patience
        self.sends_passes = (spec.passes or self.PASSES) == "send"

    def soon(self):
        return time.monotonic() + self.patience

    def setup_error(self, text):
        return SetupError(f"engine {self.spec.number} ({self.spec.name}): {text}")

    def reply(self, move, began, info):
        move = move.lower()
        if move != PASS and not SQUARE.match(move):
            raise self.process.fault("malformed", f"{move!r} is not a move")
        return Reply(move, time.monotonic() - began, info.get("nodes"), info.get("depth"))


class UgiPlayer(Player):
    """UGI: the whole game is sent before each move, so the player only keeps the moves."""

    def handshake(self):
        if self.spec.limit.kind == "none":
            raise self.setup_error("a UGI engine needs a limit")
        for option in self.spec.options:
            name, equals, value = option.partition("=")
            self.process.send(f"setoption name {name}" + (f" value {value}" if equals else ""))
        for line in self.spec.init:
            self.process.send(line)
        for line in self.is_ready():
            # With the option or line refused, another engine than the one asked for would play.
            if line.split()[:1] == ["error"]:
                raise self.setup_error(line)

    def is_ready(self):
        """Waits for the engine; the lines that it wrote before."""
        self.process.send("isready")
        deadline, lines = self.soon(), []
        while (line := self.process.read_line(deadline)) != "readyok":
            lines.append(line)
        return lines

    def new_game(self):
        self.moves = []
        self.process.send("uginewgame")
        self.is_ready()

    def observe(self, colour, move, own):
        if move != PASS or self.sends_passes:
            self.moves.append(move)

    def choose(self, colour, clocks):
        moves = " moves " + " ".join(self.moves) if self.moves else ""
        self.process.send("position startpos" + moves)
        began, info = time.monotonic(), {}
        deadline = began + clocks[colour].allowance()
        self.process.send(self.go(colour, clocks))
        while True:
            words = self.process.read_line(deadline).split()
            if words[:1] == ["bestmove"]:
                if len(words) != 2:
                    raise self.process.fault("malformed", f"reply {' '.join(words)!r}")
                return self.reply(words[1], began, info)
            if words[:1] == ["info"]:
                for key, value in zip(words, words[1:]):
                    if key in ("nodes", "depth") and re.fullmatch(r"[0-9]{1,18}", value):
                        info[key] = int(value)
                    elif key in ("string", "pv"):
                        break

    def go(self, colour, clocks):
        limit = self.spec.limit
        if limit.kind != "clock":
            return f"go {limit.kind} {limit.value}"
        # An opponent without a clock is shown as having our own time.
        black, white = (clocks[c] if clocks[c].limit.kind == "clock" else clocks[colour]
                        for c in (BLACK, WHITE))
        times = (black.left, white.left, black.limit.increment, white.limit.increment)
        return "go p1time {} p2time {} p1inc {} p2inc {}".format(*(int(t * 1000) for t in times))


class GtpPlayer(Player):
    """GTP: the engine keeps the board; forced passes are not sent unless asked for."""
    PASSES = "skip"

    def handshake(self):
        if self.spec.options:
            raise self.setup_error("GTP has no setoption; use --init")
        self.time_settings = self.translate(self.spec.limit)
        if not self.command("name", self.soon())[0]:
            raise self.setup_error("does not answer the GTP command name")
        self.command("boardsize 8", self.soon())
        commands = list(self.spec.init)
        if self.spec.limit.kind == "level":
            commands.append(f"set_level {self.spec.limit.value}")
        if self.time_settings:
            commands.append(self.time_settings)
        for command in commands:
            good, text = self.command(command, self.soon())
            if not good:
                raise self.setup_error(f"refuses {command!r}: {text} (if it takes its limit "
                                       f"elsewhere, use --limit{self.spec.number} none)")

    def translate(self, limit):
        """The time_settings command for a limit, None if there is none to send."""
        if limit.kind in ("none", "level"):
            return None
        if limit.kind == "movetime" and limit.value % 1000 == 0:
            return f"time_settings 0 {limit.value // 1000} 1"
        if limit.kind == "clock" and limit.base % 1 == 0 == limit.increment % 1:
            return f"time_settings {limit.base:.0f} {limit.increment:.0f} 0"
        raise self.setup_error(
            f"{limit} cannot be said in GTP (whole seconds of movetime or clock, or level); "
            f"give this engine a limit of its own with --limit{self.spec.number}")

    def command(self, line, deadline):
        """Sends a command; (True if accepted, text of the answer)."""
        self.process.send(line)
        answer = self.process.read_line(deadline)
        while not answer or answer.startswith("#"):
            answer = self.process.read_line(deadline)
        if answer[0] not in "=?":
            raise self.process.fault("malformed", f"reply {answer!r} to {line!r}")
        text = [answer[1:].strip()]
        while (more := self.process.read_line(deadline)):
            text.append(more)
        return answer[0] == "=", "\n".join(text).strip()

    def must(self, line):
        good, text = self.command(line, self.soon())
        if not good:
            raise self.process.fault("malformed", f"refuses {line!r}: {text}")

    def new_game(self):
        self.must("clear_board")
        if self.time_settings:
            self.must(self.time_settings)

    def observe(self, colour, move, own):
        if not own and (move != PASS or self.sends_passes):
            self.must(f"play {COLOUR_NAME[colour]} {move}")

    def choose(self, colour, clocks):
        if self.time_settings:
            for side, clock in clocks.items():
                clock = clock if clock.limit.kind == self.spec.limit.kind else clocks[colour]
                left = (f"{int(clock.left)} 0" if clock.limit.kind == "clock"
                        else f"{clock.limit.value // 1000} 1")
                self.command(f"time_left {COLOUR_NAME[side]} {left}", self.soon())
        began = time.monotonic()
        good, text = self.command(f"genmove {COLOUR_NAME[colour]}",
                                  began + clocks[colour].allowance())
        if not good:
            raise self.process.fault("malformed", f"refuses genmove: {text}")
        return self.reply(text, began, {})


def start_player(spec, table, patience):
    """Starts an engine, finds out its protocol if need be, and sets it up."""
    process = EngineProcess(spec.number, spec.command, table)
    try:
        kind, deadline = GtpPlayer, time.monotonic() + patience
        if spec.proto != "gtp":
            process.send("ugi")
            while True:
                line = process.read_line(deadline)
                if line == "ugiok":
                    kind = UgiPlayer
                    break
                if spec.proto == "auto" and line[:1] in ("?", "="):  # a GTP engine's refusal
                    break
        player = kind(spec, process, patience)
        player.handshake()
        return player
    except EngineFault as fault:
        process.kill()
        raise SetupError(f"engine {spec.number} ({spec.name}) cannot be set up: {fault}") from None
    except BaseException:
        process.kill()
        raise
