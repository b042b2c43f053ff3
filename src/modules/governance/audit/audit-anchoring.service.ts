import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { newId, OneByOne, type TenantId } from '#libs/common';
import { AuditLog } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { TenantDirectory } from '../../accounts/index.js';
import { AuditAnchors } from './audit-anchors.service.js';

const EVERY_MS = 15 * 60_000;
/** Longest that a stop waits for the last anchors. */
const STOP_MS = 10_000;

type Occasion = 'start' | 'interval' | 'stop';

/**
 * Notes where each audit log ends, at start, at stop and every 15 minutes, in the log and in the storage of files: what is removed at the
 * end of a chain, or written again with all hashes, shows against what was noted before.
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

  /** Notes the end of every chain. What fails is logged and stops nothing. */
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
