"""Markdown as HTML, as far as this repository's pages need it: headings, paragraphs, nested lists,
quotes, tables, code, images, links, emphasis, and HTML that stands in lines of its own.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

Link = Callable[[str], str]  # where a link of the page leads to, from where its HTML is

ITEM = re.compile(r"( *)([-*]|\d+\.) +")
NO_TEXT = re.compile(r"```|#+ |\||>|<!--|</?(details|summary)|([-*]|\d+\.) ")
TAGS = re.compile(r"</?(details|summary|br|hr|img|p|div|table|sub|sup|a)\b[^>]*>")


def render(text: str, link: Link = lambda to: to, table: str = "") -> str:
    """`table` says what tables are, for screen readers."""
    return "\n".join(_blocks(text.splitlines(), link, table))


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    words = re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def _blocks(lines: list[str], link: Link, table: str) -> list[str]:
    out: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("<!--"):
            while "-->" not in lines[at]:
                at += 1
            at += 1
        elif not line.strip():
            at += 1
        elif line.startswith("```"):
            end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("```")),
                       len(lines))
            code = html.escape("\n".join(lines[at + 1:end]), quote=False)
            out.append(f'<div class="scroll" tabindex="0"><pre><code>{code}</code></pre></div>')
            at = end + 1
        elif found := re.match(r"(#+) (.*)", line):
            level = len(found[1])
            out.append(f'<h{level} id="{slug(found[2])}">{inline(found[2], link)}</h{level}>')
            at += 1
        elif line.startswith("|"):
            end = _while(lines, at, lambda row: row.startswith("|"))
            out += _table(lines[at:end], link, table)
            at = end
        elif line.startswith(">"):
            end = _while(lines, at, lambda row: row.startswith(">"))
            quoted = _blocks([row[1:].removeprefix(" ") for row in lines[at:end]], link, table)
            out += ["<blockquote>", *quoted, "</blockquote>"]
            at = end
        elif ITEM.match(line):
            end = _end_of_list(lines, at)
            out += _list(lines[at:end], link, table)
            at = end
        elif TAGS.match(line):
            out.append(line)
            at += 1
        else:
            end = max(at + 1, _while(lines, at, lambda row: row.strip() and not NO_TEXT.match(row)))
            out.append(f"<p>{inline(' '.join(lines[at:end]), link)}</p>")
            at = end
    return out


def _while(lines: list[str], at: int, holds: Callable[[str], object]) -> int:
    while at < len(lines) and holds(lines[at]):
        at += 1
    return at


def _end_of_list(lines: list[str], at: int) -> int:
    """Items, what is indented below them, and blank lines between such."""
    end = at
    while end < len(lines):
        line = lines[end]
        if not line.strip():
            following = lines[end + 1] if end + 1 < len(lines) else ""
            if not (ITEM.match(following) or following.startswith("  ")):
                break
        elif not (ITEM.match(line) or line.startswith("  ")):
            if not lines[end - 1].strip() or line.startswith(("#", "|", "```", "<")):
                break
        end += 1
    return end


def _list(lines: list[str], link: Link, table: str) -> list[str]:
    first = ITEM.match(lines[0])
    indent, kind = len(first[1]), "ol" if first[2][0].isdigit() else "ul"
    items: list[list[str]] = []
    for line in lines:
        found = ITEM.match(line)
        if found and len(found[1]) <= indent:
            items.append([line[found.end():]])
            width = found.end()
        else:
            items[-1].append(line[min(width, len(line) - len(line.lstrip())):])
    out = [f"<{kind}>"]
    for item in items:
        blocks = _blocks(item, link, table)
        if blocks and blocks[0].startswith("<p>"):  # an item of one paragraph is no paragraph
            blocks[0] = blocks[0][3:-4]
        out.append("<li>" + "\n".join(blocks) + "</li>")
    return [*out, f"</{kind}>"]


def _table(rows: list[str], link: Link, name: str) -> list[str]:
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]
             for row in rows]
    numbers = [cell.endswith(":") and not cell.startswith(":") for cell in cells[1]]
    label = f' aria-label="Table: {html.escape(name)}"' if name else ""
    out = [f'<div class="scroll" role="region" tabindex="0"{label}>', "<table><thead>"]
    for nth, row in enumerate(cells):
        if nth == 1:
            out.append("</thead><tbody>")
            continue
        out.append("<tr>" + "".join(
            _cell(inline(cell.replace("\\|", "|"), link), nth == 0, column == 0,
                  column < len(numbers) and numbers[column])
            for column, cell in enumerate(row)) + "</tr>")
    return [*out, "</tbody></table></div>"]


def _cell(content: str, in_head: bool, first: bool, number: bool) -> str:
    tag = "th" if in_head or first else "td"
    scope = ' scope="col"' if in_head else ' scope="row"' if first else ""
    style = ' class="number"' if number else ""
    return f"<{tag}{scope}{style}>{content}</{tag}>"


def inline(text: str, link: Link = lambda to: to) -> str:
    kept: list[str] = []

    def keep(markup: str) -> str:
        kept.append(markup)
        return f"\0{len(kept) - 1}\0"

    def restore(marked: str) -> str:
        while "\0" in marked:
            marked = re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], marked)
        return marked

    text = re.sub(r"(`+)(.+?)\1",
                  lambda m: keep(f"<code>{html.escape(m[2].strip(), quote=False)}</code>"), text)
    text = TAGS.sub(lambda m: keep(m[0]), text)
    text = html.escape(text, quote=False)
    text = re.sub(r"!\[([^]]*)\]\(([^)]*)\)", lambda m: keep(
        f'<img src="{link(m[2])}" alt="{html.escape(m[1])}" loading="lazy">'), text)
    text = re.sub(r"\[((?:[^][]|\[[^]]*\])*)\]\(([^)]*)\)",
                  lambda m: keep(f'<a href="{link(m[2])}">') + m[1] + keep("</a>"), text)
    text = re.sub(r"&lt;(https?://[^&]*)&gt;", r'<a href="\1">\1</a>', text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<em>\1</em>", text)
    return restore(text)
