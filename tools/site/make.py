#!/usr/bin/env python3
"""The documentation as static pages with search: tools/site/make.py PROGRAMS [FOLDER]

PROGRAMS is a build's bin/, whose --help and glossary become pages. FOLDER is build/site. Every Markdown file of the tree
is a page, at its place in the tree; linked files and folders come along. Needs Debian's mkdocs and mkdocs-material.
A link to something that does not exist is an error."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LINK = re.compile(r"(?<!\\)\]\((?!https?:|#)([^)\s#]+)(#[^)]*)?\)")
CODE = re.compile(r"(^```.*?^```|`[^`\n]*`)", re.M | re.S)
tree = Path(__file__).resolve().parents[2]


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def shown(path):
    """Hidden folders are not part of mkdocs' pages."""
    return type(path)(str(path).replace(".github/", "github/"))


def linked(page, target, pages):
    """The link as mkdocs wants it. Copies what it leads to."""
    source = (tree / page).parent / target
    if not source.exists():
        sys.exit(f"{page}: the link {target} leads nowhere")
    place = source.resolve().relative_to(tree)
    if source.is_dir():
        if not (source / "README.md").exists() and place / "README.md" not in pages:
            files = sorted(file for file in source.iterdir() if not file.name.startswith("."))
            pages[place / "README.md"] = f"# {place}\n\n" + "".join(f"* [{file.name}]({file.name})\n" for file in files)
        return target.rstrip("/") + "/README.md"
    if source.suffix != ".md":
        copy = pages_folder / shown(place)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    return shown(target)


def with_links(page, text, pages):
    """The text of a page, with the links outside of code followed."""
    parts = CODE.split(text)
    parts[::2] = [LINK.sub(lambda link: f"]({linked(page, link[1], pages)}{link[2] or ''})", part) for part in parts[::2]]
    return "".join(parts)


def command_line(programs):
    commands = re.findall(r"^  (\w+)  +", said(programs / "roofline", "--help").split("Subcommands:")[1], re.M)
    texts = {"roofline_bench": said(programs / "roofline_bench", "--help")}
    texts |= {f"roofline {name}": said(programs / "roofline", name, "--help") for name in commands}
    return "# Command line\n\n" + "".join(f"## {name}\n\n```\n{text}```\n\n" for name, text in texts.items())


def titled(folder):
    """A part of the navigation: the pages below a folder by their path."""
    return [str(page) for page in sorted(everything) if str(page).startswith(folder)]


if len(sys.argv) not in (2, 3):
    sys.exit(__doc__)
programs = Path(sys.argv[1]).resolve()
output = Path(sys.argv[2] if len(sys.argv) == 3 else tree / "build/site").resolve()
with tempfile.TemporaryDirectory() as work:
    pages_folder = Path(work) / "pages"
    everything = {}
    for file in sorted(tree.rglob("*.md")):
        page = file.relative_to(tree)
        if page.parts[0] not in ("build", "tests") and "ISSUE_TEMPLATE" not in page.parts:
            everything[page] = file.read_text()
            lab = file.with_suffix(".json")
            if lab.exists() and file.parent.name == "content":
                everything[page] = f"# Lab {int(file.name[:2])}: {json.loads(lab.read_text())['title']}\n\n{everything[page]}"
    everything[Path("command-line.md")] = command_line(programs)
    everything[Path("glossary.md")] = f"# Glossary\n\n```\n{said(programs / 'roofline_bench', '--describe=glossary')}```\n"
    waiting = dict(everything)
    while waiting:
        found = {}
        for page, text in waiting.items():
            place = pages_folder / shown(page)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(with_links(page, text, found))
        waiting = {page: text for page, text in found.items() if page not in everything}
        everything |= waiting
    navigation = [
        {"Start": "README.md"}, {"Your first roofline": "tools/site/first-roofline.md"},
        {"Gallery": "tools/site/gallery.md"}, {"Questions": "tools/site/questions.md"}, {"Glossary": "glossary.md"},
        {"Command line": "command-line.md"}, {"Labs": titled("tools/labs/")}, {"Changes": "github/CHANGELOG.md"},
        {"Inside": [{folder: titled(folder + "/")} for folder in ("apps", "microkernels", "bench", "reporters")] +
                   [{"tools": [page for page in titled("tools/") if not page.startswith(("tools/labs/", "tools/site/"))]},
                    "github/CONTRIBUTING.md", "github/SECURITY.md"]},
        {"Results": titled("results/")},
    ]
    settings = {
        "site_name": "roofline_bench", "docs_dir": str(pages_folder), "site_dir": str(output), "use_directory_urls": False,
        "theme": {"name": "material", "font": False, "features": ["navigation.tabs"]}, "plugins": ["search"],
        "markdown_extensions": ["tables", "fenced_code", "toc", "pymdownx.inlinehilite"], "nav": navigation,
    }
    (Path(work) / "mkdocs.yml").write_text(json.dumps(settings))
    sys.exit(subprocess.run(["mkdocs", "build", "--strict", "-f", Path(work) / "mkdocs.yml"]).returncode)
