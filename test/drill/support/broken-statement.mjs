/**
 * Loaded by `--import`: sends one statement to PostgreSQL without one of its conditions. The file that BROKEN_STATEMENT_FILE names says which, as
 * `{ "before", "dropped", "instead" }`: where `before` stands in front of `dropped`, `instead` is sent; it is read again when it changes, and an empty one breaks
 * nothing. Each statement that asks whether something is shown is appended to the file of that name + `.sent`, as a line of JSON.
 */
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';

const ASKS = /shown_documents|shown_chunks|deleted_at IS NULL|quarantined_at|generation/;
const file = process.env['BROKEN_STATEMENT_FILE'];

if (file !== undefined && isMainThread) {
  let [changedAt, broken] = [0, undefined];
  const brokenNow = () => {
    const { mtimeMs } = statSync(file);
    if (mtimeMs === changedAt) return broken;
    const text = readFileSync(file, 'utf8');
    [changedAt, broken] = [mtimeMs, text === '' ? undefined : JSON.parse(text)];
    return broken;
  };
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function asked(first, ...more) {
    const text = typeof first === 'string' ? first : first?.text;
    if (typeof text !== 'string' || !ASKS.test(text)) return Reflect.apply(query, this, [first, ...more]);
    appendFileSync(`${file}.sent`, `${JSON.stringify(text)}\n`);
    const now = brokenNow();
    if (now === undefined || !text.includes(now.before + now.dropped))
      return Reflect.apply(query, this, [first, ...more]);
    const other = text.replace(now.before + now.dropped, () => now.before + now.instead);
    // A connection has the whole statement prepared under its name.
    const changed = typeof first === 'string' ? other : { ...first, text: other, name: `${first.name}-${changedAt}` };
    return Reflect.apply(query, this, [changed, ...more]);
  };
}
