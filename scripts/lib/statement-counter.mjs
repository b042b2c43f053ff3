/**
 * Loaded into the service by `--import`: counts the statements that each request sends to PostgreSQL. When an answer is complete, a line
 * `METHOD PATH COUNT` is appended to the file that STATEMENT_COUNTS_FILE names.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { Server } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';

const file = process.env['STATEMENT_COUNTS_FILE'];

if (file !== undefined && isMainThread) {
  // Not for its children.
  delete process.env['STATEMENT_COUNTS_FILE'];
  const requests = new AsyncLocalStorage();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function counted(...parameters) {
    const request = requests.getStore();
    if (request !== undefined) request.statements += 1;
    return Reflect.apply(query, this, parameters);
  };
  const { emit } = Server.prototype;
  Server.prototype.emit = function within(event, ...parameters) {
    if (event !== 'request') return Reflect.apply(emit, this, [event, ...parameters]);
    const [{ method, url }, response] = parameters;
    const request = { statements: 0 };
    const path = url.split('?', 1)[0];
    response.once('finish', () => appendFileSync(file, `${method} ${path} ${request.statements}\n`));
    return requests.run(request, () => Reflect.apply(emit, this, [event, ...parameters]));
  };
}
