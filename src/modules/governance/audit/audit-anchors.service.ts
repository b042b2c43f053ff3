import { text } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { CatalogueError, mapBounded, type TenantId } from '#libs/common';
import { Settings } from '#libs/config';
import type { ChainAnchor, ChainHead } from '#libs/database';
import { ObjectStorage, type ObjectKey } from '#libs/object-storage';
import { anchorKey, anchorPrefix } from './audit-anchor-key.js';

const MAX_BYTES = 1024;
/** Number of anchors that are read at the same time. */
const AT_ONCE = 8;

/** Outcome of storing an anchor. `conflict`: an earlier anchor of the same number has another hash. */
export type KeptAnchor = 'kept' | 'known' | 'conflict' | 'off';

/** Anchors of audit logs as objects in the object storage, each created once. None are stored unless `AUDIT_ANCHORS` is on. */
@Injectable()
export class AuditAnchors {
  constructor(
    private readonly settings: Settings,
    private readonly storage: ObjectStorage,
  ) {}

  /** Stores the last entry of a chain. @throws `storage.unavailable`, `storage.low` */
  async keep(tenantId: TenantId, { id, hash }: ChainHead, signal: AbortSignal): Promise<KeptAnchor> {
    if (!this.areKept) return 'off';
    const key = anchorKey(tenantId, id);
    const anchor = { tenant_id: tenantId, id, hash, anchored_at: new Date().toISOString() };
    try {
      await this.storage.put(key, Buffer.from(JSON.stringify(anchor)), { maxBytes: MAX_BYTES, ifAbsent: true, signal });
      return 'kept';
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.code !== 'storage.object_exists') throw error;
    }
    return (await this.read(key, signal)).hash === hash ? 'known' : 'conflict';
  }

  /** All anchors of a tenant; null when `AUDIT_ANCHORS` is off. @throws `storage.unavailable` */
  async list(tenantId: TenantId, signal?: AbortSignal): Promise<ChainAnchor[] | null> {
    if (!this.areKept) return null;
    const keys: ObjectKey[] = [];
    const options = signal === undefined ? {} : { signal };
    for await (const { key } of this.storage.list(anchorPrefix(tenantId), options)) keys.push(key);
    return mapBounded(keys, AT_ONCE, (key) => this.read(key, signal));
  }

  /** An unreadable anchor matches no entry. */
  private async read(key: ObjectKey, signal?: AbortSignal): Promise<ChainAnchor> {
    const id = Number(key.split('/').at(-1));
    const body = await text(await this.storage.get(key, undefined, signal === undefined ? {} : { signal }));
    try {
      const { hash } = JSON.parse(body) as { readonly hash?: unknown };
      return { id, hash: typeof hash === 'string' ? hash : '' };
    } catch {
      return { id, hash: '' };
    }
  }

  private get areKept(): boolean {
    return this.settings.values.auditAnchors === 'on';
  }
}
