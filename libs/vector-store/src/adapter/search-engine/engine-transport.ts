/** One request of the HTTP interface that both engines share. `body` is sent as JSON, `lines` as newline-delimited JSON. */
export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with a slash; names in it are safe as they are. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly lines?: string;
}

/** What the engine said, whatever the status. */
export interface EngineAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** How long and until when a request may run. */
export interface EngineLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Sends requests to one of the nodes. Resolves with any status; rejects with an `EngineFailure` when no response came. When `signal` is aborted,
 * the request is cancelled, so that the engine stops working on it.
 */
export interface EngineTransport {
  send(request: EngineRequest, limits: EngineLimits): Promise<EngineAnswer>;
  close(): Promise<void>;
}

/** Where an engine is and who asks. */
export interface EngineConnection {
  /** One address per node, http or https; a login in an address counts where `username` is not set. */
  readonly nodes: readonly string[];
  readonly username?: string;
  readonly password?: string;
  /** Base64 of `id:key`. */
  readonly apiKey?: string;
  /** Certificates in PEM that sign the nodes'; without it those that Node trusts. */
  readonly ca?: string;
}

/** A request that failed. It keeps no headers and no address, so that it can be logged. */
export class EngineFailure extends Error {
  constructor(
    /** For the caller: what is wrong, without names of hosts. */
    readonly reason: string,
    /** HTTP status; 0 when no answer came. */
    readonly status: number = 0,
    /** The engine's own name of the error. */
    readonly type: string = '',
    /** What the engine said of it in its own words. */
    private readonly detail: string = '',
  ) {
    super([reason, type, detail].filter((part) => part !== '').join(': '));
    this.name = 'EngineFailure';
  }

  /** No answer came: `error` is the client's, of which only the kind and the message are kept. */
  static unreachable(error: unknown): EngineFailure {
    const kind = error instanceof Error ? error.name : typeof error;
    return new EngineFailure(
      'it cannot be reached',
      0,
      kind,
      error instanceof Error ? withoutLogins(error.message) : '',
    );
  }

  /** Another product answers at the address that the settings give for `kind`. */
  static ofAnotherProduct(kind: string): EngineFailure {
    return new EngineFailure(`what answers at that address is not ${kind}`);
  }

  static answered(status: number, error: EngineError | undefined): EngineFailure {
    const type = error?.type ?? '';
    return new EngineFailure(reasonOf(status, type), status, type, error?.reason ?? '');
  }

  /** True when its disks are full: it takes no writes and answers everything else. */
  get isFull(): boolean {
    if (FULL_DISK.test(this.detail)) return true;
    return this.type === 'cluster_block_exception' && this.status !== 503 && !OTHER_BLOCK.test(this.detail);
  }
}

/** The error object of an answer or of one item in it. */
export interface EngineError {
  readonly type?: string;
  readonly reason?: string;
}

/** An index that someone has closed or made read-only by hand; 12 and 10 are what an engine sets by itself when its disks are full. */
const OTHER_BLOCK = /\b[A-Z_]+\/(?:[1-9]|11)\//;
const FULL_DISK = /no space left on device|flood.?stage/i;

function reasonOf(status: number, type: string): string {
  if (type === 'cluster_block_exception') return 'it takes no writes, as when its disks are full';
  if (status === 429) return 'it is overloaded';
  if (status === 401 || status === 403) return `it refused the credentials (${status})`;
  if (type === 'validation_exception') return 'it allows no more indexes';
  return `it answered ${status}`;
}

function withoutLogins(message: string): string {
  return message.replaceAll(/\/\/[^/@\s]*@/g, '//');
}
