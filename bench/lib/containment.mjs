/** Whether an answer contains what it should. */

/** Of the shorter of a quoted place and a passage this much must be in both. */
const SHARED = 0.5;

/**
 * With exact answers: one of them stands in the answer, spaces, case and signs aside. With passages: one of the quoted
 * sentences is the passage, part of it, or holds it.
 */
export function isContained({ answers, evidence }, { answer, quotes }) {
  if (answers !== undefined) return answers.some((one) => plain(answer).includes(plain(one)));
  return evidence.some((passage) => quotes.some((quote) => meets(passage, quote)));
}

function meets(passage, quote) {
  if (passage.document !== quote.document) return false;
  const shared = Math.min(passage.end, quote.end) - Math.max(passage.start, quote.start);
  return shared >= SHARED * Math.min(passage.end - passage.start, quote.end - quote.start);
}

/** Letters and digits only. */
function plain(text) {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
