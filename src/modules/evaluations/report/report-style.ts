import { createHash } from 'node:crypto';

/** Styles of the report. Colours reach 4.5 : 1 on their background, light and dark; a print is light. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --page: #fff; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --shade: #f3f5f8;
  --mark: #0b5cad; --good: #116329; --bad: #b3261e; --unsure: #8a5300; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1318; --text: #e6eaef; --soft: #a0aab5; --line: #39424d; --shade: #181e26;
  --mark: #6cb2ff; --good: #6fd08c; --bad: #ff8f85; --unsure: #f0b35a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1rem 1rem 3rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
h3 { margin-bottom: .25rem; } p, dl { max-width: 46rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dt { color: var(--soft); } dd { margin: 0; }
a { color: var(--mark); } a:focus-visible, .wide:focus-visible, summary:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
.verdict { display: inline-block; padding: .1rem .7rem; border: 2px solid; border-radius: 1rem; font-weight: 700; white-space: nowrap; }
.pass { color: var(--good); } .fail { color: var(--bad); } .inconclusive { color: var(--unsure); }
.note { color: var(--soft); font-size: .9rem; }
figure { margin: 1rem 0 2rem; } figcaption { font-weight: 600; }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; } caption { text-align: left; color: var(--soft); padding: .2rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
th { min-width: 4rem; } tbody th { max-width: 16rem; }
thead th { background: var(--shade); } .number, thead .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td:has(> bdi) { min-width: 14rem; } td > bdi { overflow-wrap: anywhere; } code, pre { font: .88em/1.45 ui-monospace, monospace; white-space: pre-wrap; }
pre { background: var(--shade); padding: .6rem; margin: .3rem 0; }
svg { display: block; width: 100%; min-width: 30rem; max-width: 48rem; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--text); } svg .axis { stroke: var(--line); } svg .zero { stroke: var(--soft); stroke-dasharray: 3 3; }
svg .range { stroke: var(--mark); stroke-width: 3; } svg .dot { fill: var(--mark); } svg .bar { fill: var(--mark); }
svg .gate { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 5 3; } svg .soft { fill: var(--soft); }
svg .up { fill: var(--good); } svg .down { fill: var(--bad); }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
@media print { :root { color-scheme: light; --page: #fff; --text: #000; --soft: #444; --line: #999; --shade: #eee; --mark: #0b5cad;
  --good: #116329; --bad: #b3261e; --unsure: #8a5300; }
  body { max-width: none; font-size: 10pt; padding: 0; } nav { display: none; } .wide { overflow: visible; }
  svg, th, td, td:has(> bdi) { min-width: 0; } table { font-size: .85rem; } th, td { overflow-wrap: anywhere; } .number, thead .number { white-space: normal; }
  tr, svg, figcaption, h2, h3 { break-inside: avoid; } h2, h3, figcaption { break-after: avoid; } thead { display: table-header-group; } }
`;

const HASH = createHash('sha256').update(REPORT_STYLE).digest('base64');

/** What the page may do wherever it is opened: show its own styles, and nothing else. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'`;
/** The same of the answer, which must not be framed and has no origin. */
export const SERVED_POLICY = `${PAGE_POLICY}; frame-ancestors 'none'; sandbox`;
