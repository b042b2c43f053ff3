import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { newId, OneByOne, type TenantId } from '#libs/common';
import { AuditLog } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { TenantDirectory } from '../../accounts/index.js';
import { AuditAnchors } from './audit-anchors.service.js';

const EVERY_MS = 15 * 60_000;
/** Maximum time that a stop waits for the last anchors. */
const STOP_MS = 10_000;

type Occasion = 'start' | 'interval' | 'stop';

/**
 * Records the last entry of each audit log at start, at stop and every 15 minutes, in the log of the service and in the object storage.
 * Entries that are later removed at the end of a chain, or rewritten with all hashes, then contradict an earlier anchor.
 */
@Injectable()
export class AuditAnchoring implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private readonly rounds = new OneByOne();

  constructor(
    private readonly tenants: TenantDirectory,
    private readonly audit: AuditLog,
    private readonly anchors: AuditAnchors,
    private readonly logger: PinoLogger,
  ) {}

  /** The start does not wait for it. */
  onApplicationBootstrap(): void {
    this.begin('start');
    this.timer = setInterval(() => this.begin('interval'), EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.begin('stop');
    await this.rounds.ended();
  }

  /** Records the last entry of every chain. Failures are logged and do not stop the others. */
  async run(occasion: Occasion, signal: AbortSignal): Promise<void> {
    try {
      for (const tenantId of await this.tenants.list()) await this.anchor(tenantId, occasion, signal);
    } catch (error) {
      this.logger.error({ err: error, occasion }, 'audit.anchoring_failed');
    }
  }

  private begin(occasion: Occasion): void {
    const signal = AbortSignal.timeout(occasion === 'stop' ? STOP_MS : EVERY_MS);
    void this.rounds.run(() => this.run(occasion, signal));
  }

  private async anchor(tenantId: TenantId, occasion: Occasion, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const head = await this.audit.head(contextOf(tenantId));
    if (head === null) return;
    this.logger.info({ tenantId, entry: head.id, hash: head.hash, occasion }, 'audit.anchored');
    const kept = await this.anchors.keep(tenantId, head, signal);
    if (kept === 'conflict') this.logger.error({ tenantId, entry: head.id, hash: head.hash }, 'audit.anchor_conflict');
  }
}

function contextOf(tenantId: TenantId): RequestContext {
  return { tenantId, principal: { kind: 'system', permissions: new Set<never>() }, requestId: newId() };
}
