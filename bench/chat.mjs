/**
 * Streamed chats beside the model and the search that they rest on:
 *
 *   npm run bench:chat -- [--quick | --tiny] [--only first,text,many,slow] [--json FILE]
 *
 * Starts the built service with a double of OpenAI in a process of its own that says its first words after a fixed time and the rest at a fixed
 * pace, and measures: the time until the first event of a stream beyond the double's own and the search's `timings_ms.total`, alone and
 * with 100 streams open and 5 new ones a second; 1,000 streams opened at 20 a second: errors, the longest silence of any of them, and the
 * memory of the service while all are open against its idle; readers who take nothing while the model writes much. The client shares the
 * machine with all of it. The exit code is 1 when a target is missed. `--quick` takes a tenth of the streams and says little,
 * `--tiny` a few streams and hardly any time: only whether all phases run.
 */
import { rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { openStream } from './lib/chat-stream.mjs';
import { measureFirstTexts } from './lib/first-texts.mjs';
import { startDouble } from './lib/double-process.mjs';
import { memorySettings, readServiceMemory } from './lib/service-memory.mjs';
import { openSlowReader } from './lib/slow-readers.mjs';

const KILOBYTE = 1024;
const FIRST_WORDS_MS = 200;
/** As of a model that writes 20 tokens a second. */
const PACE_MS = 50;
/** A thousand streams at once: two words a second each, so that two cores carry client, double, database and service. */
const MANY_PACE_MS = 500;
const LONG_ANSWER_WORDS = 45_000;
/** Until the buffers between the service and eight readers are full, and how long memory is looked at then. */
const FILLING_MS = 60_000;
const TARGETS = { alone: 15, withOthers: 50, silence: 2_000, perStream: 100 * KILOBYTE, perSlowReader: 10 * KILOBYTE };

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    tiny: { type: 'boolean', default: false },
    only: { type: 'string', default: 'first,text,many,slow' },
    json: { type: 'string' },
  },
});
const memoryFile = join(tmpdir(), `collected-memory-${process.pid}.json`);
/** What each kind of run takes. `warming`: calls until the code of the service is warm. */
const { share, warming, openSeconds, texts, slowReaderCount, growingMs, documents, settleMs } = options.tiny
  ? {
      share: 0.02,
      warming: 2,
      openSeconds: 1,
      texts: 1,
      slowReaderCount: 1,
      growingMs: 1_000,
      documents: 4,
      settleMs: 500,
    }
  : options.quick
    ? {
        share: 0.1,
        warming: 120,
        openSeconds: 8,
        texts: 3,
        slowReaderCount: 4,
        growingMs: 15_000,
        documents: 60,
        settleMs: 5_000,
      }
    : {
        share: 1,
        warming: 120,
        openSeconds: 20,
        texts: 9,
        slowReaderCount: 8,
        growingMs: 15_000,
        documents: 60,
        settleMs: 5_000,
      };
const results = {};
const double = await startDouble();
await double.set({ remembers: false });
const service = await ServiceProcess.start({
  settings: {
    ...memorySettings(memoryFile),
    CHAT_PROVIDER: 'openai',
    CHAT_MODEL: 'double',
    OPENAI_API_KEY: 'sk-bench',
    OPENAI_BASE_URL: double.baseUrl,
    MODEL_CONCURRENCY: '1000',
    CHAT_CONTEXT_TOKENS: '200000',
    CHAT_MAX_OUTPUT_TOKENS: '100000',
    MAX_STREAMS_PER_PRINCIPAL: '1000',
    LOG_LEVEL: 'warn',
  },
});
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const datasetId = await fill(client);
  const ask = (n) => ({
    messages: [{ role: 'user', content: `How often is pump ${n % documents} serviced, and by whom?` }],
    dataset_ids: [datasetId],
  });
  const open = (n) => openStream(client, ask(n), agent);
  const phases = {
    first: () => firstEvents(open),
    text: () => firstTexts(open),
    many: () => manyStreams(open),
    slow: () => slowReaders(client, ask),
  };
  for (const name of options.only.split(',')) await phases[name]();
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  agent.destroy();
  await service.dispose();
  await double.stop();
  await rm(memoryFile, { force: true });
}
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
if (Object.values(results).some(({ isMet }) => isMet === false)) process.exitCode = 1;

/** Sixty small documents, ingested. */
async function fill(client) {
  const datasetId = await client.createDataset('bench of chats');
  const ids = [];
  for (let n = 0; n < documents; n += 1) {
    const content = `# Pump ${n}\n\nPump ${n} is serviced every ${n + 2}00 hours by a technician of hall ${n % 7}. ${'Before each service its valves are closed and the pressure is written into the log of the hall. '.repeat(6)}\n`;
    ids.push((await client.upload(datasetId, { name: `pump-${n}.md`, content })).id);
  }
  for (const id of ids) await client.pollUntilTerminal(id);
  return datasetId;
}

/** An answer of this many words, some of its sentences cited. */
function answerOf(words) {
  const sentence = 'Each pump is serviced by a technician of its hall after some hundred hours [1]. ';
  return sentence
    .repeat(Math.ceil(words / 15))
    .split(' ')
    .slice(0, words)
    .join(' ');
}

async function firstEvents(open) {
  await double.set({ pieceMs: 1, firstPieceMs: FIRST_WORDS_MS });
  await double.say(answerOf(20));
  for (let n = 0; n < warming; n += 1) await must(open(n).ended);
  const alone = [];
  for (let n = 0; n < (options.tiny ? 3 : 100 * Math.max(share, 0.3)); n += 1)
    alone.push(beyond(await must(open(n).ended)));
  report(
    'first event, alone',
    median(alone),
    TARGETS.alone,
    'ms',
    `p95 ${at(alone, 0.95).toFixed(1)} ms, ${alone.length} streams`,
  );
  const seconds = openSeconds;
  await double.set({ pieceMs: PACE_MS });
  await double.say(answerOf((seconds * 1_000) / PACE_MS));
  const streams = await openAtPace(open, seconds * 2, 5);
  const seen = await Promise.all(streams.map(({ ended }) => must(ended)));
  const measured = seen.slice(seconds * 5).map(beyond);
  const note = `p95 ${at(measured, 0.95).toFixed(1)} ms, ${measured.length} streams, ${PACE_MS} ms between words`;
  report(`first event, ${seconds * 5} open, 5 new a second`, median(measured), TARGETS.withOthers, 'ms', note);
}

async function firstTexts(open) {
  await double.set({ pieceMs: PACE_MS, firstPieceMs: FIRST_WORDS_MS });
  results.firstTexts = await measureFirstTexts(double, (n) => must(open(n).ended), texts, beyond);
}

async function manyStreams(open) {
  const count = 1_000 * share;
  await double.set({ pieceMs: MANY_PACE_MS, firstPieceMs: FIRST_WORDS_MS });
  await double.say(answerOf(((count / 20 + (options.tiny ? 1 : 15)) * 1_000) / MANY_PACE_MS));
  const idle = await settled();
  const opening = openAtPace(open, count / 20, 20);
  const streams = await opening;
  await Promise.all(streams.map(({ began }) => began));
  const busy = await readServiceMemory(service, memoryFile);
  const seen = await Promise.all(streams.map(({ ended }) => ended));
  const errors = seen.flatMap(({ error }) => error ?? []);
  report(
    `${count} streams, errors`,
    errors.length,
    0,
    '',
    errors[0] ?? `${seen.reduce((sum, { events }) => sum + events, 0)} events`,
  );
  const longest = seen.reduce((one, other) => (other.silenceMs > one.silenceMs ? other : one));
  report(
    `${count} streams, longest silence`,
    longest.silenceMs,
    TARGETS.silence,
    'ms',
    `before event ${longest.silentAt} of ${longest.events}; ${MANY_PACE_MS} ms between words; first event p50 ${median(seen.map(({ firstMs }) => firstMs)).toFixed(0)} ms`,
  );
  const each = perStream(idle, busy, count);
  report(
    `${count} streams, memory of each`,
    each.inUse,
    TARGETS.perStream,
    'KB',
    `heap and external in use; resident ${(each.resident / KILOBYTE).toFixed(0)} KB`,
  );
}

/** The answer is as long as an answer gets; most of it must stay with the model while no one takes what is there. */
async function slowReaders(client, ask) {
  const count = slowReaderCount;
  await double.set({ pieceMs: 0, firstPieceMs: 1 });
  await double.say(answerOf(LONG_ANSWER_WORDS));
  const idle = await settled();
  const readers = [];
  for (let n = 0; n < count; n += 1) readers.push(await openSlowReader(client, ask(n)));
  await pause(options.tiny ? growingMs : FILLING_MS * (count / 8));
  const full = await readServiceMemory(service, memoryFile);
  await pause(growingMs);
  const later = await readServiceMemory(service, memoryFile);
  const { inUse, resident } = perStream(idle, later, count);
  report(
    `${count} readers who take nothing, growth of each`,
    perStream(full, later, count).inUse,
    TARGETS.perSlowReader,
    'KB',
    `in ${growingMs / 1_000} s, once the buffers to them are full; ${(inUse / KILOBYTE).toFixed(0)} KB in all, resident ${(resident / KILOBYTE).toFixed(0)} KB`,
  );
  for (const reader of readers) reader.leave();
}

/** Opens streams evenly, `rate` a second for this many seconds. */
async function openAtPace(open, seconds, rate) {
  const streams = [];
  const began = performance.now();
  for (let n = 0; n < seconds * rate; n += 1) {
    await pause(Math.max(0, began + (n * 1_000) / rate - performance.now()));
    streams.push(open(n));
  }
  return streams;
}

async function must(ended) {
  const seen = await ended;
  if (seen.error !== undefined) throw new Error(`A stream failed: ${seen.error}`);
  return seen;
}

/** What the service itself takes until the first event; milliseconds. */
function beyond({ firstMs, retrieval }) {
  return firstMs - FIRST_WORDS_MS - retrieval.timings_ms.total;
}

/** Memory without work, some seconds after the last. */
function settled() {
  return pause(settleMs).then(() => readServiceMemory(service, memoryFile));
}

function perStream(idle, now, count) {
  return { resident: (now.resident - idle.resident) / count, inUse: (now.inUse - idle.inUse) / count };
}

function median(values) {
  return at(values, 0.5);
}

function at(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)];
}

function report(name, value, target, unit, note) {
  const isMet = value <= target;
  results[name] = { value, target, isMet, note };
  const shown = (number) => (unit === 'KB' ? (number / KILOBYTE).toFixed(0) : number.toFixed(unit === '' ? 0 : 1));
  const end = unit === '' ? '' : ` ${unit}`;
  process.stdout.write(
    `${isMet ? 'met   ' : 'MISSED'}  ${name.padEnd(44)} ${shown(value)}${end}  (target ${shown(target)}${end})  ${note}\n`,
  );
}
