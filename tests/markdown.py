#!/usr/bin/env python3
"""Markdown becomes the HTML that a reader expects. Exit code: 0, or 1 and what differs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from driver.report import markdown  # noqa: E402

CASES = (
    ("## A `b` title", '<h2 id="a-b-title">A <code>b</code> title</h2>'),
    ("`--gtest_filter='*cuda_*'` and `__constant__`, a*b*c",
     "<p><code>--gtest_filter='*cuda_*'</code> and <code>__constant__</code>, a<em>b</em>c</p>"),
    ("[a `b`](x.md#y) <https://z.org>", '<p><a href="X#y">a <code>b</code></a>'
     ' <a href="https://z.org">https://z.org</a></p>'),
    ("![a \"b\"](c.svg)", '<p><img src="c.svg" alt="a &quot;b&quot;" loading="lazy" /></p>'),
    ("- a\n\n  ```sh\n  x *y* `z`\n  ```", "<ul>\n<li>\n<p>a</p>\n"
     '<div class="scroll" tabindex="0"><pre><code>x *y* `z`\n</code></pre></div>\n</li>\n</ul>'),
    ("```sh\n# <a>\n\n- b\n```", '<div class="scroll" tabindex="0"><pre><code># &lt;a&gt;\n\n- b'
     "\n</code></pre></div>"),
    ("| a | b |\n| :-- | --: |\n| `c \\| d` | 1 |",
     '<div class="scroll" role="region" tabindex="0"><table>\n<thead>\n<tr>\n<th>a</th>\n'
     '<th class="number">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<th scope="row"><code>c | d</code></th>\n'
     '<td class="number">1</td>\n</tr>\n</tbody>\n</table></div>'),
    ("<!-- begin: x -->\na\n<!-- end -->\n> b", "<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>"),
    ("<details>\n<summary>a</summary>\n\nb\n\n</details>",
     "<details>\n<summary>a</summary>\n<p>b</p>\n</details>"),
)


def main() -> int:
    bad = 0
    for text, wanted in CASES:
        got = markdown.render(text, lambda to: to.replace("x.md", "X"))
        if got.strip() != wanted:
            bad += 1
            print(f"--- {text}\n{got}\n--- instead of\n{wanted}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
