import { describe, expect, it } from 'vitest';
import { readPassage, readPhrasings } from './generated-queries.js';

const QUERY = 'How often is the pump serviced?';

describe('phrasings that a model wrote', () => {
  it.each<[string, string, readonly string[] | undefined]>([
    [
      'the JSON that was asked for',
      '{"queries": ["pump maintenance", "service interval"]}',
      ['pump maintenance', 'service interval'],
    ],
    ['JSON in a fence', '```json\n{"queries": ["pump maintenance"]}\n```', ['pump maintenance']],
    ['JSON among words', 'Here you are: {"queries": ["pump maintenance"]} Good luck!', ['pump maintenance']],
    ['a bare list', '["pump maintenance", "service interval"]', ['pump maintenance', 'service interval']],
    ['another name of the field', '{"alternatives": ["pump maintenance"]}', ['pump maintenance']],
    [
      'a list of objects',
      '[{"query": "pump maintenance"}, {"query": "service interval"}]',
      ['pump maintenance', 'service interval'],
    ],
    ['JSON that was cut off', '{"queries": ["pump maintenance", "service inter', ['pump maintenance']],
    [
      'lines with numbers',
      'Other phrasings:\n1. pump maintenance\n2) "service interval"\n',
      ['pump maintenance', 'service interval'],
    ],
    ['lines with bullets', '- pump maintenance\n* service interval', ['pump maintenance', 'service interval']],
    ['more than three', '["a1", "b2", "c3", "d4"]', ['a1', 'b2', 'c3']],
    ['what repeats the query or each other', '["how often is the PUMP serviced", "pump", "Pump!"]', ['pump']],
    ['line breaks and control characters', '["pump\\n\\u0000 maintenance"]', ['pump maintenance']],
    ['nothing but the query', `["${QUERY}"]`, []],
    ['an empty list', '{"queries": []}', undefined],
    ['numbers alone in a list', '[1, null, {}]', undefined],
    ['nothing', '  \n', undefined],
    ['signs alone', '["?!"]', undefined],
  ])('are read from %s', (_what, written, expected) => {
    expect(readPhrasings(written, QUERY)).toEqual(expected);
  });

  it('are bounded, also between the halves of a character', () => {
    const [one] = readPhrasings(JSON.stringify([`${'x'.repeat(511)}😀`]), QUERY)!;
    expect(one).toBe('x'.repeat(511));
  });
});

describe('a passage that a model wrote', () => {
  it('is on one line, without a fence, and bounded', () => {
    expect(readPassage('```\nThe pump is serviced\nevery 500 hours.\n```')).toBe(
      'The pump is serviced every 500 hours.',
    );
    expect(readPassage('y'.repeat(9_000))).toHaveLength(4_000);
    expect(readPassage(' … ')).toBeUndefined();
  });
});
