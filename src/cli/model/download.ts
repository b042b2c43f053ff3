import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay } from '#libs/common';
import { ModelError } from './model.errors.js';
import type { FetchOptions } from './model-source.js';
import { request, TransientFailure, type Answer } from './request.js';

/** Tries in a row that bring no byte; one that brings some begins the count again. */
const MAX_FRUITLESS = 5;
/** Tries in all, so that a server that gives a byte a connection comes to an end. */
const MAX_TRIES = 200;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export interface Download {
  readonly url: string;
  /** What progress calls it. */
  readonly label: string;
  /** Where the whole file lies at the end; until then `.part` beside it, and `.part.etag`. */
  readonly target: string;
  /** Bytes; absent: as the server says. */
  readonly size?: number;
  /** Whether someone compares a checksum afterwards, so that a part of unknown version may be continued. */
  readonly isChecked: boolean;
}

/** Tries and the pause before the second one; tests change them. */
export interface Patience {
  readonly fruitless?: number;
  readonly pauseMs?: number;
  readonly silenceMs?: number;
}

/**
 * Downloads a file, going on behind what a former try or run left. What was cut off stays.
 * @throws ModelError (resumable where only time is needed)
 */
export async function download(file: Download, options: FetchOptions, patience: Patience = {}): Promise<void> {
  const { fruitless: most = MAX_FRUITLESS, pauseMs = FIRST_PAUSE_MS } = patience;
  await mkdir(dirname(file.target), { recursive: true });
  let fruitless = 0;
  for (let tries = 1; ; tries += 1) {
    const before = await lengthOf(partOf(file));
    try {
      await tryOnce(file, options, patience.silenceMs);
      await rename(partOf(file), file.target);
      await rm(etagFileOf(file), { force: true });
      return;
    } catch (error) {
      if (!(error instanceof TransientFailure)) throw error;
      fruitless = (await lengthOf(partOf(file))) > before ? 1 : fruitless + 1;
      if (fruitless >= most || tries >= MAX_TRIES) {
        throw new ModelError(`${file.url}: ${error.message}.`, { cause: error, resumable: true });
      }
      const pause = error.retryAfterMs ?? pauseMs * 2 ** (fruitless - 1);
      options.progress.say(`${error.message}; trying again`);
      await delay(Math.min(pause, LONGEST_PAUSE_MS), options.signal);
    }
  }
}

async function tryOnce(file: Download, options: FetchOptions, silenceMs: number | undefined): Promise<void> {
  const part = await findPart(file);
  const { known, etag } = part;
  options.progress.begin(file.label, file.size, known);
  if (known > 0 && known === file.size) return;
  const headers: Record<string, string> = {};
  if (known > 0) headers['range'] = `bytes=${known}-`;
  if (known > 0 && etag !== undefined) headers['if-range'] = etag;
  const answer = await request(file.url, headers, options.signal, silenceMs);
  try {
    await receive(file, answer, part, options);
  } finally {
    answer.close();
  }
}

/** What former tries left. */
interface Part {
  /** Bytes. */
  readonly known: number;
  /** Version that they are of, where the server named one. */
  readonly etag: string | undefined;
}

/** What may be continued; a part that is worth nothing is removed. */
async function findPart(file: Download): Promise<Part> {
  const known = await lengthOf(partOf(file));
  const etag = await readFile(etagFileOf(file), 'utf8').catch(() => undefined);
  const isUseful = known <= (file.size ?? Infinity) && (etag !== undefined || file.isChecked);
  if (known === 0 || isUseful) return { known, etag };
  await discard(file);
  return { known: 0, etag: undefined };
}

async function receive(file: Download, answer: Answer, part: Part, { progress, signal }: FetchOptions): Promise<void> {
  if (answer.status === 416 || (answer.status === 206 && !continues(answer, part, file.size))) {
    await discard(file);
    throw new TransientFailure('the part that is there does not fit what the server has');
  }
  const from = answer.status === 206 ? part.known : 0;
  if (from === 0) progress.begin(file.label, file.size, 0);
  const total = totalOf(answer, from);
  if (file.size !== undefined && total !== undefined && total !== file.size) {
    throw new ModelError(`${file.url} has ${total} bytes, and the list of the model says ${file.size}.`);
  }
  await rememberVersion(file, answer);
  const end = file.size ?? total;
  const handle = await open(partOf(file), from === 0 ? 'w' : 'a', 0o644);
  let length = from;
  try {
    for await (const piece of answer.pieces()) {
      signal.throwIfAborted();
      length += piece.length;
      if (end !== undefined && length > end)
        throw new ModelError(`${file.url} is longer than the ${end} bytes announced.`);
      await handle.writeFile(piece);
      progress.add(piece.length);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (end !== undefined && length < end) throw new TransientFailure(`${end - length} of ${end} bytes did not come`);
  progress.end();
}

/** Whether the answer begins where the part ends, and is of the same version and of a file of that size. */
function continues({ headers }: Answer, { known, etag }: Part, size: number | undefined): boolean {
  if (etag !== undefined && headers.get('etag') !== etag) return false;
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
  return Number(start) === known && (size === undefined || total === '*' || Number(total) === size);
}

function totalOf({ headers }: Answer, from: number): number | undefined {
  const length = headers.get('content-length');
  return length === null ? undefined : from + Number(length);
}

/** Only a strong tag says that bytes are the same. */
async function rememberVersion(file: Download, { headers }: Answer): Promise<void> {
  const etag = headers.get('etag');
  if (etag !== null && /^"[^"\r\n]{1,200}"$/.test(etag)) await writeFile(etagFileOf(file), etag);
  else await rm(etagFileOf(file), { force: true });
}

const partOf = ({ target }: Download): string => `${target}.part`;
const etagFileOf = ({ target }: Download): string => `${target}.part.etag`;

async function lengthOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.size ?? 0;
}

async function discard(file: Download): Promise<void> {
  for (const path of [partOf(file), etagFileOf(file)]) await rm(path, { force: true });
}
