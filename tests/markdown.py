#!/usr/bin/env python3
"""Markdown becomes the HTML that a reader expects. Exit code: 0, or 1 and what differs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from driver import markdown  # noqa: E402

CASES = (
    ("one\ntwo\n\nthree", "<p>one two</p>\n<p>three</p>"),
    ("## A `b` title", '<h2 id="a-b-title">A <code>b</code> title</h2>'),
    ("**bold**, *italic*, `a < b**c`, a*b*c", "<p><strong>bold</strong>, <em>italic</em>,"
     " <code>a &lt; b**c</code>, a*b*c</p>"),
    ("[a `b`](x.md#y) <https://z.org>", '<p><a href="X#y">a <code>b</code></a>'
     ' <a href="https://z.org">https://z.org</a></p>'),
    ("![a \"b\"](c.svg)", '<p><img src="c.svg" alt="a &quot;b&quot;" loading="lazy"></p>'),
    ("- a\n  b\n- c\n  - d\n\n  e",
     "<ul>\n<li>a b</li>\n<li>c\n<ul>\n<li>d</li>\n</ul>\n<p>e</p></li>\n</ul>"),
    ("1. a\n2. b\n\nc", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n<p>c</p>"),
    ("```sh\n# <a>\n\n- b\n```", '<div class="scroll" tabindex="0"><pre><code># &lt;a&gt;\n\n- b'
     "</code></pre></div>"),
    ("| a | b |\n| :-- | --: |\n| `c \\| d` | 1 |",
     '<div class="scroll" role="region" tabindex="0">\n'
     '<table><thead>\n<tr><th scope="col">a</th><th scope="col" class="number">b</th></tr>\n'
     '</thead><tbody>\n<tr><th scope="row"><code>c | d</code></th><td class="number">1</td></tr>\n'
     "</tbody></table></div>"),
    ("<!-- begin: x -->\na\n<!-- end -->\n> b", "<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>"),
    ("<details>\n<summary>a</summary>\n\nb\n\n</details>",
     "<details>\n<summary>a</summary>\n<p>b</p>\n</details>"),
)


def main() -> int:
    bad = 0
    for text, wanted in CASES:
        got = markdown.render(text, lambda to: to.replace("x.md", "X"))
        if got != wanted:
            bad += 1
            print(f"--- {text}\n{got}\n--- instead of\n{wanted}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
