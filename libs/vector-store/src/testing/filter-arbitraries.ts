import fc from 'fast-check';
import type { DocumentId } from '#libs/common';
import type { ChunkMetadata, Filter, FilterCondition, FilterScalar, MetadataScalar } from '../filter.js';
import { buildMetadata } from './chunk-builder.js';

/** Few values, so that conditions meet stored values often; quotes and lookalikes of other types among them. */
const SCALARS: readonly FilterScalar[] = [
  0,
  1,
  -2.5,
  10,
  true,
  false,
  '',
  '1',
  'true',
  'a',
  'A',
  'ab',
  "it's",
  'ü',
  '\u{1F600}',
  '\u{FF5E}',
  '%',
  '\\',
];
const NAMES = ['n', 's', 'list', '__proto__', 'a.b', 'never'];
const INSTANTS = ['2026-01-02T03:04:05.000Z', '2026-01-02T04:04:05+01:00', '2025-12-31T23:59:59Z', 'not a date'];

const scalar: fc.Arbitrary<FilterScalar> = fc.constantFrom(...SCALARS);
const stored: fc.Arbitrary<MetadataScalar> = fc.oneof({ weight: 8, arbitrary: scalar }, fc.constant(null));
const key = fc.constantFrom(
  ...NAMES.map((name) => `metadata.${name}`),
  'tags',
  'media_type',
  'language',
  'document_name',
  'path',
  'archive_id',
  'created_at',
);
const asked: fc.Arbitrary<FilterScalar> = fc.oneof(
  scalar,
  fc.constantFrom<FilterScalar>(...INSTANTS, 'en', 'text/plain', 'x', 'y'),
);

const condition: fc.Arbitrary<FilterCondition> = fc.oneof(
  fc.record({
    type: fc.constantFrom('eq' as const, 'ne' as const, 'gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
    key,
    value: asked,
  }),
  fc.record({
    type: fc.constantFrom('contains' as const, 'starts_with' as const, 'ends_with' as const),
    key,
    value: asked,
  }),
  fc.record({ type: fc.constantFrom('in' as const, 'nin' as const), key, value: fc.array(asked, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('exists' as const), key, value: fc.boolean() }, { requiredKeys: ['type', 'key'] }),
);

/** Filter trees up to three levels deep. */
export const anyFilter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    condition,
    fc.record({
      type: fc.constantFrom('and' as const, 'or' as const, 'not' as const),
      filters: fc.array(tie('filter'), { maxLength: 3 }),
    }),
  ),
})).filter;

/** Documents' metadata over the same keys and values. */
export const anyMetadata: fc.Arbitrary<ChunkMetadata> = fc
  .record({
    documentName: fc.constantFrom('a', 'ab', 'A', "it's"),
    path: fc.constantFrom(undefined, 'a', 'a/x', 'x/a'),
    archiveId: fc.constantFrom(undefined, 'a' as DocumentId, 'x' as DocumentId),
    mediaType: fc.constantFrom('text/plain', 'text/html'),
    language: fc.constantFrom('en', 'de', null),
    createdAt: fc.constantFrom('2026-01-02T03:04:05.000Z', '2025-12-31T23:59:59.000Z', '2027-01-01T00:00:00.000Z'),
    tags: fc.subarray(['x', 'y', 'a', '1']),
    entries: fc.array(
      fc.tuple(fc.constantFrom(...NAMES.slice(0, -1)), fc.oneof(stored, fc.array(stored, { maxLength: 3 }))),
      { maxLength: 4 },
    ),
  })
  .map(({ entries, ...facts }) => buildMetadata({ ...facts, metadata: Object.fromEntries(entries) }));
