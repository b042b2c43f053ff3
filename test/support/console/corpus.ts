/**
 * What would run as a script, leave the page or ask another host if a page took it for HTML, an address or a template. `ranHere` is watched by every
 * visitor; `foreign.example` is asked by no one. None holds a slash outside a text, so that each can be part of a path.
 */
export const ATTRIBUTE_BREAK = `"'><img src=x onerror=ranHere('break')>`;

/** As they are in a text: everything. */
const TEXTS: readonly string[] = [
  `<img src=x onerror=ranHere('image')>`,
  `<script>ranHere('script')</script>`,
  `<svg onload=ranHere('svg')><animate onbegin=ranHere('animate') attributeName=x dur=1s></svg>`,
  ATTRIBUTE_BREAK,
  `<iframe srcdoc="<script>parent.ranHere('frame')</script>"></iframe>`,
  `<a href="javascript:ranHere('link')">a link</a>`,
  `[a link](javascript:ranHere('markdown')) ![a picture](https://foreign.example/pixel.png)`,
  `<link rel=stylesheet href=https://foreign.example/style.css><style>@import 'https://foreign.example/more.css'</style>`,
  `</textarea></title></style><script src=https://foreign.example/script.js></script>`,
  `{{constructor.constructor('ranHere(1)')()}} \${ranHere('template')} <%= ranHere('erb') %>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=ranHere('math')&gt;">`,
  `<form action=https://foreign.example/><input autofocus onfocus=ranHere('focus')><button>go</button></form>`,
  `<base href=https://foreign.example/><meta http-equiv=refresh content="0;url=https://foreign.example/">`,
  `&lt;img src=x onerror=ranHere('entity')&gt; &#60;script&#62;ranHere('number')&#60;&#47;script&#62;`,
  `<details open ontoggle=ranHere('toggle')><video src=x onerror=ranHere('video')></video></details>`,
];

/** One line of the corpus, as every place of a document has it. */
export interface Hostile {
  readonly number: number;
  /** As it is in texts, metadata and questions. */
  readonly text: string;
  /** As a name, a tag or a part of a path: without slashes and what ends a name of a form. */
  readonly name: string;
}

export const CORPUS: readonly Hostile[] = TEXTS.map((text, index) => ({
  number: index + 1,
  text: `place ${index + 1} ${text}`,
  name: `${index + 1} ${text.replaceAll(/[/\\"]/g, '').slice(0, 90)}`,
}));
