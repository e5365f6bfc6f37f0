"""Draws how the sensor of force is wired, as SVG on the standard output.

Usage: python3 firmware/wiring.py >docs/pictures/force-sensor.svg
"""

STYLE = 'font-family="sans-serif" font-size="14" fill="#222"'
BOARDS = [(20, "Arduino (ATmega328P)", "5V"), (380, "Teensy", "3.3V")]


def text(x, y, words, anchor="start"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" {STYLE}>{words}</text>'


def wire(*points):
    way = " ".join(f"{x},{y}" for x, y in points)
    return f'<polyline points="{way}" fill="none" stroke="#222" stroke-width="2"/>'


def box(x, y, width, height, fill):
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" '
        f'fill="{fill}" stroke="#222" stroke-width="2"/>'
    )


def board(x, name, supply):
    """The sensor from the supply to A0, the resistor from A0 to ground."""
    pins = [(60, supply), (150, "A0"), (240, "GND")]
    lines = [box(x, 20, 130, 260, "#dceaf7"), text(x + 65, 300, name, "middle")]
    lines += [text(x + 122, y + 5, pin, "end") for y, pin in pins]
    right = x + 230
    lines += [
        wire((x + 130, 60), (right, 60), (right, 80)),
        box(right - 22, 80, 44, 40, "#f7e6c8"),
        text(right + 30, 97, "force-sensitive"),
        text(right + 30, 114, "resistor"),
        wire((right, 120), (right, 180)),
        wire((x + 130, 150), (right, 150)),
        f'<circle cx="{right}" cy="150" r="4" fill="#222"/>',
        box(right - 10, 180, 20, 40, "#fff"),
        text(right + 30, 205, "10 kΩ"),
        wire((right, 220), (right, 240), (x + 130, 240)),
    ]
    return lines


def drawing():
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 770 320" role="img">']
    lines.append("<title>The force-sensitive resistor from the supply to A0, 10 kΩ from A0 to ground</title>")
    lines.append('<rect width="770" height="320" fill="#fff"/>')
    for one in BOARDS:
        lines += board(*one)
    return "\n".join([*lines, "</svg>"])


if __name__ == "__main__":
    import sys

    sys.stdout.buffer.write((drawing() + "\n").encode())
