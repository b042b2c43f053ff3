import { closeSync, openSync, writeSync } from 'node:fs';
import { readFileChunks } from '../charset/file-chunks.js';

/** The break of a folded line within a character of UTF-8: programs fold after 75 bytes, wherever those end. */
const CUT = /(?<=[\xc2-\xf4][\x80-\xbf]{0,2})\r?\n[ \t](?=[\x80-\xbf])/g;
/** Bytes of a character and of a break that the next piece may go on with. */
const HELD_BYTES = 8;

/**
 * Copies a calendar or contacts with characters in one piece that the folding of lines has cut; other breaks stay. False where no character was cut, and
 * nothing needs to be copied.
 */
export async function joinCutCharacters(path: string, copy: string): Promise<boolean> {
  const target = openSync(copy, 'w', 0o600);
  let held = '';
  let hasCut = false;
  const put = (text: string): void => {
    const joined = text.replace(CUT, '');
    hasCut ||= joined.length < text.length;
    const end = joined.length - HELD_BYTES;
    held = joined.slice(Math.max(end, 0));
    writeFully(target, joined.slice(0, Math.max(end, 0)));
  };
  try {
    for await (const chunk of readFileChunks(path)) put(held + chunk.toString('latin1'));
    writeFully(target, held);
  } finally {
    closeSync(target);
  }
  return hasCut;
}

function writeFully(file: number, text: string): void {
  const bytes = Buffer.from(text, 'latin1');
  for (let offset = 0; offset < bytes.length;) offset += writeSync(file, bytes, offset);
}
