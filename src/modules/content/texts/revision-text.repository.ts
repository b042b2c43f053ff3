import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RevisionId } from '#libs/common';
import { columnsOf, result, rowsOf, statement, statementFamily, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { Block, TextSegment } from '#libs/text';
import {
  DocumentRevisionEntity,
  type DocumentRow,
  forgetTexts,
  sealTexts,
  showStagedText,
} from '../../documents/index.js';
import { asStored, type ParsedFile, type ParsedText } from './parsed-text.js';
import { DocumentSegmentEntity } from '../chunks/segment.entity.js';

interface StoredFile {
  readonly warnings: ParsedFile['warnings'];
  readonly title: string | null;
  readonly facts?: ParsedFile['facts'];
  readonly unseen?: ParsedFile['unseen'];
}

interface StagedFile extends StoredFile {
  readonly fingerprint: string;
  readonly length: number;
}

export interface RevisionText {
  readonly id: RevisionId;
  readonly blob_key: string;
  /** Name of the file at the upload; null for files from before this was stored. */
  readonly name: string | null;
  /** Media type detected at the upload; null for files from before this was stored. */
  readonly media_type: string | null;
  /** Fingerprint of the parsing plan that made the text; null until the first parsing has completed. */
  readonly text_fingerprint: string | null;
  readonly text_length: string | null;
  readonly parsed: StoredFile | null;
  /** Why its original needs `governance:read`; null: it does not. */
  readonly content_guard: DocumentRevisionEntity['content_guard'];
  /** A complete text of another plan that waits until its attempt completes. */
  readonly staged_text: StagedFile | null;
}

/** A text that belongs to a revision. */
export interface TextOfRevision {
  readonly revisionId: RevisionId;
  readonly segments: readonly TextSegment[];
}

const COLUMNS = 'id, blob_key, name, media_type, text_fingerprint, text_length, parsed, staged_text, content_guard';

const LIST = statement(
  {
    ...columnsOf(DocumentRevisionEntity, 'id', 'blob_key', 'name', 'media_type'),
    ...columnsOf(DocumentRevisionEntity, 'text_fingerprint', 'text_length', 'content_guard'),
    parsed: result.orNull(result.json<StoredFile>()),
    staged_text: result.orNull(result.json<StagedFile>()),
  },
  `SELECT ${COLUMNS} FROM document_revisions WHERE id = ANY($1::uuid[])`,
);
const CLEAR = statementFamily(
  {},
  (staged: boolean) => `DELETE FROM ${segmentTable(staged)} WHERE revision_id = ANY($1::uuid[])`,
  [[false], [true]],
);
const APPEND = statementFamily(
  {},
  (staged: boolean) =>
    `INSERT INTO ${segmentTable(staged)} (tenant_id, revision_id, text_start, text_end, body, blocks)
     SELECT $1, * FROM unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::text[], $6::jsonb[])`,
  [[false], [true]],
);
const READ_NEXT = statementFamily(
  { ...columnsOf(DocumentSegmentEntity, 'text_start', 'body'), blocks: result.json<Block[]>() },
  (staged: boolean) =>
    `SELECT text_start, body, blocks FROM ${segmentTable(staged)}
     WHERE revision_id = $1 AND text_start > $2 ORDER BY text_start LIMIT 1`,
  [[false], [true]],
);
const REMOVE_SHOWN = statement({}, `DELETE FROM document_segments WHERE revision_id = $1`);
const SHOW_STAGED = statement(
  {},
  `INSERT INTO document_segments (tenant_id, revision_id, text_start, text_end, body, blocks)
   SELECT tenant_id, revision_id, text_start, text_end, body, blocks FROM staged_segments WHERE revision_id = $1`,
);
const REMOVE_STAGED = statement({}, `DELETE FROM staged_segments WHERE revision_id = $1`);
const READ_ALL = statement(
  {
    ...columnsOf(DocumentSegmentEntity, 'revision_id', 'text_start', 'body'),
    blocks: result.json<Block[]>(),
  },
  `SELECT revision_id, text_start, body, blocks FROM document_segments WHERE revision_id = ANY($1::uuid[])
   ORDER BY revision_id, text_start`,
);

/**
 * The canonical text of revisions, stored in segments so that a long text never has to be in memory. A revision whose text is shown keeps
 * it while a new one is made: the new one is `staged` and replaces the old one in the transaction that shows its chunks.
 */
@Injectable()
export class RevisionTextRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async find(ctx: RequestContext, revisionId: RevisionId): Promise<RevisionText | undefined> {
    return (await this.list(ctx, [revisionId]))[0];
  }

  async list(ctx: RequestContext, revisionIds: readonly RevisionId[]): Promise<RevisionText[]> {
    return this.query(ctx, LIST, [revisionIds]);
  }

  /** Removes segments of an unfinished parsing. */
  async clear(manager: EntityManager, revisionIds: readonly RevisionId[], staged: boolean): Promise<void> {
    await forgetTexts(manager, revisionIds, staged);
    await rowsOf(manager, CLEAR.of(staged), [revisionIds]);
  }

  async append(
    manager: EntityManager,
    ctx: RequestContext,
    texts: readonly TextOfRevision[],
    staged: boolean,
  ): Promise<void> {
    const all = texts.flatMap(({ revisionId, segments }) => segments.map((segment) => ({ revisionId, segment })));
    if (all.length === 0) return;
    await rowsOf(manager, APPEND.of(staged), [
      ctx.tenantId,
      all.map(({ revisionId }) => revisionId),
      all.map(({ segment }) => segment.start),
      all.map(({ segment }) => segment.start + segment.text.length),
      all.map(({ segment }) => segment.text),
      all.map(({ segment }) => JSON.stringify(segment.blocks)),
    ]);
  }

  /** Marks texts as complete; all of them staged, or none. */
  async seal(
    manager: EntityManager,
    texts: readonly { readonly revisionId: RevisionId; readonly text: ParsedText }[],
    staged: boolean,
  ): Promise<void> {
    const facts = texts.map(({ revisionId, text }) => {
      const { fingerprint, length } = text;
      return { revisionId, fingerprint, length, parsed: asStored(text) };
    });
    await sealTexts(manager, facts, staged);
  }

  /** Replaces the shown text with the staged one. */
  async publish(manager: EntityManager, revisionId: RevisionId): Promise<void> {
    await showStagedText(manager, revisionId);
    await rowsOf(manager, REMOVE_SHOWN, [revisionId]);
    await rowsOf(manager, SHOW_STAGED, [revisionId]);
    await rowsOf(manager, REMOVE_STAGED, [revisionId]);
  }

  /** The segments in the order of the text; one query for each. */
  async *read(ctx: RequestContext, revisionId: RevisionId, staged: boolean): AsyncGenerator<TextSegment> {
    let from = -1;
    for (;;) {
      const row = await this.queryOne(ctx, READ_NEXT.of(staged), [revisionId, from]);
      if (row === undefined) return;
      from = Number(row.text_start);
      yield { start: from, text: row.body, blocks: row.blocks };
    }
  }

  /** All segments of revisions with short texts, by revision. */
  async readAll(ctx: RequestContext, revisionIds: readonly RevisionId[]): Promise<Map<RevisionId, TextSegment[]>> {
    const rows = await this.query(ctx, READ_ALL, [revisionIds]);
    const texts = new Map<RevisionId, TextSegment[]>(revisionIds.map((id) => [id, []]));
    for (const { revision_id: id, text_start: start, body, blocks } of rows) {
      texts.get(id)!.push({ start: Number(start), text: body, blocks });
    }
    return texts;
  }
}

function segmentTable(staged: boolean): string {
  return staged ? 'staged_segments' : 'document_segments';
}

/** The complete text of this plan, if the revision has one. */
export function finishedText(revision: RevisionText, fingerprint: string): ParsedText | undefined {
  const { text_fingerprint: shown, text_length: length, parsed, staged_text: staged } = revision;
  if (shown === fingerprint && parsed !== null) {
    return { ...fromStored(parsed), length: Number(length ?? 0), fingerprint, staged: false };
  }
  if (staged?.fingerprint !== fingerprint) return undefined;
  return { ...fromStored(staged), length: staged.length, fingerprint, staged: true };
}

/** Whether searches show chunks of the text that the revision has now. */
export function isShown(document: DocumentRow, revision: RevisionText): boolean {
  if (document.visible_generation === null || revision.text_fingerprint === null) return false;
  return (document.visible_revision_id ?? document.revision_id) === document.revision_id;
}

function fromStored({ warnings, title, facts, unseen = [] }: StoredFile): ParsedFile {
  return { warnings, title, facts: facts ?? null, unseen };
}
