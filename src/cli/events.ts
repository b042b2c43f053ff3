import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { UnitOfWork } from '#libs/database';
import { DatabaseTime, ParkedEvents, type ParkedSelection } from '#libs/events';
import { withRunningDatabase } from './with-running-database.js';

/**
 * `npm run events -- list`: events that a subscriber failed to take in time and that are parked; `npm run events -- resend --all`,
 * `--subscriber NAME` or `--seq NUMBER`: sends them again. The running service delivers them.
 */
const SHOWN = 200;
const TOGETHER = 500;
const USAGE =
  'Say what to do: list [--subscriber NAME] [--seq NUMBER], or resend --all | --subscriber NAME | --seq NUMBER.\n';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { all: { type: 'boolean' }, subscriber: { type: 'string' }, seq: { type: 'string' } },
});
const [verb] = positionals;
const selection: ParkedSelection = {
  ...(typeof values.subscriber === 'string' ? { subscriber: values.subscriber } : {}),
  ...(typeof values.seq === 'string' ? { seq: values.seq } : {}),
};
const says = values.all === true || Object.keys(selection).length > 0;
const known = new Set(['all', 'subscriber', 'seq']);
/** A misspelt option beside `--all` would send again what was not meant. */
const wellFormed =
  Object.keys(values).every((name) => known.has(name)) &&
  positionals.length <= 1 &&
  values.subscriber !== true &&
  (selection.seq === undefined ? values.seq === undefined : /^\d{1,18}$/.test(selection.seq));
if (!wellFormed || (verb !== 'list' && (verb !== 'resend' || !says))) {
  process.stderr.write(USAGE);
  process.exit(2);
}
await withRunningDatabase('The command', async ({ database }) => {
  const parked = new ParkedEvents(new UnitOfWork(database), new DatabaseTime());
  await (verb === 'list' ? show(parked) : resend(parked));
});

async function show(parked: ParkedEvents): Promise<void> {
  const counts = await parked.count();
  if (counts.length === 0) process.stderr.write('No event is parked.\n');
  for (const { subscriber, type, events, oldest } of counts) {
    process.stdout.write(`${subscriber} ${type}: ${events}, the first parked at ${oldest.toISOString()}\n`);
  }
  for (const event of await parked.list(selection, SHOWN)) process.stdout.write(`${JSON.stringify(event)}\n`);
}

async function resend(parked: ParkedEvents): Promise<void> {
  let sent = 0;
  for (let some = TOGETHER; some === TOGETHER;) {
    some = await parked.resend(selection, TOGETHER);
    sent += some;
  }
  process.stdout.write(`${sent} sent again.\n`);
}
