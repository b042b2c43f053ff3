import { createReadStream } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { newId, type DocumentId, type RevisionId } from '#libs/common';
import { Settings } from '#libs/config';
import { UnitOfWork } from '#libs/database';
import { objectKey, ObjectStorage } from '#libs/object-storage';
import { DETECTION_HEAD_BYTES, detectMediaType, type UnpackedFile } from '#libs/parsing';
import type { RequestContext } from '#libs/tenancy';
import { SpaceWatch, StoreIntents, type StoredPart } from '../../documents/index.js';

/** Time after which a blob without a document is removed. */
const BLOB_GRACE_SECONDS = 24 * 3600;

/** Stores the files of archives in the object storage, each as a separate blob. */
@Injectable()
export class PartFiles {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly intents: StoreIntents,
    private readonly space: SpaceWatch,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /** Stores an unpacked file. Until its document exists, a recorded intent will remove it. */
  async store(
    ctx: RequestContext,
    { path, localPath, sizeBytes }: Extract<UnpackedFile, { kind: 'file' }>,
    sha256: string,
  ): Promise<StoredPart> {
    const documentId = newId<DocumentId>();
    const revisionId = newId<RevisionId>();
    const blobKey = objectKey(ctx.tenantId, documentId, revisionId);
    await this.space.require();
    await this.unitOfWork.run(ctx, (_manager, inner) =>
      this.intents.add(inner, 'remove_blob', blobKey, { blobKey }, BLOB_GRACE_SECONDS),
    );
    const maxBytes = Math.max(this.settings.values.maxUploadBytes, sizeBytes);
    await this.storage.put(blobKey, createReadStream(localPath), { maxBytes });
    const { mediaType } = await detectMediaType(await headOf(localPath), path.split('/').at(-1)!, undefined);
    return { documentId, revisionId, blobKey, mediaType, sizeBytes, sha256 };
  }

  /** Removes stored files that do not become documents at once, so that an archive that is too large does not occupy storage for a day. */
  async discard(ctx: RequestContext, parts: readonly StoredPart[]): Promise<void> {
    const intents = parts.map(({ blobKey }) => ({ subject: blobKey, payload: { blobKey } }));
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.intents.forgetAll(
        inner,
        'remove_blob',
        intents.map(({ subject }) => subject),
      );
      await this.intents.addAll(inner, 'remove_blob', intents);
    });
  }
}

async function headOf(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(path, { end: DETECTION_HEAD_BYTES - 1 })) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
