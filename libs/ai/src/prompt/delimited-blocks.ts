import { randomBytes } from 'node:crypto';
import { escapeSource } from './escape-source.js';

const DELIMITER_BYTES = 8;

/** Blocks of one prompt, told apart from its instructions by a delimiter. */
export interface DelimitedBlocks {
  /** Ends every marker of the prompt; the instructions name it. */
  readonly delimiter: string;
  /** A text between markers with a name, such as `passage`. */
  readonly block: (name: string, content: string) => string;
}

/** The delimiter is random and new for each prompt, so that no text can close the block that it is in. */
export function delimitedBlocks(): DelimitedBlocks {
  const delimiter = randomBytes(DELIMITER_BYTES).toString('hex');
  return {
    delimiter,
    block: (name, content) => `<${name}-${delimiter}>\n${escapeSource(content)}\n</${name}-${delimiter}>`,
  };
}
