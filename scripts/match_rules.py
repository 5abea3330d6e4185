"""Rules of Othello and transcripts, for the referee match.py."""
import collections
import random
import re

BLACK, WHITE, EMPTY = "X", "O", "-"
COLOUR_NAME = {BLACK: "black", WHITE: "white"}
PASS = "pass"
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
SQUARE = re.compile(r"[a-h][1-8]\Z")


def other(colour):
    return WHITE if colour == BLACK else BLACK


class Board:
    """An Othello position: slow and plain on purpose, as it judges the engines."""

    def __init__(self):
        self.discs = {x + y: EMPTY for y in "12345678" for x in "abcdefgh"}
        self.discs.update(d4=WHITE, e5=WHITE, d5=BLACK, e4=BLACK)
        self.side = BLACK

    def flips(self, square, colour):
        """The discs turned if `colour` plays on `square`; none means the move is illegal."""
        if self.discs[square] != EMPTY:
            return []
        turned = []
        for dx, dy in DIRECTIONS:
            line, x, y = [], ord(square[0]) + dx, ord(square[1]) + dy
            while self.discs.get(chr(x) + chr(y)) == other(colour):
                line.append(chr(x) + chr(y))
                x, y = x + dx, y + dy
            if self.discs.get(chr(x) + chr(y)) == colour:
                turned += line
        return turned

    def moves(self, colour=None):
        """Squares where the side to move (or `colour`) can play."""
        colour = colour or self.side
        return [square for square in self.discs if self.flips(square, colour)]

    def must_pass(self):
        return not self.moves() and bool(self.moves(other(self.side)))

    def over(self):
        return not self.moves() and not self.moves(other(self.side))

    def play(self, move):
        """Plays a move, or a pass if it is forced; ValueError if illegal."""
        if move == PASS:
            if not self.must_pass():
                raise ValueError("illegal pass")
        else:
            turned = self.flips(move, self.side) if SQUARE.match(move) else []
            if not turned:
                raise ValueError(f"illegal move {move}")
            for square in [move] + turned:
                self.discs[square] = self.side
        self.side = other(self.side)

    def result(self):
        """Black's discs minus White's, the empties counted for the winner."""
        count = collections.Counter(self.discs.values())
        lead = count[BLACK] - count[WHITE]
        return lead + (count[EMPTY] if lead > 0 else -count[EMPTY] if lead < 0 else 0)


class SetupError(Exception):
    """The match cannot be played as asked; the message is for the user."""


PASS_WORDS = ("pass", "pa", "ps", "--", "@@@@", "0000")
TOKEN = re.compile(r"[a-h][1-8]|pass|pa|ps|--|@@@@|0000|\b\d+\.?|\s+", re.IGNORECASE)


def parse_transcript(text):
    """Moves of a transcript without its passes; checks every move. ValueError if wrong.

    Any case, blanks and numbers between the moves; passes may stand there or be missing.
    """
    text = re.sub(r"^\s*startpos(\s+moves)?\b", "", text)
    board, moves, at = Board(), [], 0
    while at < len(text):
        token = TOKEN.match(text, at)
        if not token:
            raise ValueError(f"not a transcript at {text[at:at + 10]!r}")
        at = token.end()
        move = token.group().lower()
        if SQUARE.match(move):
            if board.must_pass():
                board.play(PASS)
            board.play(move)
            moves.append(move)
        elif move in PASS_WORDS:
            board.play(PASS)
    if board.over():
        raise ValueError("the game is already over")
    return moves


def read_openings(path):
    """The distinct openings of a file, one a line; blank lines and # or % lines are skipped."""
    found = {}
    # Bytes that are no text make lines that are no transcripts, reported with their place.
    with open(path, encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if line and line[0] not in "#%":
                found.setdefault(line.lower(), number)
    if not found:
        raise SetupError(f"{path}: no openings")
    return list(found), found


def choose_openings(path, pairs, seed):
    """A sample without repetition; a larger `pairs` with the same seed extends a smaller one."""
    lines, numbers = read_openings(path)
    random.Random(seed).shuffle(lines)
    if pairs is not None and pairs > len(lines):
        raise SetupError(f"{path}: {pairs} pairs wanted, only {len(lines)} openings there")
    chosen, seen = [], set()
    for line in lines[:pairs]:
        try:
            moves = parse_transcript(line)
        except ValueError as error:
            raise SetupError(f"{path}:{numbers[line]}: expected a transcript of moves "
                             f"such as f5d6c3: {error}") from None
        if tuple(moves) in seen:
            raise SetupError(f"{path}:{numbers[line]}: the same opening stands there twice")
        seen.add(tuple(moves))
        chosen.append(moves)
    return chosen
