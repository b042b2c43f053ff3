import { HAS_PROC, listPids, PROC, readNamespace, readProcEntry, type ProcEntry } from './proc-files.js';
import { psLine } from './ps-line.js';

/**
 * A process that cannot be mistaken for a later one with the same number: `started` is compared for equality only (boot and
 * clock ticks under /proc, a date elsewhere).
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Empty where it could not be known: then any process of that number is taken for this one. */
  readonly started: string;
  /** The PID namespace in which `pid` counts; without it the one of anyone who asks. */
  readonly namespace?: string;
}

/**
 * `ending`: it has been killed, or leaves, and is not gone: until then it may hold files open. `gone`: there is none, or only a zombie
 * that no one has reaped.
 */
export type ProcessState = 'running' | 'ending' | 'gone';

/** The identity of a living process; null when there is none, or only a zombie that no one has reaped. */
export async function identifyProcess(pid: number, proc = PROC): Promise<ProcessIdentity | null> {
  const entry = await look(pid, proc);
  return entry === null || entry.state === 'gone' ? null : { pid, started: entry.started };
}

/** The identity of this process, with its namespace. */
export async function identifySelf(proc = PROC): Promise<ProcessIdentity> {
  const self = await identifyProcess(process.pid, proc);
  if (self === null) throw new Error('This process cannot read its own start time');
  const namespace = await readNamespace('self', proc);
  return namespace === null ? self : { ...self, namespace };
}

/** True while exactly this process has not gone. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await stateOf(identity)) !== 'gone';
}

/**
 * What has become of exactly this process. One of another PID namespace is looked for by the number that it has there; it is seen
 * from its own namespace and those around it. Elsewhere (two containers beside each other) it counts as gone.
 */
export async function stateOf(identity: ProcessIdentity, proc = PROC): Promise<ProcessState> {
  if (identity.pid <= 0) return 'gone';
  const { namespace } = identity;
  if (namespace !== undefined && namespace !== (await readNamespace('self', proc)))
    return stateElsewhere(identity, proc);
  const entry = await look(identity.pid, proc);
  if (entry !== null) return isSame(identity, entry) ? entry.state : 'gone';
  // Hidden from this user: whether it is the same one cannot be known.
  return exists(identity.pid) ? 'running' : 'gone';
}

/** Sends a signal to exactly this process; false when it is gone. Never reaches a later process of the same number. */
export async function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<boolean> {
  if (!(await isAlive(identity))) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch (error) {
    if (isNoSuchProcess(error)) return false;
    throw error;
  }
}

async function stateElsewhere(identity: ProcessIdentity, proc: string): Promise<ProcessState> {
  for (const pid of await listPids(proc)) {
    const entry = await readProcEntry(pid, proc);
    if (entry === null || entry.numbers.at(-1) !== identity.pid || !isSame(identity, entry)) continue;
    const namespace = await readNamespace(pid, proc);
    // Another user's namespace cannot be read; number and start time are evidence enough then.
    if (namespace === null || namespace === identity.namespace) return entry.state;
  }
  return 'gone';
}

function isSame(identity: ProcessIdentity, entry: Pick<ProcEntry, 'started'>): boolean {
  return identity.started === '' || identity.started === entry.started;
}

function look(pid: number, proc: string): Promise<Pick<ProcEntry, 'started' | 'state'> | null> {
  return HAS_PROC ? readProcEntry(pid, proc) : lookByPs(pid);
}

/** The letters of `stat`: Z is a zombie, E (macOS, BSD) a process that leaves. */
async function lookByPs(pid: number): Promise<Pick<ProcEntry, 'started' | 'state'> | null> {
  const line = await psLine(pid, 'stat=,lstart=');
  if (line === null) return null;
  const [letters = '', ...started] = line.split(/\s+/);
  const state = letters.startsWith('Z') ? 'gone' : letters.includes('E') ? 'ending' : 'running';
  return { started: started.join(' '), state };
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !isNoSuchProcess(error);
  }
}

function isNoSuchProcess(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}
