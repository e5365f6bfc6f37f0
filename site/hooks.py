"""Makes the contents of the site from the section "The manual" of README.md, and a button "Try it" at each
block that is a whole trial or experiment file."""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
LINK = re.compile(r"\[([^\]]+)\]\(docs/([^)#]+\.md)\)")


def on_config(config):
    """Sets the contents: the parts and pages as README lists them, then what is generated."""
    pages = Path(config.docs_dir)
    nav = [{"Chronotap": "index.md"}, *_parts((pages / "readme-manual.txt").read_text())]
    nav += [{"Commands": _folder(pages, "commands")}, {"Python reference": _folder(pages, "python-reference")}]
    built = ["ARCHITECTURE.md", "inside.md", "adding.md", "CONTRIBUTING.md"]
    nav.append({"How it is built": [*built, *_folder(pages, "decisions")]})
    config.nav = [*nav, {"Changes": "CHANGELOG.md"}]
    return config


def _parts(manual):
    """The parts of the manual ("- **Your study:** …") with their pages."""
    parts = []
    for name, links in re.findall(r"^- \*\*(Your .*):\*\* (.*)$", manual, re.MULTILINE):
        parts.append({name: [{_title(title): page} for title, page in LINK.findall(links)]})
    return parts


def _title(name):
    return name[0].upper() + name[1:]


def _folder(pages, name):
    found = sorted((pages / name).glob("*.md"), key=lambda page: (page.name != "index.md", page.name))
    return [page.relative_to(pages).as_posix() for page in found]


def on_page_markdown(markdown, page, config, files):
    """Marks what can be tried: blocks that the program takes as they stand, and ready-made studies."""
    if not _has_engine(config):
        return markdown
    markdown = BLOCK.sub(lambda block: f"```{{{_marks(block[1])}}}\n{block[1]}```\n", markdown)
    if page.file.src_uri == "try.md":
        return markdown + '\n<div data-ct-empty></div>\n'
    study = re.fullmatch(r"paradigms/(?!README)([\w-]+)\.md", page.file.src_uri)
    place = f'<div data-ct-study="{study[1]}"></div>\n\n## The study\n' if study else ""
    return markdown.replace("## The study\n", place, 1) if place else markdown


BLOCK = re.compile(r"^```toml\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def _has_engine(config):
    return (Path(config.docs_dir) / "assets/try/engine.js").exists()


def _marks(text):
    """The classes of a block: that it is a whole file, and with which files beside it."""
    if _is_right(text, None):
        return ".toml .ct-whole"
    for folder in sorted((ROOT / "examples").glob("*-study")):
        if "[[step]]" in text and _is_right(text, folder):
            return f".toml .ct-whole .beside-{folder.name}"
    return ".toml"


@cache
def _is_right(text, beside):
    """Whether the program takes this file, where the files of a folder lie beside it."""
    with tempfile.TemporaryDirectory() as place:
        if beside:
            shutil.copytree(beside, place, dirs_exist_ok=True)
        file = Path(place) / "tried.toml"
        file.write_text(text)
        checked = subprocess.run([os.environ["CHRONOTAP"], "check", file], capture_output=True, check=False)
    return checked.returncode == 0


def _beside(html):
    """The files of the folders that blocks of a page name, as data."""
    data = ""
    for name in sorted(set(re.findall(r'class="[^"]*\bbeside-([\w-]+-study)\b', html))):
        files = [[file.name, file.read_text()] for file in sorted((ROOT / "examples" / name).iterdir())]
        held = json.dumps(files).replace("</", "<\\/")
        data += f'<script type="application/json" id="beside-{name}">{held}</script>'
    return data


# What a page may do: run the scripts of the site and the engine, and ask nobody else for anything. The theme has a few
# scripts within its pages: each is named by its checksum, so that no other one runs.
POLICY = (
    "default-src 'none'; script-src 'self' file: 'wasm-unsafe-eval'{named}; worker-src 'self' blob:; "
    "connect-src 'self'; img-src 'self' file: data:; style-src 'self' file: 'unsafe-inline'; frame-src 'self'; "
    "font-src 'self' file: data:; base-uri 'none'; form-action 'none'"
)
SCRIPT = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL)


def _policy(html):
    """The policy of a page, with the checksum of each script that stands in it."""
    within = {text for kind, text in SCRIPT.findall(html) if "src=" not in kind and "application/json" not in kind}
    sums = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in sorted(within)]
    return POLICY.format(named="".join(f" 'sha256-{each}'" for each in sums))


def _with_engine(html, here):
    """A page with what its buttons need, and with its policy."""
    own = (
        f'<link rel="stylesheet" href="{here}assets/try/try.css">'
        f'<script defer src="{here}assets/try/button.js" data-page="{here}try.html"></script>'
    )
    html = html.replace("</head>", own + "</head>", 1).replace("</body>", _beside(html) + "</body>", 1)
    first = f'<meta http-equiv="Content-Security-Policy" content="{_policy(html)}">'
    return html.replace('<meta charset="utf-8">', '<meta charset="utf-8">' + first, 1)


def on_post_page(output, page, config):
    """The theme would fetch this script from elsewhere; the site has it."""
    here = "../" * page.url.count("/")
    html = output.replace("https://unpkg.com/iframe-worker/shim", here + "assets/search_on_disk.js")
    return _with_engine(html, here) if _has_engine(config) else html


def on_post_template(output_content, template_name, config):
    """The same in the pages that are made of no Markdown, such as 404.html."""
    return output_content.replace("https://unpkg.com/iframe-worker/shim", "/assets/search_on_disk.js")
