import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import type { DocumentId } from '#libs/common';
import { Settings } from '#libs/config';
import { AttemptEnded } from '../documents/index.js';
import { IngestionTasksRepository, type ClaimedTask } from './ingestion-tasks.repository.js';

/** How soon an attempt notices that its document was cancelled, deleted or taken over. */
const LONGEST_PAUSE_MS = 2_000;
const SHORTEST_PAUSE_MS = 300;

interface HeldLease {
  readonly task: ClaimedTask;
  readonly lost: AbortController;
}

/** Keeps all leases of this process alive, by one statement for all of them. */
@Injectable()
export class LeaseKeeper {
  private readonly held = new Map<DocumentId, HeldLease>();
  private readonly pauseMs: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly tasks: IngestionTasksRepository,
    private readonly settings: Settings,
    private readonly logger: PinoLogger,
  ) {
    this.pauseMs = Math.max(SHORTEST_PAUSE_MS, Math.min(LONGEST_PAUSE_MS, (settings.values.leaseSeconds * 1000) / 4));
  }

  /** Holds the lease until `release`. The signal fires with `AttemptEnded` when it is lost. */
  hold(task: ClaimedTask): AbortSignal {
    const lost = new AbortController();
    this.held.set(task.documentId, { task, lost });
    this.schedule();
    return lost.signal;
  }

  /** Stops caring for leases; they are given back, or end with their tasks, by other means. */
  release(tasks: readonly ClaimedTask[]): void {
    for (const { documentId, token } of tasks) {
      if (this.held.get(documentId)?.task.token === token) this.held.delete(documentId);
    }
    if (this.held.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => void this.beat(), this.pauseMs);
  }

  private async beat(): Promise<void> {
    const leases = [...this.held.values()];
    try {
      const tasks = leases.map(({ task }) => task);
      const kept = new Set(await this.tasks.extend(tasks, this.settings.values.leaseSeconds));
      for (const { task, lost } of leases) {
        if (!kept.has(task.documentId)) lost.abort(new AttemptEnded(task.documentId));
      }
    } catch (error) {
      this.logger.warn({ err: error, leases: leases.length }, 'ingestion.heartbeat_failed');
    }
    this.timer = undefined;
    if (this.held.size > 0) this.schedule();
  }
}
