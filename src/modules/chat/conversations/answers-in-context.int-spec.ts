import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { BUILTIN_MODELS, createTestDatabase, type TestDatabase } from '#libs/testing';
import type { DocumentInState } from '../../retrieval/testing/explain-lab.js';
import type { RetrievalModels } from '../../retrieval/testing/retrieval-services.js';
import { ConversationLab } from '../testing/conversation-lab.js';
import type { ConversationId, TurnId } from '../turn/conversation.entity.js';
import { DeletedDatasets } from './deleted-datasets.service.js';

const PUMP = 'The hydraulic pump must be serviced every 500 hours.';

/** Three turns: the second was given the first answer and repeats it; the third was given both. A fourth was given none. */
describe('answers that were given earlier ones', () => {
  let db: TestDatabase;
  let models: RetrievalModels;
  let lab: ConversationLab;
  let ctx: RequestContext;
  let dataset: DatasetId;
  let other: DatasetId;
  let pump: DocumentInState;
  let id: ConversationId;
  let turnIds: TurnId[];

  beforeAll(async () => {
    db = await createTestDatabase();
    models = await createModels(BUILTIN_MODELS);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    lab = await ConversationLab.open(db, models);
    ({ ctx } = lab.explainLab.colleague);
    dataset = await lab.explainLab.dataset();
    other = await lab.explainLab.dataset();
    pump = await lab.explainLab.document(dataset, [PUMP], { name: 'pump.txt' });
    const valve = await lab.explainLab.document(other, ['A valve opens at 12 bar.']);
    id = (await lab.service.create(ctx, {})).id as ConversationId;
    turnIds = [];
    await add(pump);
    await add(valve, 'As was said, every 500 hours.');
    await add(valve, 'After 500 hours, as pump.txt says.');
    turnIds.push((await lab.turns.keep(ctx, id, await lab.turn(valve)))!);
  });

  /** A turn that was given all that is to be seen before it. */
  const add = async (document: DocumentInState, text?: string): Promise<void> => {
    const turn = await lab.turn(document, document.id === pump.id ? 'pump.txt' : 'note.txt');
    const { turnIds: contextTurnIds } = await lab.history.open(ctx, id);
    const content = text === undefined ? turn.content : { ...turn.content, text };
    turnIds.push((await lab.turns.keep(ctx, id, { ...turn, contextTurnIds, content }))!);
  };
  const codes = async (): Promise<(string | null)[]> =>
    (await lab.read(ctx, id)).map(({ withheld }) => withheld?.code ?? null);
  const areKept = async (): Promise<boolean[]> => {
    const rows = await lab.explainLab.sql<{ id: string }>(
      `SELECT id FROM conversation_turns WHERE conversation_id = $1 AND content IS NOT NULL`,
      [id],
    );
    return turnIds.map((each) => rows.some((row) => row.id === each));
  };

  it('record all earlier answers that they depend on, also indirectly', async () => {
    const [first, second, third] = turnIds as [TurnId, TurnId, TurnId];
    const given = await lab.turns.find(ctx, turnIds);
    const byId = new Map(given.map((turn) => [turn.id, turn.context_turn_ids]));
    expect(turnIds.map((each) => byId.get(each))).toEqual([[], [first], [first, second], []]);
    expect(await codes()).toEqual([null, null, null, null]);
    expect((await lab.history.open(ctx, id)).turnIds).toEqual([first, second, third, turnIds[3]]);
  });

  it('are withheld while a document of an earlier answer is in quarantine, and no model is given them', async () => {
    await lab.explainLab.change(pump, 'quarantined_at = now()');
    expect(await codes()).toEqual(['SOURCE_OUT_OF_SIGHT', 'SOURCE_OUT_OF_SIGHT', 'SOURCE_OUT_OF_SIGHT', null]);
    expect(JSON.stringify(await lab.service.read(ctx, id, { limit: 3 }))).not.toContain('500 hours');
    const { messages, turnIds: given } = await lab.history.open(ctx, id);
    expect(JSON.stringify(messages)).not.toContain('500 hours');
    expect(given).toEqual([turnIds[3]]);
    await lab.explainLab.change(pump, 'quarantined_at = NULL');
    expect(await codes()).toEqual([null, null, null, null]);
  });

  it('are withheld on a page that does not hold the earlier turns', async () => {
    await lab.explainLab.change(pump, 'quarantined_at = now()');
    const { turns } = await lab.service.read(ctx, id, { limit: 2 });
    expect(turns.map(({ withheld }) => withheld?.code ?? null)).toEqual(['SOURCE_OUT_OF_SIGHT', null]);
  });

  it('are withheld while their owner does not see a dataset of an earlier answer', async () => {
    await lab.explainLab.sql(`UPDATE datasets SET acl = 'only_me' WHERE id = $1`, [dataset]);
    expect(await codes()).toEqual(['DATASET_OUT_OF_SIGHT', 'DATASET_OUT_OF_SIGHT', 'DATASET_OUT_OF_SIGHT', null]);
    await lab.explainLab.sql(`UPDATE datasets SET acl = 'all_team_members' WHERE id = $1`, [dataset]);
    expect(await codes()).toEqual([null, null, null, null]);
  });

  it('are withheld as soon as a document of an earlier answer is masked, and removed with it', async () => {
    const { library, owner } = lab.explainLab;
    await library.showTexts(owner, pump.id, [PUMP.replace('500 hours', '*********')]);
    expect(await codes()).toEqual(['SOURCE_CHANGED', 'SOURCE_CHANGED', 'SOURCE_CHANGED', null]);
    const principal = { kind: 'system' as const, permissions: new Set<never>() };
    expect(await lab.changed.remove({ ...ctx, principal })).toBe(3);
    expect(await areKept()).toEqual([false, false, false, true]);
  });

  it('are withheld where they contain a former name of a document of an earlier answer', async () => {
    await lab.explainLab.change(pump, `name = 'hydraulics.txt'`);
    expect(await codes()).toEqual([null, null, 'SOURCE_CHANGED', null]);
  });

  it('are removed in the transaction that deletes a document of an earlier answer', async () => {
    await lab.explainLab.change(pump, 'deleted_at = now()');
    expect(await areKept()).toEqual([false, false, false, true]);
    expect(await codes()).toEqual(['SOURCE_OUT_OF_SIGHT', 'SOURCE_OUT_OF_SIGHT', 'SOURCE_OUT_OF_SIGHT', null]);
  });

  it('are removed with a dataset that an earlier turn asked', async () => {
    const payload = { dataset_id: dataset } as never;
    await new DeletedDatasets(lab.turns, lab.outcomes).forget(ctx, { payload } as never);
    expect(await areKept()).toEqual([false, false, false, true]);
    expect((await lab.read(ctx, id)).map(({ place, withheld }) => [place, withheld?.code ?? null])).toEqual([
      [2, 'SOURCE_OUT_OF_SIGHT'],
      [3, 'SOURCE_OUT_OF_SIGHT'],
      [4, null],
    ]);
  });

  it('are not kept where an earlier answer has gone while they were made', async () => {
    const turn = {
      ...(await lab.turn(await lab.explainLab.document(other, ['A hose.']))),
      contextTurnIds: [turnIds[0]!],
    };
    await lab.explainLab.change(pump, 'deleted_at = now()');
    turnIds = [(await lab.turns.keep(ctx, id, turn))!];
    expect(await areKept()).toEqual([false]);
  });
});
