import type { TurnSource } from '../turn/chat-turn.js';

type NamedSource = Pick<TurnSource, 'document_id' | 'document_name' | 'path' | 'document_created_at'>;

/**
 * Titles of the sources for a model, in their order: the name of the document. For different documents with one name it is their path, and where
 * they have no path or the same one, the name with the day of the upload.
 */
export function titlesOf(sources: readonly NamedSource[]): string[] {
  const byName = documentsBy(sources, nameOf);
  const byPath = documentsBy(sources, pathOf);
  return sources.map((source) => {
    if (byName.get(nameOf(source))!.size < 2) return nameOf(source);
    const path = pathOf(source);
    return byPath.get(path)!.size < 2 ? path : `${path} (uploaded ${source.document_created_at.slice(0, 10)})`;
  });
}

/** Sources as a model is given them, called by `titlesOf`; both in the same order. */
export function titled<T>(offered: readonly T[], sources: readonly NamedSource[]): (T & { readonly title: string })[] {
  const titles = titlesOf(sources);
  return offered.map((one, index) => ({ ...one, title: titles[index]! }));
}

const nameOf = ({ document_name: name }: NamedSource): string => name;
const pathOf = ({ path, document_name: name }: NamedSource): string => path ?? name;

/** Ids of the documents that are called the same. */
function documentsBy(
  sources: readonly NamedSource[],
  called: (source: NamedSource) => string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const documents = new Map<string, Set<string>>();
  for (const source of sources) {
    const name = called(source);
    documents.set(name, (documents.get(name) ?? new Set()).add(source.document_id));
  }
  return documents;
}
