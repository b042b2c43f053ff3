import type { Refusal } from './statement-verdict.js';

/** Code units of a statement. */
export const MAX_STATEMENT_LENGTH = 20_000;
/** Brackets within brackets. */
const MAX_BRACKETS = 100;

/** Limits that a text must meet before it is parsed. */
export function checkText(sql: string): Refusal | undefined {
  if (sql.length > MAX_STATEMENT_LENGTH) {
    const detail = `The statement has ${sql.length} characters; ${MAX_STATEMENT_LENGTH} are allowed.`;
    return { code: 'too_complex', detail };
  }
  if (sql.includes('\0')) return { code: 'syntax', detail: 'The statement holds a NUL character; leave it out.' };
  // Brackets in texts and comments count too: anyone who has a hundred open ones there can close them.
  let open = 0;
  for (const character of sql) {
    if ('([{'.includes(character)) open += 1;
    else if (')]}'.includes(character)) open = Math.max(0, open - 1);
    if (open > MAX_BRACKETS) {
      return {
        code: 'too_complex',
        detail: `The statement nests more than ${MAX_BRACKETS} brackets. Write a simpler one.`,
      };
    }
  }
  return undefined;
}
