/** Styles of the page. Colours of text reach 4.5 : 1 on their background, light and dark; a type has a colour and a shape. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --page: #fff; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --shade: #f3f5f8; --mark: #0b5cad;
  --person: #0b5cad; --organisation: #b3261e; --place: #116329; --product: #8a5300; --term: #57606a; --date: #6f42c1; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1318; --text: #e6eaef; --soft: #a0aab5; --line: #39424d; --shade: #181e26;
  --mark: #6cb2ff; --person: #6cb2ff; --organisation: #ff8f85; --place: #6fd08c; --product: #f0b35a; --term: #a0aab5; --date: #c8a6ff; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; padding: 0 1rem 1rem; background: var(--page); color: var(--text); font: 1rem/1.45 system-ui, sans-serif;
  overflow-wrap: anywhere; }
h1 { font-size: 1.3rem; margin: .7rem 0 0; } h2 { font-size: 1.05rem; margin: 0 0 .5rem; } h3 { font-size: .95rem; margin: 1rem 0 .3rem; }
header p { margin: 0 0 .6rem; color: var(--soft); }
main { display: grid; grid-template: "entities picture details" minmax(30rem, calc(100vh - 6.5rem)) / 17rem minmax(0, 1fr) 21rem; gap: 1rem; }
section { min-width: 0; } #entities { grid-area: entities; display: flex; flex-direction: column; min-height: 0; }
#picture { grid-area: picture; display: flex; flex-direction: column; } #details { grid-area: details; overflow-y: auto; }
@media (max-width: 60rem) { main { grid-template: "entities" "picture" "details" / minmax(0, 1fr); } #list { max-height: 20rem; }
  #drawing { height: 26rem; flex: none; } }
label[for=search] { font-weight: 600; } #search { width: 100%; padding: .4rem; font: inherit; }
fieldset { border: 1px solid var(--line); margin: .6rem 0 .3rem; padding: .3rem .6rem; }
#types label { display: block; } #shown { margin: .3rem 0; color: var(--soft); font-size: .9rem; }
#list { flex: 1; min-height: 8rem; overflow-y: auto; margin: 0; padding: 0; border: 1px solid var(--line); list-style: none; }
#list button { display: block; width: 100%; padding: .2rem .5rem; border: 0; background: none; text-align: left; }
#list button:hover { background: var(--shade); } #list button[aria-current=true] { background: var(--shade); font-weight: 700; }
button { font: inherit; color: inherit; cursor: pointer; }
.tools { margin: 0 0 .5rem; } .tools button { border: 1px solid var(--line); background: var(--shade); padding: .2rem .6rem; }
.other { border: 0; background: none; padding: 0; color: var(--mark); text-decoration: underline; text-align: left; }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 2px solid var(--mark); outline-offset: -2px; }
#drawing { flex: 1; min-height: 16rem; border: 1px solid var(--line); background: var(--page); }
.__________cytoscape_container { position: relative; }
.mark { display: inline-block; width: 1.2em; text-align: center; } .mark.person { color: var(--person); }
.mark.organisation { color: var(--organisation); } .mark.place { color: var(--place); } .mark.product { color: var(--product); }
.mark.term { color: var(--term); } .mark.date { color: var(--date); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: 0; } dt { color: var(--soft); } dd { margin: 0; }
#detail ul { margin: 0; padding: 0; list-style: none; } #detail li { padding: .35rem 0; border-bottom: 1px solid var(--line); }
blockquote { margin: .2rem 0; padding-left: .6rem; border-left: 3px solid var(--line); white-space: pre-line; }
mark { background: none; color: inherit; font-weight: 700; text-decoration: underline; } a { color: var(--mark); }
code, .address { font: .82em/1.4 ui-monospace, monospace; } .soft { color: var(--soft); }
`;
