import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentId } from '#libs/common';
import { createTestMember, type TestMember } from '#libs/testing';
import { ChunkLinesRepository } from '../../content/index.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

const WRITER = 'openai/one/1/256';
const HASH = Buffer.alloc(32, 7);

let lab: IngestionLab;
let lines: ChunkLinesRepository;
let stranger: TestMember;
let id: DocumentId;
beforeAll(async () => {
  lab = await IngestionLab.open();
  lines = lab.get(ChunkLinesRepository);
  stranger = await createTestMember(lab.db.unitOfWork, 'owner');
});
afterAll(async () => lab.close());
beforeEach(async () => {
  [id] = (await lab.upload(await lab.addDataset(), [{ name: 'one.txt', content: 'One.' }])) as [DocumentId];
});

const keep = (line: string): Promise<void> => lines.keep(lab.owner.ctx, id, WRITER, HASH, line);
const find = async (member: TestMember = lab.owner, writer = WRITER): Promise<string[]> => [
  ...(await lines.find(member.ctx, id, writer, [HASH])).values(),
];
const countRows = async (): Promise<number> =>
  (await lab.query(`SELECT 1 FROM chunk_lines WHERE document_id = $1`, [id])).length;

describe('stored lines', () => {
  it('belong to a document, a model and a text; the first one written is kept', async () => {
    await keep('The first.');
    await keep('The second.');
    expect(await find()).toEqual(['The first.']);
    expect(await find(lab.owner, 'openai/other/1/256')).toEqual([]);
  });

  it('are never given to another tenant, nor stored by one for a document of another tenant', async () => {
    await keep('Ours.');
    expect(await find(stranger)).toEqual([]);
    await lines.keep(stranger.ctx, id, 'theirs', HASH, 'Theirs.');
    expect(await countRows()).toBe(1);
  });

  it.each(['deleted_at', 'quarantined_at'])(
    'are removed by the transaction that sets %s, and none is stored afterwards',
    async (column) => {
      await keep('Gone.');
      await lab.query(`UPDATE documents SET ${column} = now() WHERE id = $1`, [id]);
      expect(await countRows()).toBe(0);
      await keep('Late.');
      expect(await countRows()).toBe(0);
    },
  );

  it('do not remain if one is being stored while the document is quarantined', async () => {
    let kept: Promise<void> | undefined;
    await lab.db.unitOfWork.run(lab.owner.ctx, async (manager) => {
      await manager.query(`UPDATE documents SET quarantined_at = now() WHERE id = $1`, [id]);
      kept = keep('Meanwhile.');
      await lab.until(`SELECT 1 FROM pg_locks WHERE NOT granted`, (n) => n > 0);
    });
    await kept;
    expect(await countRows()).toBe(0);
  });

  it('are removed with the row of the document', async () => {
    await keep('Purged.');
    await lab.query(`DELETE FROM documents WHERE id = $1`, [id]);
    expect(await countRows()).toBe(0);
  });
});
