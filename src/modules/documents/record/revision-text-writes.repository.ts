import type { EntityManager } from 'typeorm';
import type { DocumentId, JsonObject, RevisionId } from '#libs/common';
import { columnsOf, rowsOf, statement, statementFamily } from '#libs/database';
import { DocumentRevisionEntity, type ContentGuard } from './document-revision.entity.js';

/** Properties of a complete text of a revision. */
export interface RevisionTextFacts {
  readonly revisionId: RevisionId;
  /** Fingerprint of the parsing plan that made the text. */
  readonly fingerprint: string;
  /** Length in UTF-16 code units. */
  readonly length: number;
  /** Further properties that parsing found. */
  readonly parsed: JsonObject;
}

const FORGET_TEXTS = statementFamily(
  {},
  (staged: boolean) => {
    const column = staged ? 'staged_text' : 'text_fingerprint';
    return `UPDATE document_revisions SET ${column} = NULL WHERE id = ANY($1::uuid[]) AND ${column} IS NOT NULL`;
  },
  [[false], [true]],
);
const SEAL_TEXTS = statementFamily(
  {},
  (staged: boolean) => {
    const set = staged
      ? `staged_text = t.parsed || jsonb_build_object('fingerprint', t.fingerprint, 'length', t.length)`
      : `text_fingerprint = t.fingerprint, text_length = t.length, parsed = t.parsed`;
    return `UPDATE document_revisions r SET ${set}
     FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::jsonb[]) AS t(id, fingerprint, length, parsed) WHERE r.id = t.id`;
  },
  [[false], [true]],
);
const SHOW_STAGED_TEXT = statement(
  columnsOf(DocumentRevisionEntity, 'id'),
  `UPDATE document_revisions SET text_fingerprint = staged_text ->> 'fingerprint', text_length = (staged_text ->> 'length')::bigint,
     parsed = staged_text - 'fingerprint' - 'length', staged_text = NULL
   WHERE id = $1 AND staged_text IS NOT NULL RETURNING id`,
);
const FORGET_STAGED_TEXTS = statement(
  {},
  `UPDATE document_revisions SET staged_text = NULL WHERE document_id = ANY($1::uuid[]) AND staged_text IS NOT NULL`,
);

const GUARD_CONTENT = statement({}, `UPDATE document_revisions SET content_guard = $2, name = $3 WHERE id = $1`);

/** Sets why the original of a revision, uploaded under this name, needs `governance:read`; null: it does not. */
export async function guardContent(
  manager: EntityManager,
  { id, name }: { readonly id: RevisionId; readonly name: string | null },
  guard: ContentGuard | null,
): Promise<void> {
  await rowsOf(manager, GUARD_CONTENT, [id, guard, name]);
}

/** Marks the text of revisions as incomplete: the shown text, or with `staged` the text that waits until an attempt shows its chunks. */
export async function forgetTexts(
  manager: EntityManager,
  revisionIds: readonly RevisionId[],
  staged: boolean,
): Promise<void> {
  await rowsOf(manager, FORGET_TEXTS.of(staged), [revisionIds]);
}

/** Marks texts as complete; all of them staged, or none. */
export async function sealTexts(
  manager: EntityManager,
  texts: readonly RevisionTextFacts[],
  staged: boolean,
): Promise<void> {
  await rowsOf(manager, SEAL_TEXTS.of(staged), [
    texts.map(({ revisionId }) => revisionId),
    texts.map(({ fingerprint }) => fingerprint),
    texts.map(({ length }) => length),
    texts.map(({ parsed }) => JSON.stringify(parsed)),
  ]);
}

/** Makes the staged text of a revision the shown one. @throws Error when there is none */
export async function showStagedText(manager: EntityManager, revisionId: RevisionId): Promise<void> {
  const shown = await rowsOf(manager, SHOW_STAGED_TEXT, [revisionId]);
  if (shown.length === 0) throw new Error(`Revision ${revisionId} has no staged text.`);
}

/** Removes the staged texts of all revisions of the documents. */
export async function forgetStagedTexts(manager: EntityManager, documentIds: readonly DocumentId[]): Promise<void> {
  await rowsOf(manager, FORGET_STAGED_TEXTS, [documentIds]);
}
