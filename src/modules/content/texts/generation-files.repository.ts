import { Injectable } from '@nestjs/common';
import { newId, type DocumentId, type TenantId } from '#libs/common';
import { columnsOf, FileRemovals, rowsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import { ObjectStorage, parseObjectKey, type ObjectKey, type StoredObject } from '#libs/object-storage';
import type { RequestContext } from '#libs/tenancy';
import { type Attempt, DocumentLifecycle } from '../../documents/index.js';
import { GenerationFileEntity } from './generation-file.entity.js';

export interface GenerationOfDocument {
  readonly documentId: DocumentId;
  readonly generation: string;
}

const LIST = statement(
  columnsOf(GenerationFileEntity, 'key'),
  `SELECT f.key FROM generation_files f JOIN unnest($1::uuid[], $2::bigint[]) AS g(id, generation)
     ON f.document_id = g.id AND f.generation = g.generation`,
);
const REMOVE = statement({}, `DELETE FROM generation_files WHERE key = ANY ($1::text[])`);
const ANNOUNCE = statement(
  {},
  `INSERT INTO generation_files (id, key, tenant_id, document_id, generation) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (key) DO NOTHING`,
);
const COMPLETE = statement(
  columnsOf(GenerationFileEntity, 'key'),
  `UPDATE generation_files SET size_bytes = $2, sha256 = $3 WHERE key = $1 RETURNING key`,
);

/**
 * Stored files of generations. The row is written first, while the attempt is valid, and then the file. So the removal of the generation,
 * which is recorded when an attempt begins, always finds the file.
 */
@Injectable()
export class GenerationFiles extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly lifecycle: DocumentLifecycle,
    private readonly storage: ObjectStorage,
    private readonly removals: FileRemovals,
  ) {
    super(unitOfWork);
  }

  /** Writes a file of the attempt's generation; `name` consists of letters, digits, `.`, `-` and `_`. @throws AttemptEnded */
  async put(
    ctx: RequestContext,
    attempt: Attempt,
    file: { readonly name: string; readonly bytes: Uint8Array; readonly signal?: AbortSignal },
  ): Promise<StoredObject & { readonly key: ObjectKey }> {
    const key = generationFileKey(
      ctx.tenantId,
      { documentId: attempt.documentId, generation: attempt.token },
      file.name,
    );
    await this.lifecycle.guarded(ctx, attempt, (manager) =>
      rowsOf(manager, ANNOUNCE, [newId(), key, ctx.tenantId, attempt.documentId, attempt.token]),
    );
    const stored = await this.storage.put(key, file.bytes, { maxBytes: file.bytes.length, signal: file.signal });
    await this.query(ctx, COMPLETE, [key, stored.sizeBytes, stored.sha256]);
    return { ...stored, key };
  }

  /**
   * Removes files and rows of generations that are neither shown nor being written. False: impossible now, because a backup needs the
   * files.
   */
  async remove(
    ctx: RequestContext,
    generations: readonly GenerationOfDocument[],
    gone: ReadonlySet<DocumentId>,
  ): Promise<boolean> {
    const rows = await this.query(ctx, LIST, [
      generations.map(({ documentId }) => documentId),
      generations.map(({ generation }) => generation),
    ]);
    const left = await this.findLeft(ctx, generations, gone);
    const keys = [...rows.map(({ key }) => parseObjectKey(key)), ...left];
    if (keys.length === 0) return true;
    return this.removals.tryRun(async () => {
      for (const key of keys) await this.storage.delete(key);
      await this.query(ctx, REMOVE, [keys]);
    });
  }

  /** A worker that did not know that its document was removed may have written a file without a row. */
  private async findLeft(
    ctx: RequestContext,
    generations: readonly GenerationOfDocument[],
    gone: ReadonlySet<DocumentId>,
  ): Promise<ObjectKey[]> {
    const left: ObjectKey[] = [];
    for (const { documentId, generation } of generations) {
      if (!gone.has(documentId)) continue;
      for await (const { key } of this.storage.list(`${ctx.tenantId}/${documentId}/`)) {
        if (key.startsWith(`${ctx.tenantId}/${documentId}/g${generation}.`)) left.push(key);
      }
    }
    return left;
  }
}

function generationFileKey(
  tenantId: TenantId,
  { documentId, generation }: GenerationOfDocument,
  name: string,
): ObjectKey {
  return parseObjectKey(`${tenantId}/${documentId}/g${generation}.${name}`);
}
