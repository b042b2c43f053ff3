import { authorName, commentText } from '../ooxml/comment-text.js';
import type { OoxmlPackage, Relation } from '../ooxml/ooxml-package.js';

/** Reads the people who commented on a presentation, by id; both generations of comments. */
export async function readAuthors(
  parts: OoxmlPackage,
  relations: ReadonlyMap<string, Relation>,
): Promise<ReadonlyMap<string, string>> {
  const authors = new Map<string, string>();
  for (const { type, target } of relations.values()) {
    if (type !== 'commentAuthors' && type !== 'authors') continue;
    await parts.read(target, {
      open: (name, { id, name: author = '', initials }) => {
        if ((name === 'p:cmAuthor' || name === 'p188:author') && id !== undefined) {
          authors.set(id, authorName(author, initials));
        }
      },
    });
  }
  return authors;
}

interface OpenComment {
  author?: string;
  date?: string;
  parts: string[];
}

/** The comments of a slide and the replies to them, as paragraphs, in the order of the file. */
export async function readComments(
  parts: OoxmlPackage,
  name: string | undefined,
  authors: ReadonlyMap<string, string>,
): Promise<string[]> {
  const texts: string[] = [];
  let comment: OpenComment | undefined;
  let isText = false;
  const finish = (): void => {
    const text = comment?.parts.join('').trim() ?? '';
    if (comment !== undefined && text !== '') texts.push(commentText({ ...comment, text }));
    comment = undefined;
  };
  await parts.read(name, {
    open: (element, { authorId = '', dt, created }) => {
      isText = element === 'a:t' || element === 'p:text';
      if (element === 'p188:reply' || element === 'p188:cm' || element === 'p:cm') {
        finish();
        comment = { author: authors.get(authorId), date: dt ?? created, parts: [] };
      }
    },
    close: (element) => {
      isText = false;
      if (element === 'a:p') comment?.parts.push('\n');
      if (element === 'p:cm' || element === 'p188:reply' || element === 'p188:cm') finish();
    },
    text: (text) => {
      if (isText) comment?.parts.push(text);
    },
  });
  return texts;
}
