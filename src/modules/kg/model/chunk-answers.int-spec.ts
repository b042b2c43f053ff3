import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatasetAccess } from '../../datasets/index.js';
import { FATES, plantDocuments, type Fate, type PlantedDocuments } from '../../retrieval/testing/planted-documents.js';
import { ChunkAnswersRepository } from './chunk-answers.repository.js';
import type { PassageAnswer } from './passage-answer.js';

const EXTRACTOR = 'model-1';
const hashOf = (fate: Fate): Buffer => createHash('sha256').update(fate).digest();
const ANSWER = { skipped: 'refused' } as unknown as PassageAnswer;

describe('answers of a model about passages', () => {
  let planted: PlantedDocuments;
  let answers: ChunkAnswersRepository;

  beforeAll(async () => {
    planted = await plantDocuments();
    answers = new ChunkAnswersRepository(planted.db.unitOfWork, new DatasetAccess(planted.db.unitOfWork));
  });
  afterAll(() => planted.db.close());

  async function fatesFound(): Promise<Fate[]> {
    const found = await answers.find(planted.reader.ctx, EXTRACTOR, FATES.map(hashOf), null);
    return FATES.filter((fate) => found.has(hashOf(fate).toString('hex')));
  }

  it('are kept of documents alone that are neither deleted nor in quarantine', async () => {
    const { reader, documents } = planted;
    for (const fate of FATES) {
      await answers.keep(reader.ctx, documents[fate], EXTRACTOR, [{ hash: hashOf(fate), answer: ANSWER }]);
    }
    const rows: { document_id: string }[] = await planted.db.unitOfWork.run(reader.ctx, (manager) =>
      manager.query('SELECT document_id FROM kg_chunk_answers'),
    );
    const kept = new Set(rows.map(({ document_id: id }) => id));
    expect(FATES.filter((fate) => kept.has(documents[fate]))).toEqual(['kept', 'superseded', 'foreign']);
    const open = await Promise.all(FATES.map((fate) => answers.isOpen(reader.ctx, documents[fate])));
    expect(FATES.filter((_, at) => open[at])).toEqual(['kept', 'superseded', 'foreign']);
  });

  it('are found of documents that the caller sees, as long as they are neither deleted nor in quarantine', async () => {
    const { reader, documents } = planted;
    await planted.db.unitOfWork.run(reader.ctx, async (manager) => {
      for (const fate of ['quarantined', 'deleted'] as const) {
        await manager.query(
          `INSERT INTO kg_chunk_answers (tenant_id, document_id, extractor, chunk_hash, answer) VALUES ($1, $2, $3, $4, $5)`,
          [reader.tenantId, documents[fate], EXTRACTOR, hashOf(fate), ANSWER],
        );
      }
    });
    expect(await fatesFound()).toEqual(['kept', 'superseded']);
  });
});
