import { Injectable } from '@nestjs/common';
import { catalogueErrorOf, mapBounded, NOWHERE_TENANT, withDeadline } from '#libs/common';
import { Authenticator } from './authenticator.port.js';
import type { IdentifiedRequest, Identity } from './credential-resolver.js';
import type { HeldAccess, Permission, RequestContext } from './request-context.js';
import type { ContextRequest } from './route-access.js';
import { standingIn } from './standing.js';
import { authErrors } from './tenancy.errors.js';

/** Pause between two looks at the rights of all answers that are under way. */
const LOOK_MS = 500;
/** A look that takes longer has told nothing. */
const DEADLINE_MS = 3_000;
/** Rights that could not be confirmed for so long count as lost. */
const UNCONFIRMED_MS = 5_000;
/** Rights that were confirmed so lately need no further look. */
const FRESH_MS = 100;
/** The longest that a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1;
/** Callers whose rights are looked at beside each other. */
const AT_ONCE = 8;

type Check = (ctx: RequestContext) => Promise<unknown>;

/** An answer under way, whose rights are looked at until `close`. */
export class WatchedAccess implements HeldAccess {
  /** The context of the request, through which services say what else the answer rests on. */
  readonly ctx: RequestContext;
  private readonly controller = new AbortController();
  private readonly needed = new Map<string, Check>();
  private confirmedAt = performance.now();
  private end: NodeJS.Timeout | undefined;

  constructor(
    readonly identity: Identity,
    ctx: RequestContext,
    readonly permission: Permission | null,
    private readonly look: (watched: WatchedAccess) => Promise<void>,
    private readonly leave: () => void,
  ) {
    this.ctx = { ...ctx, held: this };
  }

  /** Aborted when the caller has lost what the answer rests on; its reason is the error that a new request would get. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get checks(): ReadonlyMap<string, Check> {
    return this.needed;
  }

  require(name: string, check: Check): void {
    this.needed.set(name, check);
  }

  /** From now on it is lost when the access token that asked for it runs out: for a stream that has no end of its own. */
  endWithToken(): void {
    const expiresAt = 'keyId' in this.identity ? undefined : this.identity.expiresAt;
    if (expiresAt === undefined) return;
    const ms = Math.min(Math.max(expiresAt * 1_000 - Date.now(), 0), LONGEST_MS);
    this.end ??= setTimeout(() => this.noteFailed(authErrors.credential_invalid({ kind: 'access token' })), ms).unref();
  }

  /** Ends the looks. Idempotent. */
  close(): void {
    clearTimeout(this.end);
    this.leave();
  }

  /** Looks once more, unless that was done a moment ago. @throws the signal's reason */
  async confirm(): Promise<void> {
    if (performance.now() - this.confirmedAt > FRESH_MS) await this.look(this);
    this.signal.throwIfAborted();
  }

  /** A look has found everything as it must be. */
  noteConfirmed(): void {
    this.confirmedAt = performance.now();
  }

  /** A look has failed: a refusal ends the answer at once, a dependency that is away only when it stays so. */
  noteFailed(error: unknown): void {
    const { status = 500 } = catalogueErrorOf(error) ?? {};
    const isRefused = status === 401 || status === 403 || status === 404;
    if (isRefused || performance.now() - this.confirmedAt > UNCONFIRMED_MS) this.controller.abort(error);
  }
}

/**
 * Looks at the rights of anyone who is being answered, as the guard does at each request, for as long as the answer takes: streams,
 * and answers that a model writes. Everything is read from the database, so what another process has changed is noticed alike. That an
 * access token runs out is no loss: its account may go on as it is, unless the answer has no end of its own (`endWithToken`).
 */
@Injectable()
export class AccessWatch {
  private readonly open = new Set<WatchedAccess>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly authenticator: Authenticator) {}

  /** Watches over a request behind the guard, until `close`. */
  begin(request: ContextRequest & IdentifiedRequest): WatchedAccess {
    const { kbIdentity, kbContext } = request;
    const { access } = request.routeOptions.config;
    if (kbIdentity === undefined || kbContext === undefined || access === undefined || access === 'public') {
      throw new Error('Only a request with a credential has rights that can be watched.');
    }
    const watched: WatchedAccess = new WatchedAccess(
      kbIdentity,
      kbContext,
      access.permission,
      (one) => this.look([one]),
      () => this.open.delete(watched),
    );
    this.open.add(watched);
    this.schedule();
    return watched;
  }

  private schedule(): void {
    if (this.open.size === 0) return;
    this.timer ??= setTimeout(() => void this.round(), LOOK_MS).unref();
  }

  private async round(): Promise<void> {
    const byCaller = Map.groupBy(this.open, callerOf);
    await mapBounded([...byCaller.values()], AT_ONCE, (group) => this.look(group));
    this.timer = undefined;
    this.schedule();
  }

  /** One look for answers to the same caller. Never rejects. */
  private async look(group: readonly WatchedAccess[]): Promise<void> {
    try {
      await withDeadline(this.lookAt(group), DEADLINE_MS, () => authErrors.unconfirmed());
    } catch (error) {
      for (const watched of group) watched.noteFailed(error);
    }
  }

  private async lookAt(group: readonly WatchedAccess[]): Promise<void> {
    const principal = await this.principalNow(group[0]!);
    const asked = new Map<string, Promise<unknown>>();
    for (const watched of group) {
      try {
        for (const [name, check] of watched.checks) {
          const answer = asked.get(name) ?? check({ ...watched.ctx, principal });
          asked.set(name, answer);
          await answer;
        }
        watched.noteConfirmed();
      } catch (error) {
        watched.noteFailed(error);
      }
    }
  }

  private async principalNow({ identity, ctx, permission }: WatchedAccess): Promise<RequestContext['principal']> {
    const found = await this.authenticator.findNow(identity);
    const kind = 'keyId' in identity ? 'API key' : 'access token';
    if ('refused' in found) throw authErrors.credential_invalid({ kind });
    const { principal, member } = standingIn(found, ctx.tenantId);
    if (ctx.tenantId === NOWHERE_TENANT) return principal;
    if (!member) throw authErrors.not_a_member({});
    if (permission !== null && !principal.permissions.has(permission))
      throw authErrors.permission_missing({ permission, kind: principal.kind });
    return principal;
  }
}

function callerOf({ identity, ctx, permission }: WatchedAccess): string {
  const who = 'keyId' in identity ? `key:${identity.keyId}` : `account:${identity.accountId}`;
  return `${who}:${identity.stamp ?? ''}:${ctx.tenantId}:${permission ?? ''}`;
}
