/**
 * Loaded by `--import`: sends statements to PostgreSQL without some of their conditions. The file that BROKEN_STATEMENT_FILE names says which, as
 * a list of `{ "before", "dropped", "instead" }`: where `before` stands in front of `dropped`, `instead` is sent; it is read again when it changes, and an empty one
 * breaks nothing. Each statement that asks whether something is shown is appended to the file of that name + `.sent`, as a line of JSON, and each
 * that the server refuses for what was changed to + `.refused`.
 */
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';

const ASKS = /shown_documents|shown_chunks|deleted_at IS NULL|quarantined_at|generation/;
/** Classes of codes that say that a statement is no statement: syntax and types, wrong values, parts that are not there. */
const NO_STATEMENT = /^(?:42|22|0A)/;
const file = process.env['BROKEN_STATEMENT_FILE'];

if (file !== undefined && isMainThread) {
  let [changedAt, broken] = [0, []];
  const brokenNow = () => {
    const { mtimeMs } = statSync(file);
    if (mtimeMs === changedAt) return broken;
    const text = readFileSync(file, 'utf8');
    [changedAt, broken] = [mtimeMs, text === '' ? [] : JSON.parse(text)];
    return broken;
  };
  /** The last place first, so that what stands in front of the others stays. */
  const breakAll = (text) =>
    brokenNow()
      .map((one) => ({ ...one, at: text.indexOf(one.before + one.dropped) }))
      .filter(({ at }) => at >= 0)
      .map(({ before, at, ...one }) => ({ ...one, at: at + before.length }))
      .toSorted((one, other) => other.at - one.at)
      .reduce((made, { at, dropped, instead }) => made.slice(0, at) + instead + made.slice(at + dropped.length), text);
  const noteRefused = (text, error) => {
    if (NO_STATEMENT.test(error?.code ?? '')) appendFileSync(`${file}.refused`, `${error.message}: ${text}\n`);
  };
  /** A connection has the whole statement prepared under its name. */
  const renamed = (name) => (name === undefined ? {} : { name: `${name}-${changedAt}` });
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function asked(first, ...more) {
    const text = typeof first === 'string' ? first : first?.text;
    if (typeof text !== 'string' || !ASKS.test(text)) return Reflect.apply(query, this, [first, ...more]);
    appendFileSync(`${file}.sent`, `${JSON.stringify(text)}\n`);
    const other = breakAll(text);
    if (other === text) return Reflect.apply(query, this, [first, ...more]);
    if (typeof first.submit === 'function') {
      // It sends itself and is told of its end; nothing else sends it.
      const { handleError } = first;
      Object.assign(first, renamed(first.name), {
        text: other,
        handleError(error, ...rest) {
          noteRefused(other, error);
          return Reflect.apply(handleError, first, [error, ...rest]);
        },
      });
      return Reflect.apply(query, this, [first, ...more]);
    }
    const changed = typeof first === 'string' ? other : { ...first, ...renamed(first.name), text: other };
    const answer = Reflect.apply(query, this, [changed, ...more]);
    answer?.catch?.((error) => noteRefused(other, error));
    return answer;
  };
}
