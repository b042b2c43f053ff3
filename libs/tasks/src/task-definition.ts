import type { JsonObject } from '#libs/common';
import type { SettingsValues } from '#libs/config';
import type { Permission } from '#libs/tenancy';

const MOST_TRIES = 5;
const WHOLE_TASK = 'the whole task';

/** What a module says of a kind of background work. */
export interface TaskOptions<P extends object> {
  /** Name of the kind: lower case with underscores, as it is in the database, in metrics and in logs. */
  readonly kind: string;
  /**
   * Checks a payload when it is promised and again when it runs, perhaps in a later version of the service. A task whose payload it
   * refuses fails with `tasks.payload_invalid`. Payloads hold ids, numbers and choices, never content: any operator may see them.
   */
  readonly parse: (payload: JsonObject) => P;
  /** How many tasks of the kind one worker process runs at once. Default 1. */
  readonly concurrency?: number;
  /** After how many tries that threw, or whose worker died, a task has failed; null: it is tried until it succeeds. Default 5. */
  readonly mostTries?: number | null;
  /**
   * Set for work that reads or makes something for someone: the task carries the principal that asked, who must still have this
   * permission when it runs. Left out for what finishes that which was already accepted, no matter who has left since.
   */
  readonly permission?: Permission;
  /** Seconds between two tasks that the service promises itself, over all processes; 0: never. The first comes a minute after a start. */
  readonly every?: (settings: SettingsValues) => number;
  /** True: tasks of one tenant are taken one after the other, whichever worker is free. Default false. */
  readonly onePerTenant?: boolean;
  /**
   * True for small work that comes all the time: a task that is completed is removed instead of kept, and its end is logged at
   * level debug. Not for what someone looks up, nor together with `every`. Default false.
   */
  readonly isRoutine?: boolean;
  /** True for work that writes much: it waits while less space is free than the reserve. Default false. */
  readonly needsSpace?: boolean;
  /**
   * The most that a task does before another tenant's task of the kind can have its place, in words for operators: "one document".
   * A kind that has a longer one than a few seconds is sliced. Default "the whole task".
   */
  readonly longestUnit?: string;
  /** True when the handler calls `giveWay` after each unit, with what it did kept. Default false. */
  readonly isSliced?: boolean;
}

/** A kind of background work; made by `defineTask`. */
export interface TaskDefinition<P extends object = object> {
  readonly kind: string;
  readonly parse: (payload: JsonObject) => P;
  readonly concurrency: number;
  readonly mostTries: number | null;
  readonly permission: Permission | null;
  readonly every: (settings: SettingsValues) => number;
  readonly onePerTenant: boolean;
  readonly isRoutine: boolean;
  readonly needsSpace: boolean;
  readonly longestUnit: string;
  readonly isSliced: boolean;
}

const KIND = /^[a-z][a-z0-9_]{1,62}$/;

/**
 * Declares a kind of background work: a value that both who promises and who carries it out share.
 *
 *     export const REINDEX = defineTask({ kind: 'reindex', parse: parseReindex });
 */
export function defineTask<P extends object>(options: TaskOptions<P>): TaskDefinition<P> {
  if (!KIND.test(options.kind)) throw new TypeError(`"${options.kind}" is no name of a kind of tasks.`);
  if (options.isRoutine === true && options.every !== undefined) {
    throw new TypeError(`Tasks of kind ${options.kind} are removed, so it could not be told when the last one was.`);
  }
  if (options.isSliced === true && options.longestUnit === undefined) {
    throw new TypeError(
      `Tasks of kind ${options.kind} are sliced, so they must say into what: longestUnit is missing.`,
    );
  }
  return {
    kind: options.kind,
    parse: options.parse,
    concurrency: options.concurrency ?? 1,
    mostTries: options.mostTries === undefined ? MOST_TRIES : options.mostTries,
    permission: options.permission ?? null,
    every: options.every ?? (() => 0),
    onePerTenant: options.onePerTenant ?? false,
    isRoutine: options.isRoutine ?? false,
    needsSpace: options.needsSpace ?? false,
    longestUnit: options.longestUnit ?? WHOLE_TASK,
    isSliced: options.isSliced ?? false,
  };
}

/** For a kind whose tasks carry nothing. */
export function withoutPayload(): Readonly<Record<string, never>> {
  return {};
}
