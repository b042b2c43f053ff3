import { describe, expect, it } from 'vitest';
import { finish, type DocumentId } from '#libs/common';
import type { ChunkMetadata } from '#libs/vector-store';
import { schemaOf } from './fact-schema.js';
import { PredicateRun, type CheapVerdict } from './predicate-run.js';

interface Text {
  readonly text: string;
  readonly language?: string;
  readonly metadata?: ChunkMetadata['metadata'];
}

const BOAT = {
  text: 'The boat leaves the harbour at noon. Its engine was repaired in Oslo.',
  metadata: { kind: 'report', team: 'Fleet', date: '2024-03-05', pages: 12 },
};
const GARDEN = {
  text: 'Tulips are planted in autumn. No engine is needed in the garden.',
  metadata: { kind: 'letter', team: 'Parks', date: '2022-07-01', pages: 3 },
};
const GERMAN = { text: 'Das Boot verlässt den Hafen.', language: 'de', metadata: { kind: 'letter', team: 'IT' } };
const ALL: readonly Text[] = [BOAT, GARDEN, GERMAN];

function factsOf({ language = 'en', metadata = {} }: Text, index: number): ChunkMetadata {
  return {
    documentId: `d${index}` as DocumentId,
    documentName: `Document ${index}`,
    mediaType: index === 0 ? 'application/pdf' : 'text/plain',
    language,
    createdAt: '2025-01-01T00:00:00.000Z',
    tags: index === 0 ? ['urgent'] : [],
    metadata,
  };
}

function judge(predicate: string, texts: readonly Text[] = ALL, isComplete = true): CheapVerdict<null>[] {
  const facts = texts.map(factsOf);
  const run = new PredicateRun<null>(predicate, { keys: finish(schemaOf(facts)), ofDocuments: true });
  texts.forEach(({ text, language = 'en' }, index) =>
    finish(
      run.add(facts[index]!, run.needsText(facts[index]!) ? [{ text, title: '', ref: null }] : null, {
        isComplete,
        language,
      }),
    ),
  );
  return finish(run.conclude());
}

const truths = (predicate: string) => judge(predicate).map(({ truth }) => truth);

describe('a predicate without a model', () => {
  it.each<[string, (boolean | undefined)[]]>([
    ['is in German', [false, false, true]],
    ['is not written in German', [true, true, false]],
    ['kind is letter', [false, true, true]],
    ['metadata.kind is not letter', [true, false, false]],
    ['is a report', [true, false, false]],
    ['comes from the Parks team', [false, true, false]],
    ['from IT', [false, false, true]],
    ['is a report or is a letter from the fleet', [true, false, false]],
    ['is tagged urgent', [true, false, false]],
    ['is a PDF', [true, false, false]],
    ['pages > 5', [true, false, false]],
    ['pages between 3 and 5', [false, true, false]],
    ['has a date', [true, true, false]],
    ['was uploaded after 2024', [true, true, true]],
    // Whose date is not known may be of any time.
    ['after 2023', [true, false, undefined]],
    ['is dated between 2022 and March 2024', [true, true, undefined]],
    ['was written in the third quarter of 2022', [false, true, undefined]],
    ['is not older than 2023', [true, false, undefined]],
  ])('decides “%s” by metadata', (predicate, expected) => {
    expect(truths(predicate)).toEqual(expected);
    for (const { truth, means } of judge(predicate)) expect(means).toBe(truth === undefined ? null : 'facts');
  });

  it('decides exact words both ways, and shows where they are', () => {
    const verdicts = judge('contains the words "the harbour"');
    expect(verdicts.map(({ truth }) => truth)).toEqual([true, false, false]);
    expect(truths('does not contain the words "the harbour"')).toEqual([false, true, true]);
  });

  it('says true for a mentioned thing, with the sentence, and false for a missing name', () => {
    const [boat, garden, german] = judge('mentions Oslo');
    expect(boat).toMatchObject({
      truth: true,
      means: 'lexical',
      sentences: [{ text: 'Its engine was repaired in Oslo.' }],
    });
    expect(garden).toMatchObject({ truth: false, means: 'lexical' });
    // Names change between languages.
    expect(german).toMatchObject({ truth: undefined, means: null });
  });

  it('leaves open what words cannot decide', () => {
    // Turned round by a negation in the sentence.
    expect(truths('an engine is needed')[1]).toBeUndefined();
    // Other words may say the same: that none is there proves no negation.
    expect(truths('does not mention a harbour')[1]).toBeUndefined();
    expect(truths('mentions more than five tulips')[1]).toBeUndefined();
    // No one uses the word here.
    expect(truths('mentions a submarine')).toEqual([undefined, undefined, undefined]);
  });

  it('does not count unread text as absent', () => {
    expect(judge('mentions Oslo', [GARDEN], false)[0]!.truth).toBeUndefined();
    expect(judge('contains the word "boat"', [GARDEN], false)[0]!.truth).toBeUndefined();
    expect(judge('contains the word "boat"', [BOAT], false)[0]!.truth).toBe(true);
  });

  it('lets one part decide where it can, and otherwise needs all parts', () => {
    expect(truths('is a letter that mentions Oslo')[0]).toBe(false);
    expect(truths('is a report that mentions Oslo')[0]).toBe(true);
    expect(truths('is a report or mentions a submarine')).toEqual([true, undefined, undefined]);
  });

  it.each<[string, (boolean | undefined)[]]>([
    ['is paid', [true, false, undefined]],
    ['is not paid', [false, true, undefined]],
    ['the team is Fleet and it is paid', [true, false, false]],
    ['is an urgent order', [false, true, undefined]],
    ['is about paid work', [undefined, undefined, undefined]],
  ])('reads what holds or not by its name: %s', (predicate, expected) => {
    const texts: Text[] = [
      { text: 'One.', metadata: { team: 'Fleet', paid: true, 'urgent order': false } },
      { text: 'Two.', metadata: { team: 'Parks', paid: false, 'urgent order': true } },
      { text: 'Three.', metadata: { team: 'Parks' } },
    ];
    const judged = judge(predicate, texts).map(({ truth, means }) => (means === 'facts' ? truth : undefined));
    expect(judged).toEqual(expected);
  });
});
