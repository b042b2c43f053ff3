import type { JsonObject } from '#libs/common';
import type { SettingsValues } from '#libs/config';
import type { Permission } from '#libs/tenancy';

const MOST_TRIES = 5;
const WHOLE_TASK = 'the whole task';

/** Options of a kind of background work. */
export interface TaskOptions<P extends object> {
  /** Name of the kind: lower case with underscores, as it is in the database, in metrics and in logs. */
  readonly kind: string;
  /**
   * Checks a payload when the task is created and again when it runs, perhaps in a later version of the service. A task whose payload is refused
   * fails with `tasks.payload_invalid`. Payloads hold ids, numbers and choices, never content: every operator may see them.
   */
  readonly parse: (payload: JsonObject) => P;
  /** Maximum number of tasks of the kind that one worker runs at once. Default 1. */
  readonly concurrency?: number;
  /** Number of tries that threw, or whose worker died, after which a task fails; null: it is tried until it succeeds. Default 5. */
  readonly mostTries?: number | null;
  /**
   * Permission for work on behalf of a principal: the task carries its requester, who must still have this permission when the task runs. Absent
   * for work that finishes what was accepted before, also when the requester has left since.
   */
  readonly permission?: Permission;
  /**
   * Seconds between two regular tasks of this kind, which the service creates by itself, over all processes; 0: none. The first is created a
   * minute after a start.
   */
  readonly every?: (settings: SettingsValues) => number;
  /** Whether the tasks of one tenant run one after the other, also with several free workers. Default false. */
  readonly onePerTenant?: boolean;
  /**
   * Whether a completed task is removed instead of kept, and its end is logged at level debug: for frequent small work. Not for tasks that
   * callers look up, nor together with `every`. Default false.
   */
  readonly isRoutine?: boolean;
  /** Whether the work writes much data, so that it waits while less space is free than the reserve. Default false. */
  readonly needsSpace?: boolean;
  /**
   * The longest unit of work before another tenant's task of the kind can have the worker, in words for operators: "one document". A kind with
   * units longer than a few seconds must be sliced. Default "the whole task".
   */
  readonly longestUnit?: string;
  /** Whether the handler calls `giveWay` after each unit, when its results are stored. Default false. */
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
 * Declares a kind of background work, as a value that the creator of tasks and their handler share.
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

/** For a kind whose tasks have no payload. */
export function withoutPayload(): Readonly<Record<string, never>> {
  return {};
}
