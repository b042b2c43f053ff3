import { describe, expect, it } from 'vitest';
import type { ChatModel } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import { fitSchema } from './fit-schema.js';
import { ModelStatements } from './model-statements.service.js';

describe('a model with a small context', () => {
  it('is shown fewer tables, and is not called where none fits', async () => {
    const of = (contextTokens: number) =>
      ({ descriptor: { contextTokens, kind: 'generative' } }) as unknown as ChatModel;
    expect(new ModelStatements(of(128_000), null as never).schemaTokens).toBe(4_000);
    expect(new ModelStatements(of(4_096), null as never).schemaTokens).toBe(896);
    const small = new ModelStatements(of(2_048), null as never);
    const schema = fitSchema('How many?', [], 3, small.schemaTokens);
    const asked = { dataset: 'dataset' as never, question: 'How many?', schema };
    expect(await small.write({} as RequestContext, asked)).toEqual({
      kind: 'failed',
      failure: 'model_context',
      calls: 0,
    });
  });
});
