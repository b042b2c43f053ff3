import type { DatasetId, DocumentId } from '#libs/common';
import { makeZip, type ZipMember } from '../../../../libs/parsing/src/testing/make-zip.js';
import { DocumentsService } from '../../documents/index.js';
import { IngestionLab } from './ingestion-lab.js';

/** A file of an archive. */
export const archiveFile = (name: string, content: string): ZipMember => ({ name, data: Buffer.from(content) });

export const ARCHIVE_FILES = [
  archiveFile('a.txt', 'Axles are greased.'),
  archiveFile('b/b.txt', 'Bolts are tightened.'),
  archiveFile('c.txt', 'Cables are new.'),
];

/** What `statesOf` says of the archive that the lab uploads by default while it and its files are all in one state. */
export const allAre = (state: string): Readonly<Record<string, string>> => ({
  archive: state,
  'a.txt': state,
  'b/b.txt': state,
  'c.txt': state,
});

/** Archives in a dataset, as specs of what becomes of them need them. */
export class ArchiveLab {
  constructor(
    private readonly lab: IngestionLab,
    private readonly datasetId: () => DatasetId,
  ) {}

  async upload(files: readonly ZipMember[] = ARCHIVE_FILES): Promise<DocumentId> {
    const content = makeZip([...files]);
    const [id] = await this.lab.upload(this.datasetId(), [{ name: 'set.zip', content, mediaType: 'application/zip' }]);
    return id!;
  }

  /** Uploads an archive and waits until nothing is left to be done. */
  async ingest(files?: readonly ZipMember[]): Promise<DocumentId> {
    const id = await this.upload(files);
    await this.lab.work();
    return id;
  }

  /** Status of the archive, as `archive`, and of its files by path. */
  async statesOf(id: DocumentId): Promise<Record<string, string>> {
    const rows = await this.lab.query<{ path: string; status: string }>(
      `SELECT coalesce(path, 'archive') AS path, status FROM documents WHERE (archive_id = $1 OR id = $1) AND deleted_at IS NULL ORDER BY 1`,
      [id],
    );
    return Object.fromEntries(rows.map((row) => [row.path, row.status]));
  }

  async partId(id: DocumentId, path: string): Promise<DocumentId> {
    const find = `SELECT id FROM documents WHERE archive_id = $1 AND path = $2`;
    const [part] = await this.lab.query<{ id: DocumentId }>(find, [id, path]);
    return part!.id;
  }

  status(id: DocumentId): ReturnType<DocumentsService['status']> {
    return this.lab.get(DocumentsService).status(this.lab.owner.ctx, id);
  }

  /** Number of documents of the dataset that searches find. */
  async countVisible(): Promise<number> {
    const rows = await this.lab.query(
      `SELECT 1 FROM documents WHERE dataset_id = $1 AND visible_generation IS NOT NULL AND quarantined_at IS NULL AND deleted_at IS NULL`,
      [this.datasetId()],
    );
    return rows.length;
  }
}
