"""Statistics of paired games: Elo from pairs and the SPRT, for the referee match.py."""
import math


class Moments:
    """Mean and standard error of a growing sample."""

    def __init__(self):
        self.count = self.total = self.squares = 0

    def add(self, value):
        self.count += 1
        self.total += value
        self.squares += value * value

    def mean(self):
        return self.total / self.count if self.count else math.nan

    def error(self):
        if self.count < 2:
            return math.nan
        spread = max(0.0, self.squares - self.total * self.total / self.count)
        return math.sqrt(spread / (self.count - 1) / self.count)


PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # mean score per game of a pair: LL, LD, …, WW
NORMALISED = 800 / math.log(10)


def elo_of(score):
    """Logistic Elo difference that predicts this score."""
    if score <= 0 or score >= 1:
        return -math.inf if score <= 0 else math.inf
    return 400 * math.log10(score / (1 - score))


def score_of(elo):
    return 1 / (1 + 10 ** (-elo / 400))


def pair_mean_variance(counts):
    """Number, mean and variance of the pair scores."""
    number = sum(counts)
    mean = sum(n * s for n, s in zip(counts, PAIR_SCORES)) / number
    return number, mean, sum(n * (s - mean) ** 2 for n, s in zip(counts, PAIR_SCORES)) / number


def elo_estimate(counts):
    """(Elo, half width of its 95 % interval) from the five counts of pair scores."""
    if not sum(counts):
        return math.nan, math.nan
    number, mean, variance = pair_mean_variance(counts)
    reach = 1.96 * math.sqrt(variance / number)
    width = (elo_of(mean + reach) - elo_of(mean - reach)) / 2
    return elo_of(mean), (math.nan if math.isinf(elo_of(mean)) else width)


class Sprt:
    """Sequential probability ratio test of Elo >= elo1 against Elo <= elo0 on pairs.

    The log-likelihood ratio is the normal approximation of the generalised SPRT:
        LLR = N (s1 - s0) (2 s - s0 - s1) / (2 v)
    with N pairs, s and v the mean and variance of the pair scores, and s0, s1 the scores
    the two hypotheses predict. In the normalised model a hypothesis of x normalised Elo
    means (s - 1/2) / (sqrt(2 v)) = x ln(10) / 800, sqrt(2 v) being the deviation per game.
    Source: M. Van den Bergh, "A practical introduction to the GSPRT" and "Comments on
    normalized Elo" (cantate.be/Fishtest; used by the public Stockfish test framework).
    """
    FEWEST_PAIRS = 16  # the variance of fewer pairs is too poor an estimate for a verdict

    def __init__(self, elo0, elo1, alpha, beta, model):
        self.elo0, self.elo1, self.model = elo0, elo1, model
        self.lower, self.upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)

    def llr(self, counts):
        if not sum(counts):
            return 0.0
        # Unseen results get a trace of weight, so that the variance is never zero.
        number, mean, variance = pair_mean_variance([n or 1e-3 for n in counts])
        if self.model == "logistic":
            s0, s1 = score_of(self.elo0), score_of(self.elo1)
        else:
            s0, s1 = (0.5 + elo / NORMALISED * math.sqrt(2 * variance)
                      for elo in (self.elo0, self.elo1))
        return number * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)

    def verdict(self, counts):
        """"H1", "H0", or None while undecided."""
        llr = self.llr(counts)
        if sum(counts) < self.FEWEST_PAIRS or self.lower < llr < self.upper:
            return None
        return "H1" if llr >= self.upper else "H0"
