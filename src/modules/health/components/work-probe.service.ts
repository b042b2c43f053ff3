import { Inject, Injectable } from '@nestjs/common';
import { reasonOf, withDeadline } from '#libs/common';
import { WorkNotifier } from '#libs/queue';
import { PRESENT_PROCESS, ProcessesRepository, type PresentProcess, type WaitingTasks } from '#libs/tasks';
import type { ProbeAnswer } from './component-health.js';

/** Deadline of the queue, short enough that the rest of the state can still be reported. */
const QUEUE_DEADLINE_MS = 1_000;

/** Checks whether background work is carried out, and which tasks wait for it. */
@Injectable()
export class WorkProbe {
  private readonly self: string;

  constructor(
    private readonly notifier: WorkNotifier,
    private readonly processes: ProcessesRepository,
    @Inject(PRESENT_PROCESS) { role, version }: PresentProcess,
  ) {
    this.self = `this process: ${role} ${version}`;
  }

  /**
   * `workers 2; nothing waits; this process: api 1.2.3`. Without a worker, the component is down; without notifications, it is degraded,
   * and workers find tasks only by polling.
   */
  async run(): Promise<ProbeAnswer> {
    const late = (): Error => new Error('it does not answer');
    const answering = withDeadline(this.notifier.count(), QUEUE_DEADLINE_MS, late).then(
      () => null,
      (error: unknown) => `no notifications (${reasonOf(error)}): workers look for work by themselves`,
    );
    const { workers, waiting } = await this.processes.overview();
    const silence = await answering;
    const parts = [`workers ${workers}`, describeWaiting(waiting), ...(silence === null ? [] : [silence]), this.self];
    const detail = parts.join('; ');
    if (workers === 0) throw new Error(`no process works: ${detail}`);
    return { detail, limited: silence !== null };
  }
}

/** `waiting: ingestion queued 3, ingestion store_unavailable 12`: counts only, because they are of all tenants. */
function describeWaiting(waiting: readonly WaitingTasks[]): string {
  if (waiting.length === 0) return 'nothing waits';
  return `waiting: ${waiting.map(({ kind, reason, tasks }) => `${kind} ${reason} ${tasks}`).join(', ')}`;
}
