/** Text that is HTML, SVG or XML already. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Markup[] | null;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes every value as text unless it is `Markup`, so that nothing that a user wrote becomes a tag or an attribute. */
export function markup(parts: TemplateStringsArray, ...values: readonly Part[]): Markup {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) text += textOf(value) + (parts[index + 1] ?? '');
  return new Markup(text);
}

/** For each item, one after another. */
export function each<T>(items: readonly T[], toMarkup: (item: T, index: number) => Markup): Markup {
  return new Markup(items.map((item, index) => toMarkup(item, index).text).join(''));
}

export const NOTHING = new Markup('');

function textOf(value: Part): string {
  if (value === null) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeMarkup(String(value));
}

/** Characters that XML 1.0 has no place for become U+FFFD. */
function escapeMarkup(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
