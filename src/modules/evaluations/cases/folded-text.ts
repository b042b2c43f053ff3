import { toNormalForm } from '#libs/common';

/** Without regard to case and kinds of white space. */
export function foldText(text: string): string {
  return toNormalForm(text, 'NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}
