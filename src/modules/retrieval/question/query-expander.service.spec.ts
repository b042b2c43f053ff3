import { describe, expect, it } from 'vitest';
import { ModelFailure } from '#libs/ai';
import { MemoryCache } from '#libs/cache';
import { newId, type AccountId, type TenantId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { StepTimer } from '../request/step-timer.js';
import { ScriptedChatModel } from '../testing/scripted-chat-model.js';
import { QueryExpander, type QuestionToExpand } from './query-expander.service.js';

const PHRASINGS = ['service interval', 'overhaul of compressors'];
const FAILURE = new ModelFailure({ provider: 'p', model: 'm', kind: 'timeout' });

function contextOf(tenant: string): RequestContext {
  const principal = {
    kind: 'account' as const,
    accountId: 'a1' as AccountId,
    role: 'viewer' as const,
    permissions: new Set<never>(),
  };
  return { tenantId: tenant as TenantId, principal, requestId: newId() };
}

function question(query = 'pump upkeep', signal = new AbortController().signal): QuestionToExpand {
  return { query, datasets: [{ id: newId() }], signal, timer: new StepTimer() };
}

describe('QueryExpander', () => {
  const open = (says: string | Error): { model: ScriptedChatModel; expander: QueryExpander } => {
    const model = new ScriptedChatModel(says);
    return { model, expander: new QueryExpander(model, new MemoryCache()) };
  };

  it.each(['multi_query', 'hyde'] as const)(
    'asks the model once for equal questions at the same moment (%s)',
    async (method) => {
      const { model, expander } = open(JSON.stringify({ queries: PHRASINGS }));
      model.hold();
      const ctx = contextOf('t1');
      const asked = Array.from({ length: 5 }, () => expander.expand(ctx, method, question()));
      const others = [
        expander.expand(contextOf('t2'), method, question()),
        expander.expand(ctx, method, question('another question')),
      ];
      await model.untilAsked(3);
      model.go();
      const [first, ...rest] = await Promise.all(asked);
      expect(first!.failure).toBeNull();
      expect(first!.texts.length).toBeGreaterThan(0);
      for (const one of rest) expect(one).toEqual(first);
      await Promise.all(others);
      expect(model.requests).toHaveLength(3);
      expect(await expander.expand(ctx, method, question())).toEqual(first);
      expect(model.requests).toHaveLength(3);
    },
  );

  it('continues when the first caller has left, and stops when all have', async () => {
    const { model, expander } = open(JSON.stringify({ queries: PHRASINGS }));
    model.hold();
    const [ctx, leaver] = [contextOf('t1'), new AbortController()];
    const [first, second] = [
      expander.expand(ctx, 'multi_query', question('pump', leaver.signal)),
      expander.expand(ctx, 'multi_query', question('pump')),
    ];
    await model.untilAsked(1);
    const reason = new Error('has left');
    leaver.abort(reason);
    await expect(first).rejects.toBe(reason);
    expect(model.signals[0]!.aborted).toBe(false);
    model.go();
    expect(await second).toEqual({ texts: PHRASINGS, failure: null });
    model.hold();
    const alone = new AbortController();
    const last = expander.expand(ctx, 'multi_query', question('valve', alone.signal));
    await model.untilAsked(2);
    alone.abort(reason);
    await expect(last).rejects.toBe(reason);
    expect(model.signals[1]!.aborted).toBe(true);
  });

  it('reports a failure to all waiting callers, and calls the model again for the next', async () => {
    const { model, expander } = open(FAILURE);
    model.hold();
    const ctx = contextOf('t1');
    const asked = [1, 2].map(() => expander.expand(ctx, 'multi_query', question()));
    await model.untilAsked(1);
    model.go();
    const failed = { texts: [], failure: 'ai.provider_unavailable' };
    expect(await Promise.all(asked)).toEqual([failed, failed]);
    expect(model.requests).toHaveLength(1);
    model.says = JSON.stringify({ queries: PHRASINGS });
    expect(await expander.expand(ctx, 'multi_query', question())).toEqual({ texts: PHRASINGS, failure: null });
  });
});
