import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { StreamRecord } from './stream-record.js';

/** How long after its last event a stream can be resumed. */
export const STREAM_KEPT_MS = 10 * 60_000;
const MAX_STREAMS = 1_000;
/** UTF-16 code units of all of them together. */
const MAX_LENGTH = 32 * 1024 * 1024;

/**
 * The resumable streams of this process. Their number is limited: the oldest are dropped, which does not end a stream that is being read, but it
 * can no longer be resumed.
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

/** Tenant and principal as one text: only the principal that began a stream can resume it; an API key counts as itself. */
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
