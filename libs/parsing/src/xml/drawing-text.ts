import { localName } from './xml-node.js';
import type { XmlHandler } from './xml-reader.js';

/** Elements of a drawing that hold words. */
const WORDS: ReadonlySet<string> = new Set(['title', 'desc', 'text']);

/** Passes the root and the words of an SVG drawing on, without attributes: shapes are no text. */
export function onlyWordsOfDrawing(inner: Required<XmlHandler>): XmlHandler {
  /** Elements open inside of one that holds words, that one included. */
  let depth = 0;
  let isRoot = true;
  return {
    open(name) {
      if (depth > 0 || WORDS.has(localName(name))) depth += 1;
      if (depth > 0 || isRoot) inner.open(name, {});
      isRoot = false;
    },
    close(name) {
      if (depth > 0) inner.close(name);
      depth = Math.max(0, depth - 1);
    },
    text(text) {
      if (depth > 0) inner.text(text);
    },
  };
}
