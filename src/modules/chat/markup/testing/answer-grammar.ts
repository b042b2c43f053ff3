import fc from 'fast-check';

/** An address that no answer may lead to, in the forms that readers of Markdown, of HTML and of plain text take for one. */
const ADDRESSES = [
  'https://evil.example/p',
  'http://evil.example/p(a(b)c).png',
  'https://evil.example/p\\(a.png',
  'HTTPS://EVIL.EXAMPLE/',
  '//evil.example/p.png',
  '&#104;ttps://evil.example/p',
  'https&colon;//evil.example/p',
  'https:\\/\\/evil.example/p',
  'www.evil.example/p',
  'me@evil.example',
  'mailto:me@evil.example',
  'ftp://evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://docs.example@evil.example/',
  'https://docs.example.evil.example/',
  'https://docs.example"@evil.example/',
  'https:\\\\evil.example/',
  'xhttps://evil.example',
  'evil.com/p',
];
/** Links that may lead where they lead. */
const ALLOWED = [
  'https://docs.example/a_b',
  'https://docs.example/p(a)?q=1&lt;2',
  '<https://docs.example/a>',
  'https://docs.example',
];
/** Images, links, definitions, tags: `@` represents an address. */
const FORMS = [
  '![x](@)',
  '[x](@)',
  '![x](@ "a \\" b")',
  '![x](@ (a \\( b))',
  "[x]( <@> 'a')",
  '![x](<@ a>)',
  '\\`![x](@)\\`',
  '`a` ![x](@) `b`',
  '![a`](@)`',
  '![x][y]',
  '[y]',
  '[y][]',
  '[![x](@)](@)',
  '<@>',
  '@',
  '<img src=@>',
  '<img\nsrc="@">',
  '<a href="@">x</a>',
  '<script>fetch("@")</script>',
  '<style>@import "@"</style>',
  '<iframe src=@></iframe>',
  '<form action=@><input></form>',
  '<!-- @ -->',
  '<svg/onload=x>',
  '<?x @ ?>',
  '<![CDATA[@]]>',
  '[^1]',
  '^[@]',
];
/** What is at the beginning of a line. */
const LINES = [
  '\n[y]: @\n',
  '\n\n> [y]: @\n',
  '\n\n- [y]: <@>\n',
  '\n\n[y]:\n@\n"t"\n\n',
  '\n\n[^1]: @\n',
  '\n\n<div><img src=@>\n',
  '\n\n    <img src=@>\n',
  '\n```html\n<img src=@>\n```\n',
  '\n~~~\n<img src=@>\n',
  '\n~~~\n',
  '\n```\n',
  '\n\n| a | ![x](@) |\n|---|---|\n| `|` | <img src=@> |\n',
  '\n\na | b\n--|--\n`<img src=@> | x`\n',
  '\n\n- [ ] @\n  - [x](@)\n\n    <b>\n',
  '\n1. @\n   ```\n   <img src=@>\n   ```\n2. b\n',
  '\n===\n',
  '\n---\n',
  '\n# @ #\n',
  '\n> ',
  '\n- ',
  '\n   1) ',
  '\n\t',
  '\n\n',
  '\n',
];
const GLUE = [
  '`',
  '``',
  '```',
  '*',
  '**',
  '_',
  '~',
  '~~',
  '[',
  ']',
  '(',
  ')',
  '<',
  '>',
  '\\',
  '!',
  '|',
  '&',
  ';',
  ':',
  '"',
  "'",
  '/',
  '^',
  '#',
  '+',
  '-',
  '=',
  '.',
  '1.',
  ' ',
  '  ',
  'word',
  'b',
  '[1]',
  ' [9]',
  '[1, 2]',
  '&lt;',
  '&amp;',
  '&#96;',
  '&nbsp;',
  '🚀',
  '水泵',
];

const address = fc.constantFrom(...ADDRESSES, ...ALLOWED);
const filled = (forms: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...forms), address).map(([form, to]) => form.replaceAll('@', to));
const code = fc
  .tuple(
    fc.constantFrom('`', '``', '```'),
    fc.array(fc.oneof(filled(FORMS), fc.constantFrom(...GLUE)), { maxLength: 4 }),
  )
  .map(([mark, parts]) => mark + parts.join('') + mark);

/** Answers that hold what an obedient model was told to write, in every mixture of marks. */
export const hostileAnswer: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...GLUE) },
      { weight: 3, arbitrary: filled(FORMS) },
      { weight: 2, arbitrary: filled(LINES) },
      { weight: 1, arbitrary: code },
    ),
    { minLength: 1, maxLength: 14 },
  )
  .map((parts) => parts.join(''));

/** Whether a link leads where the grammar's allowed ones lead. */
export function isAllowedLink(href: string): boolean {
  return URL.canParse(href) && /^https:\/\/docs\.example(?:[/?#]|$)/.test(new URL(href).href);
}
