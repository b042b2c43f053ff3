import { CataloguedError, type CatalogueError } from '#libs/common';
import { aiErrors } from './ai.errors.js';
import { cleanWords } from './clean-words.js';
import type { ModelUsage } from './model-call.js';

/**
 * How a call of a remote model failed. `rate_limited`: too many requests for now. `unavailable`: the provider has an error of its
 * own. `timeout`, `network`: no answer came. `rejected`: the provider does not take the request. `malformed`: an answer that
 * cannot be used, a cut one included. `content_filter`: the provider refuses because of what the texts say.
 */
export type ModelFailureKind =
  'rate_limited' | 'unavailable' | 'timeout' | 'network' | 'rejected' | 'malformed' | 'content_filter';

export interface ModelFailureFacts {
  readonly kind: ModelFailureKind;
  readonly provider: string;
  readonly model: string;
  /** HTTP status of the provider's answer; null where none came, or none was wrong. */
  readonly status?: number | null;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | null;
  /** The words of the provider as received; they are cleaned here. */
  readonly words?: string;
  /** Usage of earlier requests of the same call that were answered. */
  readonly spent?: ModelUsage;
  /** Keys that the words may contain. */
  readonly secrets?: readonly string[];
}

/** Seconds for `Retry-After` where the provider names none. */
const RETRY_AFTER_SECONDS = 5;
const TRANSIENT: ReadonlySet<ModelFailureKind> = new Set([
  'rate_limited',
  'unavailable',
  'timeout',
  'network',
  'malformed',
]);

const ABOUT_ACCESS: ReadonlySet<number> = new Set([401, 402, 403, 404]);

/**
 * A remote model gave no usable answer. The error has no cause, because errors of SDKs contain headers and thereby keys. Callers of the HTTP
 * interface get it as `ai.provider_unavailable` or `ai.provider_rejected`.
 */
export class ModelFailure extends CataloguedError {
  readonly kind: ModelFailureKind;
  readonly provider: string;
  readonly model: string;
  /** HTTP status of the provider's answer; null where none came. */
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  /** The provider's own words, keys removed, on one line, at most 500 characters; may be empty. */
  readonly words: string;
  /** Usage of earlier requests of the same call that were answered before this one failed; undefined: none. */
  readonly spent: ModelUsage | undefined;

  constructor(facts: ModelFailureFacts) {
    const words = cleanWords(facts.words ?? '', facts.secrets ?? []);
    const said = words === '' ? '' : `: ${words}`;
    const status = facts.status ?? null;
    super(`${facts.model} of ${facts.provider}: ${facts.kind}${status === null ? '' : ` (${status})`}${said}`);
    this.name = 'ModelFailure';
    this.kind = facts.kind;
    this.provider = facts.provider;
    this.model = facts.model;
    this.status = status;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.words = words;
    this.spent = facts.spent;
  }

  /** The same failure of a call that had been answered in part. */
  having(spent: ModelUsage): ModelFailure {
    const { kind, provider, model, status, retryAfterMs, words } = this;
    return new ModelFailure({ kind, provider, model, status, retryAfterMs, words, spent });
  }

  /** Whether the same call may succeed later. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.kind);
  }

  /** Whether the provider refuses every request, because the key, the account or the address is wrong, not the texts. */
  get isAboutAccess(): boolean {
    return this.kind === 'rejected' && this.status !== null && ABOUT_ACCESS.has(this.status);
  }

  /** Code of the error that a caller of the HTTP interface reads. */
  get code(): 'ai.provider_unavailable' | 'ai.provider_rejected' {
    return this.isTransient ? 'ai.provider_unavailable' : 'ai.provider_rejected';
  }

  toCatalogueError(): CatalogueError {
    const { provider, model, words } = this;
    if (!this.isTransient) return aiErrors.provider_rejected({ provider, model, words }, { cause: this });
    const retryAfter = this.retryAfterMs === null ? RETRY_AFTER_SECONDS : Math.ceil(this.retryAfterMs / 1_000);
    return aiErrors.provider_unavailable({ provider, model }, { retryAfter, cause: this });
  }
}
