import { createHash } from 'node:crypto';
import { toNormalForm } from '#libs/common';

/** The same for questions that differ in case, white space and marks at their ends only. A hash, so that long questions have short keys. */
export function questionKeyOf(question: string): string {
  const folded = toNormalForm(question, 'NFKC').toLowerCase().replace(/\s+/gu, ' ');
  const bare = folded.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');
  return createHash('sha256')
    .update(bare === '' ? folded : bare)
    .digest('hex');
}
