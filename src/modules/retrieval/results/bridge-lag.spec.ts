import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentId } from '#libs/common';
import { matchesFilter, type ChunkMetadata } from '#libs/vector-store';
import { buildMetadata } from '../../../../libs/vector-store/src/testing/chunk-builder.js';
import { anyFilter, anyMetadata } from '../../../../libs/vector-store/src/testing/filter-arbitraries.js';
import { bridgeLag } from '../candidates/candidate-finder.service.js';

const eq = (value: string) => ({ type: 'eq', key: 'metadata.state', value }) as const;
const document = (id: string, state: string): ChunkMetadata =>
  buildMetadata({ documentId: id as DocumentId, metadata: { state } });

describe('bridgeLag', () => {
  it('leaves the filter alone when the store knows everything', () => {
    const filter = eq('new');
    expect(bridgeLag(filter, [])).toBe(filter);
  });

  it('finds by the new value and not by the old one', () => {
    const stored = [document('changed', 'old'), document('same', 'old')];
    const now = [document('changed', 'new')];
    const found = (value: string): string[] =>
      stored.filter((one) => matchesFilter(bridgeLag(eq(value), now), one)).map(({ documentId }) => documentId);
    expect(found('new')).toEqual(['changed']);
    expect(found('old')).toEqual(['same']);
  });

  it('selects what the filter selects from the current metadata, whatever the store contains', () => {
    const property = fc.property(
      anyFilter,
      fc.array(fc.tuple(anyMetadata, anyMetadata, fc.boolean()), { maxLength: 6 }),
      (filter, drawn) => {
        const rows = drawn.map(([before, after, lags], index) => {
          const documentId = `d${index}` as DocumentId;
          const now = { ...after, documentId };
          return { stored: lags ? { ...before, documentId } : now, now, lags };
        });
        const bridged = bridgeLag(
          filter,
          rows.filter(({ lags }) => lags).map(({ now }) => now),
        );
        for (const { stored, now } of rows) {
          expect(matchesFilter(bridged, stored)).toBe(matchesFilter(filter, now));
        }
      },
    );
    fc.assert(property, { numRuns: 500 });
  });
});
