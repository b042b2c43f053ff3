import ts from 'typescript';

/**
 * The tree of a source file, for a rule about nodes that cannot be written without what `words` matches; undefined where the text holds none
 * of that. Most files hold none, and parsing all of them takes seconds.
 */
export function parseWhere(words: RegExp, path: string, text: string): ts.SourceFile | undefined {
  return words.test(text) ? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) : undefined;
}
