/**
 * The service and, in the same process, a bare Fastify route that does nothing but one `SELECT 1` on a connection of its own. A child
 * of bench/requests.mjs, which sends `{do, …}` over the channel of the two and gets `{done}` or `{failed}`.
 */
import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { Server } from 'node:http';
import Fastify from 'fastify';
import pg from 'pg';
import { Database } from '../../dist/libs/database/src/index.js';
import { openService } from './service-in-process.mjs';

/** Per request, while they are counted. */
let counted;
countStatements();

const { settings, stores, app } = await openService();
await app.listen(0, '127.0.0.1');
const client = new pg.Client({ connectionString: app.get(Database).url });
await client.connect();
const bare = Fastify({ forceCloseConnections: true });
bare.get('/', async () => (await client.query({ name: 'one', text: 'SELECT 1 AS one' })).rows[0]);
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

const COMMANDS = {
  /** From now on statements are counted for each request; what is counted slows it down. */
  startCounting: () => void (counted = []),
  /** Statements of each request since then, with their texts. */
  stopCounting() {
    const requests = counted;
    counted = undefined;
    return requests;
  },
  /** Processes of the embedded database, which is no descendant of this one; of another database none. */
  databasePids() {
    try {
      return [Number(readFileSync(`${settings.dataDir}/postgres/cluster/postmaster.pid`, 'utf8').split('\n', 1)[0])];
    } catch (error) {
      if (error.code === 'ENOENT') return [];
      throw error;
    }
  },
};

process.on('message', ({ id, do: name }) => {
  if (name === 'stop') return void stop();
  carryOut(id, name);
});
process.on('disconnect', () => process.exit(1));
process.send({ ready: { url: `${await app.getUrl()}/api/v1`, bareUrl } });

function countStatements() {
  const requests = new AsyncLocalStorage();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function noting(...parameters) {
    const [first] = parameters;
    requests.getStore()?.push(typeof first === 'string' ? first : first.text);
    return Reflect.apply(query, this, parameters);
  };
  const { emit } = Server.prototype;
  Server.prototype.emit = function within(event, ...parameters) {
    const goOn = () => Reflect.apply(emit, this, [event, ...parameters]);
    if (event !== 'request' || counted === undefined) return goOn();
    const statements = [];
    counted.push(statements);
    return requests.run(statements, goOn);
  };
}

function carryOut(id, name) {
  try {
    process.send({ id, done: COMMANDS[name]() ?? null });
  } catch (error) {
    process.send({ id, failed: error.stack });
  }
}

async function stop() {
  await bare.close();
  await client.end();
  await app.close();
  await stores.close();
  process.disconnect();
  process.exit(0);
}
