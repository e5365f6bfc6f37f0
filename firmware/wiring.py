"""Draws how a sensor is wired, as SVG on the standard output: that of force, or a piezo on a sound card.

Usage: python3 firmware/wiring.py force >docs/pictures/force-sensor.svg
       python3 firmware/wiring.py sound-card >docs/pictures/sound-card-taps.svg
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


def picture(width, height, title, lines):
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{title}</title>",
            f'<rect width="{width}" height="{height}" fill="#fff"/>',
            *lines,
            "</svg>",
        ]
    )


def force():
    title = "The force-sensitive resistor from the supply to A0, 10 kΩ from A0 to ground"
    return picture(770, 320, title, [line for one in BOARDS for line in board(*one)])


def jack(x, y):
    """A mono plug that points to the left: tip, ring of plastic, sleeve."""
    return [
        box(x, y - 8, 22, 16, "#d9d9d9"),
        box(x + 22, y - 8, 5, 16, "#222"),
        box(x + 27, y - 8, 40, 16, "#d9d9d9"),
    ]


def dot(x, y):
    return f'<circle cx="{x}" cy="{y}" r="4" fill="#222"/>'


def sound_card():
    """The output goes to the headphones and to input 1, the piezo to input 2."""
    lines = [box(20, 20, 160, 260, "#dceaf7"), text(100, 305, "sound card", "middle")]
    pins = [(60, "output"), (130, "input 1"), (220, "input 2")]
    lines += [text(172, y + 5, pin, "end") for y, pin in pins]
    lines += [
        wire((180, 60), (440, 60)),
        dot(320, 60),
        wire((320, 60), (320, 130), (180, 130)),
        box(440, 40, 110, 40, "#f7e6c8"),
        text(495, 65, "headphones", "middle"),
        text(336, 105, "a Y-cable: what is played is recorded, too"),
        *jack(184, 220),
        text(218, 250, "tip", "end"),
        text(232, 250, "sleeve"),
        '<circle cx="480" cy="205" r="36" fill="#e8c66a" stroke="#222" stroke-width="2"/>',
        '<circle cx="480" cy="205" r="20" fill="#fff" stroke="#222" stroke-width="2"/>',
        wire((195, 212), (195, 195), (480, 195)),
        dot(480, 195),
        wire((251, 220), (449, 220)),
        dot(449, 220),
        text(262, 187, "red wire: the middle"),
        text(290, 240, "black wire: the rim"),
        text(530, 201, "piezo disc, glued or taped"),
        text(530, 218, "under what is tapped"),
    ]
    title = "The output goes to headphones and input 1; a piezo disc goes to input 2, its middle to the tip"
    return picture(720, 320, title, lines)


DRAWINGS = {"force": force, "sound-card": sound_card}

if __name__ == "__main__":
    import sys

    sys.stdout.buffer.write((DRAWINGS[sys.argv[1]]() + "\n").encode())
