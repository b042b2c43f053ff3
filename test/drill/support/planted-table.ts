import type { Fate } from '../../support/hidden-documents/planted-world.js';

/** What became visible when a condition of a reader was dropped. */
export interface Outcome {
  /** File of the reader. */
  readonly file: string;
  readonly fate: Fate;
  /** The route or the spec that went red; undefined: none, whatever else was dropped. */
  readonly seenBy: string | undefined;
  /** Files of the readers that had to be broken too; empty: it was red alone. */
  readonly nets: readonly string[];
}

const FATES = ['quarantined', 'deleted', 'superseded', 'foreign'] as const;
const shortNameOf = (file: string): string =>
  file.replace(/^src\/modules\/|^libs\//, '').replace(/(?:\.repository)?\.ts$/, '');

/** A table in Markdown: a line for each reader, with what was seen by dropping its conditions of each kind. */
export function tableOf(outcomes: readonly Outcome[]): string[] {
  const files = [...new Set(outcomes.map(({ file }) => file))].toSorted();
  const head = ['| Reader | Quarantined | Deleted | Superseded | Foreign |', '|---|---|---|---|---|'];
  return [
    ...head,
    ...files.map((file) => {
      const cells = FATES.map((fate) => cellOf(outcomes.filter((one) => one.file === file && one.fate === fate)));
      return `| \`${shortNameOf(file)}\` | ${cells.join(' | ')} |`;
    }),
  ];
}

function cellOf(outcomes: readonly Outcome[]): string {
  const parts = new Map<string, number>();
  for (const { seenBy, nets } of outcomes) {
    const part = partOf(seenBy, nets);
    parts.set(part, (parts.get(part) ?? 0) + 1);
  }
  return [...parts].map(([part, count]) => (count === 1 ? part : `${part} (${count})`)).join('; ');
}

function partOf(seenBy: string | undefined, nets: readonly string[]): string {
  if (seenBy === undefined) return '**green**';
  const seen = seenBy.endsWith('.ts')
    ? `\`${seenBy
        .split('/')
        .at(-1)!
        .replace(/\.int-spec\.ts$/, '')}\``
    : seenBy;
  return nets.length === 0 ? seen : `${seen} with ${nets.map(shortNameOf).join(', ')}`;
}
