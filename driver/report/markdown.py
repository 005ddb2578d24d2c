"""Markdown as HTML, by markdown-it-py, with what GitHub adds: anchors of headings. Tables and code
that are wider than the page scroll by themselves.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from driver.trouble import Trouble

try:
    from markdown_it import MarkdownIt
except ImportError as error:
    raise Trouble("the site needs markdown-it-py; as root: apt-get install python3-markdown-it"
                  ) from error

Link = Callable[[str], str]  # where a link of the page leads to, from where its HTML is


def render(text: str, link: Link = lambda to: to, table: str = "") -> str:
    """`table` says what tables are, for screen readers."""
    made = MarkdownIt("commonmark").enable("table")
    label = f' aria-label="Table: {html.escape(table)}"' if table else ""
    made.renderer.rules.update(
        table_open=lambda *_: f'<div class="scroll" role="region" tabindex="0"{label}><table>\n',
        table_close=lambda *_: "</table></div>\n",
        fence=lambda tokens, at, *_: '<div class="scroll" tabindex="0"><pre><code>'
        f"{html.escape(tokens[at].content, quote=False)}</code></pre></div>\n")
    tokens = made.parse(re.sub(r"(?m)^<!-- (begin: .*|end) -->$", "", text))
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", slug(tokens[at + 1].content))
        elif token.type in ("th_open", "td_open"):
            if "right" in str(token.attrs.pop("style", "")):
                token.attrSet("class", "number")
            if token.type == "td_open" and tokens[at - 1].type == "tr_open":  # it names its row
                token.tag = tokens[at + 2].tag = "th"
                token.attrSet("scope", "row")
        for child in token.children or ():
            if child.type == "image":
                child.attrSet("loading", "lazy")
            for name in ("href", "src"):
                if name in child.attrs:
                    child.attrSet(name, link(str(child.attrs[name])))
    return made.renderer.render(tokens, made.options, {})


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    words = re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
