import type { TenantId } from '#libs/common';
import { TurnEnded } from './task.errors.js';
import type { TaskRules } from './task-rules.js';
import type { HeldTask } from './task-leases.repository.js';

/** Pause between two looks for others who wait. */
const LOOK_MS = 1_000;

/** Who asks whether someone waits for a place of a kind. */
interface Waiters {
  othersWait(kind: string, tenantId: TenantId): Promise<boolean>;
}

/** The time that one try of a task may keep its place. It begins when it is made. */
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

  /** Whether the time is over and another tenant waits for the place. Asks the database once a second at most. */
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
