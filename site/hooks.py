"""Makes the contents of the site from the section "The manual" of README.md."""

import re
from pathlib import Path

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


def on_post_page(output, page, config):
    """The theme would fetch this script from elsewhere; the site has it."""
    here = "../" * page.url.count("/") + "assets/iframe-worker.js"
    return output.replace("https://unpkg.com/iframe-worker/shim", here)


def on_post_template(output_content, template_name, config):
    """The same in the pages that are made of no Markdown, such as 404.html."""
    return output_content.replace("https://unpkg.com/iframe-worker/shim", "/assets/iframe-worker.js")
