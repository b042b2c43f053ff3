import { MarkdownScanner } from '../scanning/markdown-scanner.js';
import type { FormatParser } from './format-parser.js';
import { createTextParser } from './text.parser.js';

/** Markdown: the canonical text is the source, the blocks say what its lines mean. */
export const parseMarkdown: FormatParser = createTextParser((emit) => new MarkdownScanner(emit));
