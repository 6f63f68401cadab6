#include "reports/html/assets.hpp"

namespace cellproof::reports::html {

// Colours have meanings (one per kind of finding) and are told apart with any kind of colour vision; a symbol always
// stands beside them.
std::string_view style_sheet() {
  return R"css(
:root {
  color-scheme: light dark;
  --page: #fafaf8; --surface: #fff; --ink: #1d2024; --soft: #5c636d; --faint: #8b919a; --line: #e2e3e0; --well: #f4f4f1;
  --wrong: #bf3b12; --crash: #7a3b9e; --invalid: #9a4f00; --gap: #6a7079; --undecided: #7b6a14; --reading: #2459a9;
  --good: #12785f; --accent: #2459a9;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15171a; --surface: #1c1f23; --ink: #e6e7e9; --soft: #a4abb5; --faint: #7b828d; --line: #32363c; --well: #24282d;
    --wrong: #ff8a5c; --crash: #cf9bee; --invalid: #f0a850; --gap: #9aa2ad; --undecided: #d2bf5a; --reading: #86b2f5;
    --good: #4fc3a1; --accent: #86b2f5;
  }
}
.k-wrong { --c: var(--wrong); } .k-crash, .k-hang, .k-memory, .k-flaky, .k-misconduct { --c: var(--crash); }
.k-accepted-invalid, .k-imprecise { --c: var(--invalid); } .k-gap, .k-absent, .k-unreadable { --c: var(--gap); }
.k-undecided { --c: var(--undecided); } .k-reading { --c: var(--reading); } .k-conforms { --c: var(--good); }
.k-harness { --c: var(--ink); }

* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif; }
.top, main { max-width: 1240px; margin: 0 auto; padding: 0 clamp(1rem, 3vw, 2.5rem); }
h1, h2, h3, p, ul, ol, dl, figure, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: clamp(1.5rem, 3.2vw, 2.2rem); line-height: 1.2; font-weight: 650; letter-spacing: -.015em; text-wrap: balance;
  margin: .2rem 0 1.6rem; }
h2 { font-size: 1.35rem; line-height: 1.3; font-weight: 650; letter-spacing: -.01em; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.6rem 0 .6rem; font-weight: 650; }
small, .note { font-size: .83rem; color: var(--soft); font-weight: 400; }
a { color: inherit; text-decoration-color: var(--faint); text-underline-offset: 3px; }
a:hover { text-decoration-color: currentColor; }
code, pre { font-family: var(--mono); font-size: .87em; }
button, input { font: inherit; font-size: .83rem; color: var(--ink); background: var(--surface); border: 1px solid var(--line);
  border-radius: 6px; padding: .2rem .6rem; }
button { cursor: pointer; } button:hover { border-color: var(--faint); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
summary { cursor: pointer; }
.definitions { position: absolute; }
.icon { width: 1em; height: 1em; flex: none; vertical-align: -.13em; margin-right: .45em; fill: none; stroke: var(--c, currentColor);
  stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.version { font-weight: 400; color: var(--soft); }
.brand { color: var(--soft); padding-top: 1.6rem; font-size: .9rem; overflow-wrap: anywhere; } .brand b { color: var(--ink); margin-right: .4em; }
.card .condition { display: block; } .condition::before { content: "when "; font-family: system-ui, sans-serif; color: var(--soft); } .condition { font-family: var(--mono); font-size: .83em; color: var(--ink); overflow-wrap: anywhere; font-weight: 400; }
.condition.in-words::before { content: none; } .condition.in-words { font-family: system-ui, sans-serif; color: var(--soft); }
html:not(.js) button, html:not(.js) .tools { display: none; }

.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 330px), 1fr)); gap: 1rem; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.2rem 1.2rem; min-width: 0; }
.card.faulty { border-top: 3px solid var(--wrong); } .card.sound { border-top: 3px solid var(--good); }
.card.absent { background: none; border-style: dashed; color: var(--soft); overflow-wrap: anywhere; }
.card h2 { font-size: 1.1rem; } .card h2 a { text-decoration: none; }
.bar { display: flex; gap: 2px; height: 9px; margin: .7rem 0 .8rem; border-radius: 5px; overflow: hidden; }
.bar span { background: var(--c); min-width: 5px; flex-basis: 0; }
.bar .k-conforms { opacity: .75; } .bar .k-gap { opacity: .5; }
.counts { display: grid; grid-template-columns: auto auto; gap: .1rem 1rem; white-space: nowrap; } .counts li:first-child { grid-column: 1 / -1; } .counts .none { color: var(--faint); }
.counts .none .icon { stroke: var(--faint); }
.worst { margin-top: .9rem; border-top: 1px solid var(--line); padding-top: .7rem; font-size: .9rem; line-height: 1.4; }
.worst li { display: flex; margin-bottom: .45rem; } .worst li .icon { margin-top: .2em; } .worst a { overflow-wrap: anywhere; min-width: 0; text-decoration: none; }
.remarks { margin-top: .9rem; border-top: 1px solid var(--line); padding: .7rem 0 0; list-style: none; color: var(--soft);
  font-size: .85rem; line-height: 1.4; overflow-wrap: anywhere; }
.worst a:hover { text-decoration: underline; } .worst .more { margin-left: 1.45em; color: var(--soft); }

nav { position: sticky; top: 0; z-index: 2; background: var(--page); border-bottom: 1px solid var(--line); margin-top: 2rem;
  padding: .55rem max(clamp(1rem, 3vw, 2.5rem), calc((100vw - 1240px) / 2 + 2.5rem)); display: flex; flex-wrap: wrap; align-items: center; gap: .3rem 1.2rem; font-size: .9rem; }
nav a { text-decoration: none; color: var(--soft); white-space: nowrap; } nav a:hover { color: var(--ink); text-decoration: underline; }
nav a.faulty::before, nav a.sound::before { content: ""; display: inline-block; width: .55em; height: .55em; border-radius: 50%;
  margin-right: .4em; background: var(--good); } nav a.faulty::before { background: var(--wrong); border-radius: 1px; transform: rotate(45deg); }
.tools { margin-left: auto; display: flex; gap: .5rem; align-items: center; } #filter { width: 11rem; } #shown { color: var(--soft); font-size: .83rem; }

section { padding-top: 2.6rem; }
main { padding-bottom: 5rem; }
.lead { color: var(--soft); margin: .2rem 0 .4rem; }
h3 small { margin-left: .4em; }
.group, .fold { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; margin: .6rem 0; }
.group { border-left: 3px solid var(--c); }
.group > summary, .fold > summary { display: flex; align-items: baseline; padding: .7rem 1rem; list-style: none; gap: .1rem; }
.group > summary::-webkit-details-marker, .fold > summary::-webkit-details-marker { display: none; }
.group > summary .icon, .fold > summary .icon { align-self: center; }
.group > summary::after, .fold > summary::after { content: "+"; color: var(--faint); margin-left: .8em; width: .7em; text-align: center; flex: none; }
.group[open] > summary::after, .fold[open] > summary::after { content: "\2212"; }
.fold > summary { flex-wrap: wrap; gap: .1rem .5rem; position: relative; padding-right: 2.6rem; } .fold > summary::after { position: absolute; right: 1rem; } .fold > summary .icon { margin-right: 0; } .fold > summary span:first-of-type { font-weight: 650; }
.fold > summary small { flex: 1 1 20rem; }
.group[open] > summary .condition { display: none; } .sentence .condition { margin-left: .5em; } .sentence { font-weight: 600; flex: 1; min-width: 0; overflow-wrap: anywhere; }
.count { color: var(--soft); font-size: .87rem; white-space: nowrap; margin-left: .8em; }
.body { padding: 0 1rem 1rem; display: grid; gap: .8rem; grid-template-columns: minmax(0, 1fr); }
.when { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: baseline; }
.when .label, .when .alike { color: var(--soft); font-size: .87rem; }
.chips { display: contents; } .chip { border: 1px solid var(--line); border-radius: 5px; padding: 0 .45em; color: var(--soft); overflow-wrap: anywhere; min-width: 0; }
.chip.blamed { color: var(--ink); border-color: var(--c); background: color-mix(in srgb, var(--c) 10%, transparent); font-weight: 600; }
.waiver { color: var(--soft); overflow-wrap: anywhere; } .complaint { color: var(--wrong); font-weight: 600; overflow-wrap: anywhere; }
.says { overflow-wrap: anywhere; max-width: 78ch; }
.long summary { overflow-wrap: anywhere; } .long pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 20rem; overflow: auto;
  background: var(--well); border-radius: 6px; padding: .6rem .8rem; margin-top: .4rem; }
.evidence { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); gap: 1rem 2.2rem; align-items: start; }
.violation { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.1rem; }
dt { color: var(--soft); font-size: .87rem; } dd { margin: 0; overflow-wrap: anywhere; }
.same { color: var(--soft); } .violation b { color: var(--ink); }
.times { font-weight: 600; }
.gate { display: inline-block; margin-right: 1.1em; } .gate code { color: var(--soft); }
.plots { display: grid; gap: .4rem; } .plot, .histogram { width: 100%; height: auto; max-width: 560px; display: block; overflow: visible; }
.plot text, .histogram text { font-size: 11px; fill: var(--soft); font-family: inherit; }
.plot .tick, .histogram .tick { fill: var(--faint); } .grid { stroke: var(--line); }
.honest { fill: var(--good); opacity: .11; } .bound { fill: none; stroke: var(--good); stroke-width: 2; }
.error { fill: none; stroke: var(--soft); stroke-width: 1; opacity: .55; } .within { fill: var(--good); } .over { fill: var(--wrong); }
.plot .first { stroke: var(--wrong); stroke-dasharray: 3 3; } .plot .first-label { fill: var(--wrong); font-weight: 600; }
figcaption { font-size: .83rem; color: var(--soft); }
.key { display: inline-block; margin: 0 .4em 0 0; } .error-key { width: .6em; height: .6em; border-radius: 50%; background: var(--wrong); }
.bound-key { width: 1.2em; height: 2px; background: var(--good); vertical-align: middle; margin-left: 1.2em; }
.reduced { border-left: 3px solid var(--accent); padding-left: .8rem; display: grid; gap: .4rem; }
.replay { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.replay pre { flex: 1 1 24rem; min-width: 0; background: var(--well); border-radius: 6px; padding: .5rem .7rem; max-height: 14rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.buttons { display: flex; gap: .4rem; }
.cases summary { color: var(--soft); font-size: .87rem; width: max-content; } .cases ul { margin-top: .4rem; display: grid; gap: .35rem; }
.cases li { overflow-wrap: anywhere; line-height: 1.4; padding-left: .8rem; border-left: 2px solid var(--line); } .cases .replay { margin-top: .4rem; }
.rows { width: 100%; border-collapse: collapse; } .rows td { border-top: 1px solid var(--line); padding: .55rem 1rem; vertical-align: top; overflow-wrap: anywhere; }
.rows .n { width: 4rem; text-align: right; font-variant-numeric: tabular-nums; font-weight: 600; padding-right: 0; }

.scroll { overflow-x: auto; margin-top: 1rem; }
table { border-collapse: collapse; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: .87rem; color: var(--soft); margin-top: .5rem; }
.matrix thead th { text-align: center; font-size: .87rem; line-height: 1.3; padding: .3rem .8rem; vertical-align: bottom; }
.matrix th:first-child { position: sticky; left: 0; background: var(--page); z-index: 1; } .matrix tbody th { text-align: left; font-weight: 400; padding: .22rem 1.2rem .22rem 0; font-size: .9rem; min-width: 10rem; max-width: 34rem; overflow-wrap: anywhere; }
.matrix .operator th { font-weight: 650; font-size: 1rem; padding-top: 1.3rem; } .matrix .whole th { color: var(--soft); }
.matrix .value { font-weight: 600; } .matrix tr + tr > * { border-top: 1px solid var(--line); }
.cell { text-align: center; white-space: nowrap; min-width: 6.5rem; padding: .22rem .5rem; font-size: .83rem; font-variant-numeric: tabular-nums; color: var(--c); border-left: 3px solid var(--page); border-right: 3px solid var(--page); }
.cell .icon { margin: 0; width: 1.1em; height: 1.1em; } .cell span { margin-left: .35em; }
.cell.some { box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--c) 45%, transparent); }
.cell.all { background: var(--c); color: var(--surface); font-weight: 600; } .cell.all .icon { stroke: var(--surface); }
.fingerprint { font-size: .9rem; } .fingerprint th, .fingerprint td { text-align: left; vertical-align: top; padding: .22rem 1.2rem .22rem 0; } .fingerprint tbody th { font-weight: 400; } .fingerprint tr + tr > * { border-top: 1px solid var(--line); }
.answer { color: var(--soft); } .answer.proved { color: var(--ink); } .answer.remarkable { font-weight: 650; color: var(--ink); }
.matrix details summary { color: var(--soft); }

.pairs { display: block; margin: 0 1rem 1rem; max-width: none; } .pairs text { font: 11px var(--mono); fill: var(--soft); }
.passed { fill: color-mix(in srgb, var(--good) var(--share), var(--well)); } .failing { fill: color-mix(in srgb, var(--wrong) var(--share), var(--well)); }
.undecided { fill: color-mix(in srgb, var(--undecided) var(--share), var(--well)); }
.s0 { --share: 0%; } .s1 { --share: 30%; } .s2 { --share: 36%; } .s3 { --share: 42%; } .s4 { --share: 48%; } .s5 { --share: 54%; } .s6 { --share: 60%; } .s7 { --share: 66%; } .s8 { --share: 72%; } .s9 { --share: 100%; }
.key-cell { width: .85em; height: .85em; vertical-align: -.08em; margin: 0 .15em; } #coverage td { white-space: nowrap; } #coverage [colspan] { text-align: center; } #coverage h2 + .note, #coverage .scroll + .definitions + .note { margin-top: .5rem; max-width: 78ch; }

.numbers th, .numbers td { padding: .4rem .9rem .4rem 0; text-align: right; font-variant-numeric: tabular-nums; border-bottom: 1px solid var(--line); }
.numbers thead th { font-size: .83rem; font-weight: 500; color: var(--soft); vertical-align: bottom; line-height: 1.25; max-width: 9rem; } .numbers th:first-child { text-align: left; min-width: 9rem; overflow-wrap: break-word; position: sticky; left: 0; background: var(--page); }
.numbers tbody th { font-weight: 600; } .numbers .none { color: var(--faint); }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 330px), 1fr)); gap: 1.6rem 2.4rem; margin-top: 1.8rem; }
.figures figcaption { font-weight: 600; color: var(--ink); margin-bottom: .3rem; } .figures svg + svg { margin-top: .7rem; }
.histogram text { font-size: 10px; }
.passport { display: grid; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr); gap: .3rem 1.4rem; margin-top: .8rem; }
@media (max-width: 560px) {
  .passport { grid-template-columns: 1fr; gap: 0; } .passport dd { margin-bottom: .5rem; }
  .cell { min-width: 4.6rem; } .matrix thead th { padding: .3rem .3rem; font-size: .78rem; } .matrix tbody th { min-width: 8rem; padding-right: .5rem; }
  nav { position: static; } .tools { margin-left: 0; } html { scroll-padding-top: 1rem; }
  .fold > summary small { flex-basis: 100%; } .rows td { padding: .5rem .7rem; } .rows .n { width: 2.6rem; }
}
@media print { nav, button { display: none; } .group, .fold, .card { break-inside: avoid; } }
)css";
}

}  // namespace cellproof::reports::html
