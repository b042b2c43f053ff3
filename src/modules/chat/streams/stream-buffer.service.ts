import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { StreamRecord } from './stream-record.js';

/** How long after its last event a stream can be resumed. */
export const STREAM_KEPT_MS = 10 * 60_000;
const MAX_STREAMS = 1_000;
/** UTF-16 code units of all of them together. */
const MAX_LENGTH = 32 * 1024 * 1024;

/**
 * The streams of this process that can be resumed. Bounded: when there are too many, the oldest are forgotten, which ends no
 * stream that is being read; it can only not be resumed any more.
 */
@Injectable()
export class StreamBuffer {
  private readonly records = new Map<string, StreamRecord>();

  keep(record: StreamRecord): void {
    this.records.set(record.id, record);
    this.forgetOld();
  }

  /** The stream with this id, if it is the caller's own. */
  find(ctx: RequestContext, id: string): StreamRecord | undefined {
    this.forgetOld();
    const record = this.records.get(id);
    return record?.owner === ownerOf(ctx) ? record : undefined;
  }

  private forgetOld(): void {
    const expired = performance.now() - STREAM_KEPT_MS;
    for (const [id, record] of this.records) {
      if (record.isEnded && record.lastChangeAt < expired) this.records.delete(id);
    }
    let length = 0;
    for (const record of this.records.values()) length += record.length;
    for (const [id, record] of this.records) {
      if (this.records.size <= MAX_STREAMS && length <= MAX_LENGTH) return;
      this.records.delete(id);
      length -= record.length;
    }
  }
}

/** Tenant and principal as one text: a stream is resumed only by who began it, an API key counting as itself. */
export function ownerOf({ tenantId, principal }: RequestContext): string {
  switch (principal.kind) {
    case 'account':
      return `${tenantId}:account:${principal.accountId}`;
    case 'api_key':
      return `${tenantId}:api_key:${principal.keyId}`;
    case 'system':
      return `${tenantId}:system`;
  }
}
