import type { Term } from './overlap.js';
import { namesOfRow } from './row-choice.js';
import { SourceReader } from './source-reader.js';

/**
 * The terms of a question that goes on from earlier ones, without those that it replaces: where a row is named after a word of its own, and another row
 * of the same table after a word of an earlier question, it asks the same of another one (“what does a locker cost?”, “and a bench?”).
 * @param isOwn for each term whether it is of what was written last
 */
export function withoutReplaced<T extends Term>(
  terms: readonly T[],
  isOwn: readonly boolean[],
  sources: readonly { readonly text: string; readonly title?: string }[],
): T[] {
  if (!isOwn.includes(true) || !isOwn.includes(false)) return [...terms];
  const reader = new SourceReader(terms);
  const tables = new Map<string, Set<number>>();
  for (const { text, title } of sources) {
    for (const sentence of reader.read(text, title).sentences) {
      if (sentence.kind !== 'row' || sentence.header === null) continue;
      const named = tables.get(sentence.header) ?? new Set();
      tables.set(sentence.header, named);
      for (const term of namesOfRow(sentence, text)) named.add(term);
    }
  }
  const replaced = new Set(
    [...tables.values()].flatMap((named) =>
      [...named].some((term) => isOwn[term]) ? [...named].filter((term) => !isOwn[term]) : [],
    ),
  );
  return terms.filter((_, at) => !replaced.has(at));
}
