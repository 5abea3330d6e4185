"""What the plot scripts share: reading lines, making and saving a figure."""
import sys


class PlotError(Exception):
    """One line saying why there is no picture."""


def read_lines(path, read):
    """What `read` makes of the lines of a file, `-` for standard input."""
    try:
        if path == "-":
            return read(sys.stdin)
        with open(path, encoding="utf-8") as file:
            return read(file)
    except (OSError, UnicodeDecodeError) as error:
        raise PlotError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") \
            from None
    except PlotError as error:
        raise PlotError(f"{path}: {error}") from None


def open_figure():
    """A figure with one set of axes."""
    try:
        import matplotlib
    except ImportError:
        raise PlotError("matplotlib is needed: apt-get install python3-matplotlib, or "
                        "pip install matplotlib") from None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "outflank"  # the same picture is the same file
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(9, 4.8), layout="constrained")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)
    return figure, axes


def save_figure(figure, path):
    """Writes a picture in the form that the name asks for."""
    if not path.lower().endswith((".png", ".svg")):
        raise PlotError(f"cannot write {path}: the name must end in .png or .svg")
    metadata = {"Date": None} if path.lower().endswith(".svg") else None
    try:
        figure.savefig(path, dpi=150, metadata=metadata)
    except OSError as error:
        raise PlotError(f"cannot write {path}: {error.strerror or error}") from None
