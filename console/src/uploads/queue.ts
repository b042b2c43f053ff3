import type { Schema } from '../api/client';
import { Problem } from '../api/problem';
import { ROOT } from '../api/root';
import {
  actingTenant,
  credentialHeaders,
  renewSession,
  sessionState,
  signedInPerson,
  subscribe as subscribeSession,
  waitEndOf,
  type CredentialHeaders,
} from '../api/session';
import { sumOf } from './file-sums';
import { failedKey, findKnown, MOST_SUMS, readAgain, type Place } from './known-files';
import {
  beginKeepingUnsent,
  forgetAllUnsent,
  forgetUnsent,
  takeOverUnsent,
  updateKeptUnsent,
  keepUnsentOf,
} from './unsent-files';
import { takeLost, tellLost, type UnsentFile } from './lost-files';

/** A file on its way. It lives beside the pages: leaving one stops nothing. */
export interface Upload extends Place {
  readonly id: number;
  readonly file: File;
  /** Its place in the folder that was dropped, with its name; undefined for a single file. */
  readonly path: string | undefined;
  /** Whether it becomes the next revision of the document of its name, whatever the dataset does with files whose name is there. */
  readonly isMended?: boolean;
  /** `replaced`: it took the place of a former file. `known`: it is there. `again`: it is there, could not be read, and is read once more. */
  readonly state: 'waiting' | 'sending' | 'cut' | 'sent' | 'replaced' | 'known' | 'again' | 'refused';
  readonly sentBytes: number;
  /** The place of the document that has its content, where one has. */
  readonly knownAs?: string;
  /** Whether the service was asked if it has the file: only then are its bytes sent. */
  readonly isChecked: boolean;
  readonly problem?: Problem;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: { get(name: string): string | null };
}

/** HTTP/1.1 gives a browser six connections to a service. */
const MOST_AT_ONCE = 6;
/** Nobody answers, or a proxy for a service that starts again: the file is sent once more. */
const AWAY: readonly number[] = [0, 502, 503, 504];
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
const DUPLICATE = 'documents.duplicate';
/** While nothing is sent, the service is asked after this time about as many files as have been read. */
const LONGEST_READING_MS = 300;

let uploads: readonly Upload[] = [];
let nextId = 1;
let isPaused = false;
let isChecking = false;
let turnAt = 0;
/** Of files that are on their way. */
const requests = new Map<number, XMLHttpRequest>();
const listeners = new Set<() => void>();
const arrivals = new Set<(datasetId: string) => void>();

export const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const currentUploads = (): readonly Upload[] => uploads;
export const areUploadsPaused = (): boolean => isPaused;

/** Calls with the dataset of each file that has arrived. */
export function onArrival(listener: (datasetId: string) => void): () => void {
  arrivals.add(listener);
  return () => arrivals.delete(listener);
}

function set(next: readonly Upload[]): void {
  const wasOpen = uploads.some(({ state }) => isOpen(state));
  uploads = next;
  if (wasOpen && !next.some(({ state }) => isOpen(state))) updateKeptUnsent();
  for (const listener of listeners) listener();
}

function patch(id: number, change: Partial<Upload>): void {
  set(uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
}

/** Puts files at the end of the queue. */
export function enqueue(datasetId: string, files: readonly Pick<Upload, 'file' | 'path' | 'isMended'>[]): void {
  const tenantId = actingTenant();
  const added = files.map((chosen): Upload => {
    nextId += 1;
    return { ...chosen, id: nextId, datasetId, tenantId, state: 'waiting', sentBytes: 0, isChecked: false };
  });
  set([...uploads, ...added]);
  forgetUnsent(datasetId, new Set(added.map(nameOf)));
  beginKeepingUnsent();
  void checkMore();
}

export const nameOf = ({ path, file }: Upload): string => path ?? file.name;

/** What is lost when the page is left, or its session ended, now. What the service has refused would be refused again. */
export const unsentUploads = (): readonly UnsentFile[] =>
  uploads
    .filter(({ state, problem }) => isOpen(state) || (state === 'refused' && problem?.isPassing !== false))
    .map((upload) => ({ datasetId: upload.datasetId, name: nameOf(upload) }));
keepUnsentOf(unsentUploads);

/** The account whose files these are. */
let person: string | undefined;

function followSession(): void {
  const state = sessionState();
  if (state === 'signed-in' && person === undefined) {
    person = signedInPerson();
    if (person !== undefined) void takeOverUnsent(person, takeLost(person));
  }
  if (state !== 'signed-out' || person === undefined) return;
  tellLost(person, unsentUploads());
  person = undefined;
  drop();
  forgetAllUnsent();
}
subscribeSession(followSession);
followSession();

/** What one person has chosen is not sent by another. */
function drop(): void {
  const gone = uploads;
  isPaused = false;
  set([]);
  for (const { id } of gone) requests.get(id)?.abort();
  requests.clear();
}

export function pauseUploads(paused: boolean): void {
  isPaused = paused;
  set([...uploads]);
  sendMore();
  void checkMore();
}

export function retryUpload(id: number): void {
  patch(id, { state: 'waiting', sentBytes: 0 });
  sendMore();
}

/** Forgets what is done; what is on its way goes on. */
export function clearUploads(): void {
  set(uploads.filter(({ state }) => isOpen(state)));
}

const isOpen = (state: Upload['state']): boolean => state === 'waiting' || state === 'sending' || state === 'cut';

const isUnchecked = ({ state, isChecked }: Upload): boolean => state === 'waiting' && !isChecked;

/** Asks for waiting files whether the service has them already, some at a time, while others are sent. */
async function checkMore(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  for (;;) {
    const first = uploads.find(isUnchecked);
    if (first === undefined || isPaused) break;
    const sums = await readSums(first.datasetId);
    const known = await findKnown(
      first,
      [...new Set(sums.values())].filter((sum) => sum !== undefined),
    );
    const failedOf = (upload: Upload): string =>
      known.failed.get(failedKey(sums.get(upload.id) ?? '', nameOf(upload))) ?? '';
    const here = uploads.filter(({ id }) => sums.has(id));
    const again = await readAgain(
      first,
      here.map(failedOf).filter((id) => id !== ''),
    );
    set(
      uploads.map((upload) => {
        if (!sums.has(upload.id)) return upload;
        const knownAs = known.names.get(sums.get(upload.id) ?? '');
        if (knownAs !== undefined) return { ...checked(upload, 'known'), knownAs };
        return checked(upload, again.has(failedOf(upload)) ? 'again' : 'waiting');
      }),
    );
    if (again.size > 0) for (const arrive of arrivals) arrive(first.datasetId);
    sendMore();
  }
  isChecking = false;
}

const checked = (upload: Upload, state: 'waiting' | 'known' | 'again'): Upload => ({
  ...upload,
  isChecked: true,
  state,
  sentBytes: state === 'waiting' ? 0 : upload.file.size,
});

/** Sums of the next files of a dataset: of as many as are asked for at once, but fewer as soon as there is nothing to send. */
async function readSums(datasetId: string): Promise<ReadonlyMap<number, string | undefined>> {
  const sums = new Map<number, string | undefined>();
  const began = Date.now();
  for (const { id, file } of uploads.filter((upload) => upload.datasetId === datasetId && isUnchecked(upload))) {
    const isLate = sums.size > 0 && !isSending() && Date.now() - began > LONGEST_READING_MS;
    if (isLate || sums.size === MOST_SUMS) break;
    sums.set(id, await sumOf(file));
  }
  return sums;
}

const isSending = (): boolean =>
  uploads.some(({ state, isChecked }) => state === 'sending' || state === 'cut' || (state === 'waiting' && isChecked));

function sendMore(): void {
  let free = MOST_AT_ONCE - uploads.filter(({ state }) => state === 'sending' || state === 'cut').length;
  for (const upload of uploads) {
    if (isPaused || free <= 0) return;
    if (upload.state !== 'waiting' || !upload.isChecked) continue;
    free -= 1;
    patch(upload.id, { state: 'sending' });
    void send(upload).finally(sendMore);
  }
}

async function send(upload: Upload): Promise<void> {
  try {
    const answer = await deliver(upload);
    if (answer === undefined) return;
    if (answer.status === 201 || answer.status === 200) {
      patch(upload.id, { ...arrivedAs(answer), sentBytes: upload.file.size });
      for (const arrive of arrivals) arrive(upload.datasetId);
      return;
    }
    const problem = new Problem(answer.status, bodyOf(answer.text));
    if (problem.code === DUPLICATE) {
      patch(upload.id, { state: 'known', sentBytes: upload.file.size, ...(await sameOf(upload)) });
      return;
    }
    patch(upload.id, { state: 'refused', problem });
  } catch (error) {
    const problem = error instanceof Problem ? error : new Problem(0, { detail: String(error) });
    patch(upload.id, { state: 'refused', problem });
  }
}

/** Under which name the service has the content of a file that came together with it; nothing where that cannot be found out. */
async function sameOf(upload: Upload): Promise<Pick<Upload, 'knownAs'>> {
  const sum = await sumOf(upload.file);
  const knownAs = sum === undefined ? undefined : (await findKnown(upload, [sum])).names.get(sum);
  return knownAs === undefined ? {} : { knownAs };
}

/** What became of a file that the service has taken: what was there already, and what became a later revision, are no new documents. */
function arrivedAs({ status, text }: Answer): Pick<Upload, 'state' | 'knownAs'> {
  const { name, path, revision } = JSON.parse(text) as Schema<'DocumentDetail'>;
  if (status === 200) return { state: 'known', knownAs: path ?? name };
  return { state: revision > 1 ? 'replaced' : 'sent' };
}

function bodyOf(text: string): ConstructorParameters<typeof Problem>[1] {
  try {
    return JSON.parse(text) as ConstructorParameters<typeof Problem>[1];
  } catch {
    // A proxy in between answers as it likes.
    return { detail: text.slice(0, 200) };
  }
}

const isDropped = (id: number): boolean => !uploads.some((upload) => upload.id === id);

/** When files are sent again, where the service had too many in a minute. */
export const uploadTurn = (): number => turnAt;

/** Only files wait: whatever else a page asks for is counted by itself. */
async function waitForTurn(answer: Answer): Promise<void> {
  turnAt = Math.max(turnAt, waitEndOf(answer));
  set([...uploads]);
  await new Promise((resolve) => setTimeout(resolve, turnAt - Date.now()));
}

/**
 * Sends it until it is taken or refused: an old session is renewed, too many requests are a wait, and what was cut off is sent again. Undefined
 * where it is not wanted any more.
 */
async function deliver(upload: Upload): Promise<Answer | undefined> {
  for (let pause = SHORTEST_PAUSE_MS; ;) {
    if (isDropped(upload.id)) return undefined;
    // Also while another organisation is looked at.
    const credential = credentialHeaders(upload.tenantId);
    const answer = await post(upload, credential);
    if (answer.status === 401) await renewSession(credential);
    else if (answer.status === 429) await waitForTurn(answer);
    else if (!AWAY.includes(answer.status)) return answer;
    else {
      // A file that was moved or changed since cannot be sent, which looks like a connection that was cut.
      await upload.file.slice(0, 1).arrayBuffer();
      patch(upload.id, { state: 'cut', sentBytes: 0 });
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      patch(upload.id, { state: 'sending' });
    }
  }
}

/** `fetch` tells nothing of the progress of a body, so this is an XMLHttpRequest. */
function post({ id, datasetId, file, path, isMended = false }: Upload, credential: CredentialHeaders): Promise<Answer> {
  const form = new FormData();
  form.append('dataset_id', datasetId);
  if (path !== undefined) form.append('path', path);
  if (isMended) form.append('on_same_name', 'new_revision');
  form.append('file', file, file.name);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', new URL('api/v1/documents/upload', ROOT));
    for (const [name, value] of Object.entries(credential)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => patch(id, { sentBytes: Math.min(loaded, file.size) });
    const end = (answer: Answer): void => {
      requests.delete(id);
      resolve(answer);
    };
    request.onload = () =>
      end({
        status: request.status,
        text: request.responseText,
        headers: { get: (name) => request.getResponseHeader(name) },
      });
    request.onerror = () => end({ status: 0, text: '', headers: { get: () => null } });
    request.onabort = request.onerror;
    requests.set(id, request);
    request.send(form);
  });
}
