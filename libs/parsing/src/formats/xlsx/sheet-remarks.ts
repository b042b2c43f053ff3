import { commentText } from '../ooxml/comment-text.js';
import type { OoxmlPackage, Relation } from '../ooxml/ooxml-package.js';

/** Names of the people who commented on a workbook, by id. */
export async function readPersons(parts: OoxmlPackage, name: string | undefined): Promise<ReadonlyMap<string, string>> {
  const persons = new Map<string, string>();
  await parts.read(name, {
    open: (element, { id, displayName }) => {
      if (element === 'person' && id !== undefined) persons.set(id, displayName ?? '');
    },
  });
  return persons;
}

/** The comments on a sheet as paragraphs: threads first, then notes that no thread replaces. */
export async function readRemarks(
  parts: OoxmlPackage,
  relations: ReadonlyMap<string, Relation>,
  persons: ReadonlyMap<string, string>,
): Promise<string[]> {
  const texts: string[] = [];
  const threaded = new Set<string>();
  for (const { type, target } of relations.values()) {
    if (type === 'threadedComment') texts.push(...(await readThreads(parts, target, persons, threaded)));
  }
  for (const { type, target } of relations.values()) {
    if (type === 'comments') texts.push(...(await readNotes(parts, target, threaded)));
  }
  return texts;
}

async function readThreads(
  parts: OoxmlPackage,
  name: string | undefined,
  persons: ReadonlyMap<string, string>,
  threaded: Set<string>,
): Promise<string[]> {
  const texts: string[] = [];
  let comment: { place: string; author?: string; date?: string } | undefined;
  let text = '';
  await parts.read(name, {
    open: (element, { ref = '', personId = '', dT }) => {
      if (element !== 'threadedComment') return;
      comment = { place: ref, author: persons.get(personId), date: dT };
      threaded.add(ref);
      text = '';
    },
    close: (element) => {
      if (element === 'threadedComment' && comment !== undefined) texts.push(commentText({ ...comment, text }));
    },
    text: (piece) => (text += piece),
  });
  return texts;
}

async function readNotes(
  parts: OoxmlPackage,
  name: string | undefined,
  threaded: ReadonlySet<string>,
): Promise<string[]> {
  const texts: string[] = [];
  const authors: string[] = [];
  let open: { place: string; author: number } | undefined;
  let text = '';
  await parts.read(name, {
    open: (element, { ref = '', authorId }) => {
      if (element === 'author') text = '';
      if (element !== 'comment') return;
      open = { place: ref, author: Number(authorId) };
      text = '';
    },
    close: (element) => {
      if (element === 'author') authors.push(text.trim());
      if (element !== 'comment' || open === undefined) return;
      const author = authors[open.author];
      if (!threaded.has(open.place) && /\S/.test(text)) {
        texts.push(commentText({ place: open.place, author, text: withoutAuthor(text, author) }));
      }
      open = undefined;
    },
    text: (piece) => (text += piece),
  });
  return texts;
}

/** Notes usually begin with the name of their author. */
function withoutAuthor(text: string, author: string | undefined): string {
  const head = `${author ?? ''}:`;
  return head !== ':' && text.trimStart().startsWith(head) ? text.trimStart().slice(head.length) : text;
}
