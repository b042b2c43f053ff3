/** Whether an answer contains what it should. */

/** Of the shorter of a quoted place and a passage this much must be in both. */
const SHARED = 0.5;

/**
 * With exact answers: one of them is in the answer, spaces, case and signs aside. With passages: one of the quoted
 * sentences is the passage, part of it, or holds it.
 */
export function isContained({ answers, evidence }, { answer, quotes }) {
  if (answers !== undefined) return answers.some((one) => plain(answer).includes(plain(one)));
  return evidence.some((passage) => quotes.some((quote) => meets(passage, quote)));
}

/** The same of the answer with its sources: a passage that is given may hold what is not quoted. */
export function isContainedInSources({ answers, evidence }, { answer, sources }) {
  if (answers !== undefined)
    return isContained({ answers }, { answer: [answer, ...sources.map(({ text }) => text)].join('\n') });
  return evidence.some((passage) => sources.some((source) => meets(passage, source)));
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
