import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ChildUsage, ParserAnswer, ParserCommand, ParserTask } from '../child/protocol.js';
import type { ChildCommand } from './child-command.js';
import { listAddedFormats } from '../media-type/known-types.js';
import { giveWay } from './child-priority.js';
import { classifyDeath, type ChildDeath } from './classify-death.js';
import { watchMemory } from './memory-watch.js';

const STDERR_KEPT = 4096;

/** Limits of one call. */
export interface RunLimits {
  deadlineMs: number;
  memoryBytes: number;
  signal?: AbortSignal;
}

/** One child process and the file that it works on. After any failure but a plain answer it is dead. */
export class ParserChild {
  documents = 0;
  usage: ChildUsage = { cpuSeconds: 0, rssBytes: 0 };
  private readonly process: ChildProcess;
  private readonly isLimited: boolean;
  private readonly generations: number;
  private stderr = '';
  private ended: Pick<ChildDeath, 'exitCode' | 'signal'> | undefined;
  private killedFor: ChildDeath['killedFor'];

  constructor(command: ChildCommand, onEnd: (child: ParserChild) => void) {
    this.isLimited = command.isLimited;
    this.generations = command.generations;
    this.process = spawn(command.file, command.args, { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    giveWay(this.process.pid);
    this.process.stderr!.on('data', (piece: Buffer) => {
      this.stderr = (this.stderr + piece.toString('latin1')).slice(-STDERR_KEPT);
    });
    this.process.on('error', (error) => this.finish(onEnd, { exitCode: null, signal: null }, error.message));
    this.process.on('close', (exitCode, signal) => this.finish(onEnd, { exitCode, signal }));
    this.setReferenced(false);
  }

  /** Process id of the parser itself, for tests and operators; of what starts it until it is there. */
  get pid(): number | undefined {
    const { pid } = this.process;
    return pid === undefined ? undefined : descendantOf(pid, this.generations);
  }

  get isAlive(): boolean {
    return this.ended === undefined && this.killedFor === undefined;
  }

  /** Does one thing. Rejects with `ParseError` when the child dies, with the signal's reason when aborted. */
  async run(task: ParserTask, limits: RunLimits): Promise<ParserAnswer> {
    const { signal, deadlineMs } = limits;
    signal?.throwIfAborted();
    this.setReferenced(true);
    const timer = setTimeout(() => this.kill('deadline'), deadlineMs);
    const stopWatching = this.isLimited
      ? undefined
      : watchMemory(this.pid, limits.memoryBytes, () => this.kill('memory'));
    const abort = (): void => this.kill('close');
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const answer = await this.exchange(task);
      this.usage = answer.usage;
      return answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      stopWatching?.();
      signal?.removeEventListener('abort', abort);
      this.setReferenced(false);
    }
  }

  /** Ends the process at once; a running call rejects. */
  kill(reason: ChildDeath['killedFor'] = 'close'): void {
    this.killedFor ??= reason;
    this.process.kill('SIGKILL');
  }

  /** Resolves when the process has gone. */
  async whenEnded(): Promise<void> {
    if (this.ended !== undefined) return;
    this.setReferenced(true);
    await once(this.process, 'close');
  }

  private exchange(task: ParserTask): Promise<ParserAnswer> {
    this.documents += 1;
    const command: ParserCommand = { ...task, id: this.documents, formats: listAddedFormats() };
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.process.off('message', onMessage);
        this.process.off('close', onClose);
        this.process.off('error', onClose);
      };
      const onMessage = (answer: ParserAnswer): void => {
        if (answer.id !== command.id) return;
        settle();
        resolve(answer);
      };
      const onClose = (): void => {
        settle();
        const ended = this.ended ?? { exitCode: null, signal: null };
        reject(classifyDeath({ ...ended, stderr: this.stderr, killedFor: this.killedFor }));
      };
      this.process.on('message', onMessage);
      this.process.on('close', onClose);
      this.process.on('error', onClose);
      if (this.ended !== undefined) return onClose();
      // A failed send means that the process is going: `close` follows and tells how.
      this.process.send(command, () => undefined);
    });
  }

  private finish(onEnd: (child: ParserChild) => void, how: Pick<ChildDeath, 'exitCode' | 'signal'>, note = ''): void {
    if (this.ended !== undefined) return;
    this.ended = how;
    this.stderr += note;
    onEnd(this);
  }

  /** An idle child must not keep the parent alive. */
  private setReferenced(isReferenced: boolean): void {
    const handles = [this.process, this.process.channel, this.process.stderr as unknown as NodeJS.RefCounted | null];
    for (const handle of handles) {
      if (isReferenced) handle?.ref();
      else handle?.unref();
    }
  }
}

/** The process that many generations below another one, along the first child of each; the last that is there. */
function descendantOf(pid: number, generations: number): number {
  const child = generations === 0 ? undefined : firstChildOf(pid);
  return child === undefined ? pid : descendantOf(child, generations - 1);
}

function firstChildOf(pid: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ');
    return first === undefined || first === '' ? undefined : Number(first);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
