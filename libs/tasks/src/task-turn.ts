import type { TenantId } from '#libs/common';
import { TurnEnded } from './task.errors.js';
import type { TaskRules } from './task-rules.js';
import type { HeldTask } from './task-leases.repository.js';

/** Pause between two looks for others who wait. */
const LOOK_MS = 1_000;

/** Checks whether another tenant waits for a worker of a kind. */
interface Waiters {
  othersWait(kind: string, tenantId: TenantId): Promise<boolean>;
}

/** The turn of one try of a task; it begins with the construction of this object. */
export class TaskTurn {
  private nextLookAt: number;

  constructor(
    private readonly waiters: Waiters,
    private readonly rules: TaskRules,
    private readonly kind: string,
    private readonly task: HeldTask & { readonly tenantId: TenantId },
  ) {
    this.nextLookAt = performance.now() + rules.turnMs;
  }

  /** Whether the turn is over and another tenant waits. Asks the database at most once a second. */
  async isOver(): Promise<boolean> {
    if (performance.now() < this.nextLookAt) return false;
    if (await this.waiters.othersWait(this.kind, this.task.tenantId)) return true;
    this.nextLookAt = performance.now() + Math.min(LOOK_MS, this.rules.turnMs);
    return false;
  }

  /** What the try ends with. */
  ended(): TurnEnded {
    return new TurnEnded(this.task.id);
  }
}
