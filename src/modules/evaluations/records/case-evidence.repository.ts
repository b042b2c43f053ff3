import { Injectable } from '@nestjs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { MAX_QUERY } from '../cases/evaluation-case.js';
import { CaseTextEntity } from './case-text.entity.js';
import { foldText } from '../cases/folded-text.js';

/** Cases of the present versions whose document shows other chunks than when their evidence was looked for. */
const UNCHECKED = statement(
  { ...columnsOf(CaseTextEntity, 'id', 'content', 'evidence'), chunk_set_id: result.present(result.uuid()) },
  `SELECT t.id, t.content, t.evidence, d.chunk_set_id
   FROM evaluation_case_sets s JOIN evaluation_case_texts t ON t.case_set_id = s.id AND t.version = s.version
   JOIN shown_documents d ON d.id = t.document_id
   WHERE s.id = ANY ($1::uuid[]) AND t.checked_chunk_set_id IS DISTINCT FROM d.chunk_set_id
   ORDER BY d.id, t.id`,
);
const BODIES = statement(
  { ordinal: result.integer, body: result.text() },
  `SELECT ordinal, body FROM chunks WHERE chunk_set_id = $1 AND ordinal > $2 ORDER BY ordinal LIMIT $3`,
);
const CHECKED = statement(
  {},
  `UPDATE evaluation_case_texts t SET evidence = c.evidence, checked_chunk_set_id = $1
   FROM unnest($2::uuid[], $3::text[]) AS c(id, evidence) WHERE t.id = c.id`,
);
const PAGE = 200;

/** Checks whether the evidence of cases is still in the documents from which they were generated. */
@Injectable()
export class CaseEvidenceRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /**
   * Marks the cases of the present versions of sets that were found to be visible. Reads only documents that have changed since the last look.
   * What never stood in its document, because someone wrote it, is not missed there. False when there was nothing to look at.
   */
  async refresh(ctx: RequestContext, caseSetIds: readonly string[]): Promise<boolean> {
    const open = new Map<string, Unchecked[]>();
    for (const { chunk_set_id: id, ...one } of await this.query(ctx, UNCHECKED, [caseSetIds]))
      open.set(id, [...(open.get(id) ?? []), one]);
    for (const [chunkSetId, cases] of open) {
      const wanted = new Set(cases.flatMap(textsOf));
      const found = wanted.size === 0 ? wanted : await this.findTexts(ctx, chunkSetId, wanted);
      const evidence = cases.map((one) => evidenceOf(one, found));
      await this.query(ctx, CHECKED, [chunkSetId, cases.map(({ id }) => id), evidence]);
    }
    return open.size > 0;
  }

  /** Those of the texts that are in the chunks, also across two of them. */
  private async findTexts(ctx: RequestContext, chunkSetId: string, wanted: ReadonlySet<string>): Promise<Set<string>> {
    const found = new Set<string>();
    let [after, tail] = [-1, ''];
    for (;;) {
      const rows = await this.query(ctx, BODIES, [chunkSetId, after, PAGE]);
      const text = [tail, ...rows.map(({ body }) => foldText(body))].join(' ');
      for (const one of wanted) if (text.includes(one)) found.add(one);
      if (rows.length < PAGE || found.size === wanted.size) return found;
      after = rows.at(-1)!.ordinal;
      tail = text.slice(-MAX_QUERY);
    }
  }
}

type Unchecked = Pick<CaseTextEntity, 'id' | 'content' | 'evidence'>;

function textsOf({ content }: Unchecked): string[] {
  return content.relevant.flatMap(({ text }) => (text === undefined ? [] : [foldText(text)]));
}

function evidenceOf(one: Unchecked, found: ReadonlySet<string>): CaseTextEntity['evidence'] {
  const texts = textsOf(one);
  if (texts.some((text) => found.has(text))) return 'standing';
  return texts.length === 0 || one.evidence === 'unknown' ? 'unknown' : 'gone';
}
