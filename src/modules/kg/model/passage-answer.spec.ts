import { GRAPH_ENTITY_TYPES } from '../../ingestion-policy/index.js';
import { describe, expect, it } from 'vitest';
import { newId, type ChunkId } from '#libs/common';
import { AnswerRows } from './answer-rows.js';
import { findName } from './name-places.js';
import { readAnswer, type PassageAnswer } from './passage-answer.js';
import { PASSAGE_CHARS, passagesOf } from './passages.js';

const TEXT = 'The University of Leeds\n(UL) opened in Leeds. Maren Oxley leads UL. 北京大学位于北京。';
const read = (answer: object, text = TEXT) => readAnswer(JSON.stringify(answer), text, GRAPH_ENTITY_TYPES);
const entity = (name: string, type = 'organisation', aliases: unknown = []) => ({ name, type, aliases });
const chunkOf = (text: string, start = 0) => ({ id: newId() as ChunkId, start, text, headingPath: [] });

describe('an answer about a passage', () => {
  it.each([
    ['nothing', ''],
    ['words', 'I cannot do that.'],
    ['half an object', '{"entities": ['],
    ['another form', '{"entities": "all", "relations": []}'],
    ['a list', '[1, 2]'],
    ['relations that are no list', '{"entities": [], "relations": {"a": 1}}'],
  ])('cannot be read where it is %s', (_what, written) => {
    expect(readAnswer(written, TEXT, GRAPH_ENTITY_TYPES)).toHaveProperty('unreadable');
  });

  it('is read also with words around it, and without relations', () => {
    expect(readAnswer('Here: {"entities": []} Done.', TEXT, GRAPH_ENTITY_TYPES)).toEqual({
      entities: [],
      relations: [],
      dropped: {},
    });
  });

  it('gives names as the text has them, and leaves out what is of no use, by reason', () => {
    const entities = [
      entity('university  of leeds', 'Organisation', ['UL', 'LU', 7]),
      entity('Maren Oxley', 'person'),
      entity('Maren', 'animal'),
      entity('Paris', 'place'),
      entity('ren Oxl', 'person'),
      entity('!!'),
      'Leeds',
      null,
    ];
    const relations = [
      { source: 'Maren Oxley', target: 'UL', relation: 'leads' },
      { source: 'Maren Oxley', target: 'UL', relation: 'poisons' },
      { source: 'Maren Oxley', target: 'Paris', relation: 'lives_in' },
      { source: 'UL', target: 'University of Leeds', relation: 'part_of' },
      5,
    ];
    expect(read({ entities, relations })).toEqual({
      entities: [entity('University of Leeds', 'organisation', ['UL']), entity('Maren Oxley', 'person')],
      relations: [[1, 0, 'leads']],
      dropped: {
        'entity.wrong_type': 1,
        'entity.not_in_text': 2,
        'entity.malformed': 3,
        'relation.wrong_relation': 1,
        'relation.unknown_end': 2,
        'relation.malformed': 1,
      },
    });
  });

  it('joins no names that are far from each other', () => {
    const far = `Maren Oxley. ${'x '.repeat(400)} Leeds.`;
    const answer = { entities: [entity('Maren Oxley', 'person'), entity('Leeds', 'place')], relations: [] as object[] };
    answer.relations.push({ source: 'Maren Oxley', target: 'Leeds', relation: 'lives_in' });
    expect(read(answer, far)).toMatchObject({ relations: [], dropped: { 'relation.not_in_text': 1 } });
  });
});

describe('places of a name', () => {
  it.each([
    ['Leeds', 2],
    ['University of Leeds', 1],
    ['UL', 2],
    ['maren oxley', 1],
    ['北京', 2],
    ['.*', 0],
    ['', 0],
  ])('%s: %i', (name, count) => {
    expect(findName(TEXT, name).length).toBe(count);
  });
});

describe('rows of answers', () => {
  it('have the places of the text; a shorter name inside of a longer one is not its own place', () => {
    const [passage] = passagesOf(chunkOf(TEXT, 100));
    const answer = read({
      entities: [
        entity('University of Leeds', 'organisation', ['UL']),
        entity('Leeds', 'place'),
        entity('Maren Oxley', 'person'),
      ],
      relations: [{ source: 'Maren Oxley', target: 'UL', relation: 'leads' }],
    }) as PassageAnswer;
    const { mentions, relations } = new AnswerRows().rowsOf([{ passage: passage!, answer }]);
    const told = mentions.map(({ form, label, char_start: at }) => [form, label, at]);
    expect(told).toEqual([
      ['University of Leeds', 'University of Leeds', 104],
      ['UL', 'University of Leeds', 100 + TEXT.indexOf('UL')],
      ['Leeds', 'Leeds', 100 + TEXT.indexOf('Leeds. ')],
      ['Maren Oxley', 'Maren Oxley', 100 + TEXT.indexOf('Maren')],
      ['UL', 'University of Leeds', 100 + TEXT.lastIndexOf('UL')],
    ]);
    expect(relations).toMatchObject([
      { source_key: 'maren oxley', target_key: 'university of leeds', relation: 'leads' },
    ]);
  });

  it('hold once what two chunks share', () => {
    const answer = { entities: [entity('Maren Oxley', 'person')], relations: [], dropped: {} } as PassageAnswer;
    const [one] = passagesOf(chunkOf('Hello. Maren Oxley came.', 0));
    const [other] = passagesOf(chunkOf('Maren Oxley came. Maren Oxley went.', 7));
    const { mentions } = new AnswerRows().rowsOf([
      { passage: one!, answer },
      { passage: other!, answer },
    ]);
    expect(mentions.map(({ char_start: at }) => at)).toEqual([7, 25]);
  });
});

describe('passages', () => {
  it('of a long chunk end at white space, never inside a character, and leave nothing out', () => {
    for (const text of ['word '.repeat(4_000), '🚀'.repeat(8_000), 'x'.repeat(20_000), ' \n ']) {
      const passages = passagesOf(chunkOf(text, 3));
      for (const { text: own } of passages) {
        expect(own.length).toBeLessThanOrEqual(PASSAGE_CHARS);
        expect(own.isWellFormed()).toBe(true);
      }
      if (/[\p{L}\p{N}]/u.test(text)) expect(passages.map((one) => one.text).join('')).toBe(text);
      else expect(passages).toEqual([]);
    }
  });
});
