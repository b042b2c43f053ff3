/**
 * `npm run drill:login-flood -- [rounds]` (1): four addresses send wrong passwords as fast as the default limits let them, while someone
 * logs in: once from a network that logged in before, once from one that never did. Prints how long that takes, in rest and in the flood.
 * Rounds are a minute apart, for the limits count by minutes. Exit code 0 only when every login of the known network succeeded within
 * two seconds.
 */
import '../crash/support/typescript-hooks.mjs';

const { buildOnce } = await import('../../scripts/build-once.mjs');
await buildOnce();
const { ServiceProcess } = await import('../../scripts/lib/service-process.ts');
const { ApiClient } = await import('../../scripts/lib/api-client.ts');

const ROUNDS = Number(process.argv[2] ?? 1);
/** RATE_LIMIT_LOGIN by default: this many logins a minute has each address. */
const OF_ADDRESS = 20;
const FLOODERS = [1, 2, 3, 4].map((n) => `203.0.${112 + n}.7`);
const KNOWN = '198.51.100.7';
const strangerOf = (round) => `192.0.2.${10 + round}`;
const MOST_MS = 2_000;
const MINUTE_MS = 61_000;

const print = (line) => process.stdout.write(`${line}\n`);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const service = await ServiceProcess.start({ settings: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' } });
try {
  await drill();
} finally {
  await service.dispose();
}

async function drill() {
  const atRest = [];
  for (let n = 0; n < 5; n += 1) atRest.push(await logIn(KNOWN));
  print(`at rest: ${atRest.map(shown).join(', ')}`);
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round > 0) await wait(MINUTE_MS);
    const flood = FLOODERS.flatMap((address) => Array.from({ length: OF_ADDRESS }, (_, n) => guess(address, n)));
    await wait(200);
    const [known, stranger] = await Promise.all([logIn(KNOWN), logIn(strangerOf(round))]);
    const counts = Object.groupBy(await Promise.all(flood), (status) => status);
    const answered = Object.entries(counts).map(([status, all]) => `${all.length} × ${status}`);
    print(
      `in the flood: ${shown(known)} from a known network, ${shown(stranger)} from a new one; the flood: ${answered.join(', ')}`,
    );
    if (known.status !== 200 || known.ms > MOST_MS) process.exitCode = 1;
  }
}

async function logIn(address) {
  const began = performance.now();
  const { email, password } = service.admin;
  const { status } = await send(address, { email, password });
  return { status, ms: performance.now() - began };
}

async function guess(address, n) {
  const { status } = await send(address, { email: `person-${n}@example.com`, password: `a wrong password ${n}` });
  return status;
}

function send(address, body) {
  return new ApiClient(service.url, { 'X-Forwarded-For': address }).send('POST', '/auth/login', body);
}

function shown({ status, ms }) {
  return status === 200 ? `${Math.round(ms)} ms` : `${status} after ${Math.round(ms)} ms`;
}
