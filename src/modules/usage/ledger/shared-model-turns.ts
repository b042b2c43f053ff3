import { isInteractive, ModelTurns, type ModelCaller } from '#libs/ai';
import { newId } from '#libs/common';
import type { UnitOfWork } from '#libs/database';
import { ModelTurnsRepository, type AskedTurn } from './model-turns.repository.js';

/** Time after which the places of a dead process are free again. */
const LEASE_SECONDS = 30;
/** Interval at which free places are requested while calls wait. */
const LOOK_MS = 50;
/** Interval at which places are renewed while no call waits. */
const RENEW_MS = 10_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';
interface Turn extends AskedTurn {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  isGranted: boolean;
}

/**
 * Places for calls, in PostgreSQL, because all processes of an installation share it. One loop per model and process handles all of its
 * calls; it pauses while there are none.
 */
export class SharedModelTurns extends ModelTurns {
  private readonly lines = new Map<string, TurnLine>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    /** Number of places of one model; 0: no limit. */
    private readonly places: number,
  ) {
    super();
  }

  async take(model: string, caller: ModelCaller | undefined, signal: AbortSignal | undefined): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.places === 0) return () => undefined;
    let line = this.lines.get(model);
    if (line === undefined) {
      line = new TurnLine(new ModelTurnsRepository(this.unitOfWork), model, this.places);
      this.lines.set(model, line);
    }
    return line.take(caller, signal);
  }
}

/** The calls of one process for one model. */
class TurnLine {
  private readonly turns = new Map<string, Turn>();
  private readonly left = new Set<string>();
  private isRunning = false;
  private isRungAgain = false;
  private ring: (() => void) | undefined;

  constructor(
    private readonly repository: ModelTurnsRepository,
    private readonly model: string,
    private readonly places: number,
  ) {}

  async take(caller: ModelCaller | undefined, signal: AbortSignal | undefined): Promise<() => void> {
    const id = newId();
    const waitsForPerson = caller !== undefined && isInteractive(caller.purpose);
    const giveBack = (): void => {
      if (!this.turns.delete(id)) return;
      this.left.add(id);
      this.wake();
    };
    let stop: () => void = () => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        stop = () => reject(signal?.reason as Error);
        signal?.addEventListener('abort', stop, { once: true });
        this.turns.set(id, {
          id,
          party: caller?.tenantId ?? NOBODY,
          waitsForPerson,
          resolve,
          reject,
          isGranted: false,
        });
        this.wake();
      });
    } catch (error) {
      giveBack();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
    return giveBack;
  }

  private wake(): void {
    this.isRungAgain = true;
    this.ring?.();
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.turns.size > 0 || this.left.size > 0) {
      this.isRungAgain = false;
      await this.round();
      if (!this.isRungAgain) await this.rest();
    }
    this.isRunning = false;
  }

  private async round(): Promise<void> {
    const left = [...this.left];
    const kept = [...this.turns.values()];
    try {
      const round = { model: this.model, places: this.places, left, leaseSeconds: LEASE_SECONDS };
      const granted = await this.repository.run({ ...round, asked: kept, kept: kept.map(({ id }) => id) });
      for (const id of left) this.left.delete(id);
      for (const turn of kept) {
        if (turn.isGranted || !granted.has(turn.id)) continue;
        turn.isGranted = true;
        turn.resolve();
      }
    } catch (error) {
      // Without the database, places cannot be given: waiting calls are rejected, and calls with a place continue.
      for (const turn of kept) if (!turn.isGranted) turn.reject(error);
      if (kept.length === 0) this.left.clear();
    }
  }

  /** Waits until a call begins or ends, or the interval has passed. */
  private async rest(): Promise<void> {
    const waits = [...this.turns.values()].some(({ isGranted }) => !isGranted);
    if (!waits && this.turns.size === 0 && this.left.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waits || this.left.size > 0 ? LOOK_MS : RENEW_MS);
      timer.unref();
      this.ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.ring = undefined;
  }
}
