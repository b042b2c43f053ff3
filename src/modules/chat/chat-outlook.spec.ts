import { describe, expect, it } from 'vitest';
import { ChatOutlook } from './chat-outlook.js';
import { ChatFixture, DATASET_ID } from './testing/chat-fakes.js';

describe('ChatOutlook', () => {
  const search = { query: 'How often is the pump serviced?', dataset_ids: [DATASET_ID] };

  it('searches as a chat does where request and datasets are silent', () => {
    const outlook = new ChatOutlook(new ChatFixture().model);
    expect(outlook.searchDefaults).toEqual({ top_k: 8, expand: 'neighbours' });
  });

  it('tells what the model is given, and what does not fit', () => {
    const { model, outcome } = new ChatFixture();
    expect([...new ChatOutlook(model).look(search.query, outcome).given]).toEqual(['chunk-0', 'chunk-1']);
    model.descriptor = { ...model.descriptor, contextTokens: 60, maxOutputTokens: 10 };
    expect([...new ChatOutlook(model).look(search.query, outcome).given]).toEqual(['chunk-0']);
  });

  it('tells that a chat would refuse', () => {
    const { model, outcome } = new ChatFixture();
    expect(new ChatOutlook(model).look(search.query, { ...outcome, evidence: 0 })).toEqual({
      isRefused: true,
      given: new Set(),
    });
  });
});
