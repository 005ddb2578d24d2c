#pragma once

namespace harness::summary {

/// The style sheet of index.html. It must not contain '<', '>' or '&', which would be escaped.
/// Colour-blind readers can distinguish blue and orange; words and signs have the same meaning.
inline constexpr const char* page_style = R"(
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2126; --quiet: #57606a; --line: #d5dae0; --soft: #f4f6f8;
  --good: #0b5a94; --good-soft: #e6f1fa; --bad: #8a4300; --bad-soft: #fff0dc; --bad-line: #e08a1e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181c; --ink: #e3e7eb; --quiet: #9ba5af; --line: #343b43; --soft: #1c2127;
    --good: #8ec5f0; --good-soft: #15293a; --bad: #ffc27a; --bad-soft: #35240f; --bad-line: #c47a1c;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  max-width: 78rem; margin: 0 auto; padding: 2rem 1.25rem 4rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
h1, h2, h3 { line-height: 1.25; font-weight: 650; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.6rem; }
h2 { margin: 3rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--line);
     font-size: 1.3rem; }
h3 { display: inline; font-size: 1.05rem; }
p { margin: .5rem 0; max-width: 48rem; overflow-wrap: anywhere; }
a { color: var(--good); text-underline-offset: .15em; }
code { font: .92em/1.45 ui-monospace, "Liberation Mono", monospace; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); font-size: .9rem; }

.verdict { max-width: none; padding: .8rem 1rem; border-left: .4rem solid; border-radius: .25rem;
           font-size: 1.1rem; font-weight: 600; }
.verdict.good { background: var(--good-soft); border-color: var(--good); }
.verdict.bad { background: var(--bad-soft); border-color: var(--bad-line); }
.sign { display: inline-block; min-width: 1.1em; font-weight: 700; }
.good .sign, .good.outcome { color: var(--good); }
.bad .sign, .bad.outcome { color: var(--bad); }
.bad.outcome { font-weight: 650; }
.skipped.outcome { color: var(--quiet); }
.outcome { white-space: nowrap; }

dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.25rem;
           margin: 1.25rem 0; font-size: .95rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }

ul.failures { margin: 0; padding: 0; list-style: none; }
ul.failures li { margin: .6rem 0; padding: .6rem 1rem; border-left: .25rem solid var(--bad-line);
                 background: var(--soft); }
ul.failures .where { margin-right: .5rem; font-weight: 600; overflow-wrap: anywhere; }
ul.failures code { display: block; margin-top: .2rem; white-space: pre-wrap; }

.scroll { overflow-x: auto; margin: .25rem 0 .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem;
        font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line);
         text-align: left; vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; white-space: nowrap; }
thead th:first-child, tbody th { position: sticky; left: 0; background: var(--paper); }
.number { text-align: right; white-space: nowrap; }
.note { min-width: 18rem; padding-left: .75rem; overflow-wrap: anywhere; }

details { margin: 1.25rem 0; }
summary { padding: .35rem 0; cursor: pointer; }
.gallery { display: grid; gap: 1.25rem;
           grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
.gallery.small { grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); }
figure { margin: .5rem 0; }
figure img { display: block; max-width: 100%; height: auto; border-radius: .2rem; }
img.figure { width: 100%; min-width: 36rem; max-width: 50rem; border: 1px solid var(--line); }
figure.scroll figcaption { position: sticky; left: 0; }
figcaption { margin-bottom: .35rem; color: var(--quiet); font-size: .9rem;
             overflow-wrap: anywhere; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }

@media (prefers-color-scheme: dark) { figure img:not(.figure) { filter: brightness(.88); } }
@media (max-width: 40rem) {
  body { padding: 1.25rem 1rem 3rem; }
  h1 { font-size: 1.35rem; }
  tbody th { max-width: 11rem; white-space: normal; overflow-wrap: anywhere; }
}
@media print {
  :root { --paper: #ffffff; --ink: #000000; --quiet: #444444; --line: #bbbbbb; --soft: #ffffff;
          --good: #00406e; --good-soft: #ffffff; --bad: #6b3200; --bad-soft: #ffffff; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  h2, h3, summary { break-after: avoid; }
  figure, tr, li { break-inside: avoid; }
  .scroll { overflow: visible; }
  img.figure { min-width: 0; }
  .gallery { grid-template-columns: 1fr 1fr; }
  .gallery.small { grid-template-columns: 1fr 1fr 1fr; }
  .note { min-width: 0; }
  figure img { filter: none; }
}
)";

}  // namespace harness::summary
