import { delay } from '#libs/common';

/** One thing to do to a table. Neighbours of the same kind are done together, in one commit. */
export interface CommitOperation {
  readonly kind: string;
  /** How much it adds to a group; an operation at or above `CommitQueueLimits.full` does not wait for company. */
  readonly size: number;
}

export interface CommitQueueLimits {
  /** How long the first operation after a pause waits for others, in milliseconds. */
  readonly gatherMs: number;
  /** A group this large is committed at once and takes no more. */
  readonly full: number;
}

interface Entry<Op> {
  readonly operation: Op;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does the operations of one table one group after the other, in the order they came.
 * Under load groups form by themselves while the previous commit runs; only after a pause is there a wait.
 */
export class CommitQueue<Op extends CommitOperation> {
  private waiting: Entry<Op>[] = [];
  private draining: Promise<void> | undefined;

  constructor(
    private readonly commit: (group: readonly Op[]) => Promise<void>,
    private readonly limits: CommitQueueLimits,
  ) {}

  /** Resolves when the operation's group is committed; rejects with what the commit rejected with. */
  add(operation: Op): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ operation, resolve, reject });
      this.draining ??= this.drain();
    });
  }

  /** True while an operation waits or runs. */
  get busy(): boolean {
    return this.draining !== undefined;
  }

  /** Resolves when nothing waits and nothing runs. */
  async idle(): Promise<void> {
    while (this.draining !== undefined) await this.draining;
  }

  private async drain(): Promise<void> {
    await Promise.resolve();
    if (this.groupSize() < this.limits.full) await delay(this.limits.gatherMs);
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, this.groupLength());
      try {
        await this.commit(group.map((entry) => entry.operation));
        for (const entry of group) entry.resolve();
      } catch (error) {
        for (const entry of group) entry.reject(error);
      }
    }
    this.draining = undefined;
  }

  /** How many of the waiting operations, from the first, go into one commit; at least one. */
  private groupLength(): number {
    const kind = this.waiting[0]?.operation.kind;
    let size = 0;
    let length = 0;
    for (const { operation } of this.waiting) {
      if (operation.kind !== kind || (length > 0 && size + operation.size > this.limits.full)) break;
      size += operation.size;
      length += 1;
    }
    return length;
  }

  private groupSize(): number {
    return this.waiting.reduce((sum, entry) => sum + entry.operation.size, 0);
  }
}
