import { describe, expect, it } from 'vitest';
import { NOT_ANSWERED } from '../../prompt/source-prompt.js';
import { answerLike, asReadInAllLanguages, type AnswererKind, type KnownAnswer } from './answerers.js';

const SOURCES = [
  { number: 1, text: '# Desk\n\nThe desk is open from 8 to 18. It keeps what was found for three months.' },
  { number: 2, text: 'Dogs are not allowed in the building. The workshop in Auental checks cars.' },
];
const KNOWN: readonly KnownAnswer[] = [
  { question: 'When is it open?', holds: ['8 to 18'], foreign: 'Geöffnet von 8 bis 18 Uhr.' },
  { question: 'May I bring a dog?', holds: ['dogs are not'] },
  { question: 'Where are cars checked?', holds: ['Auental'], invented: 'Cars are checked nowhere.' },
  { question: 'Who built it?', holds: [] },
];
const say = (kind: AnswererKind, question: string): string => answerLike({ kind, answers: KNOWN }, question, SOURCES);

describe('a double that answers', () => {
  it('well, quotes the sentence that holds the answer and declines where none does', () => {
    expect(say('well', 'When is it open?')).toBe('The desk is open from 8 to 18. [1]');
    expect(say('well', 'May I bring a dog?')).toBe('Dogs are not allowed in the building. [2]');
    expect(say('well', 'Who built it?')).toBe(NOT_ANSWERED);
    expect(say('well', 'Never heard of?')).toBe(NOT_ANSWERED);
  });

  it('with inventions, changes a number or turns a negation, or says what it was told, cited', () => {
    expect(say('invents', 'When is it open?')).toBe('The desk is open from 11 to 18. [1]');
    expect(say('invents', 'May I bring a dog?')).toBe('Dogs are allowed in the building. [2]');
    expect(say('invents', 'Where are cars checked?')).toBe('Cars are checked nowhere. [2]');
    expect(say('invents', 'Who built it?')).toMatch(/\[1\]$/);
  });

  it('without sources, marks nothing', () => {
    expect(say('ignores', 'When is it open?')).not.toMatch(/\[\d+\]/);
  });

  it('in another language, says what it was told and reads documents in all of them', () => {
    expect(say('foreign', 'When is it open?')).toBe('Geöffnet von 8 bis 18 Uhr. [1]');
    expect(say('foreign', 'May I bring a dog?')).toBe(NOT_ANSWERED);
    const answerer = { kind: 'foreign', answers: KNOWN } as const;
    expect(asReadInAllLanguages(answerer, [SOURCES[0]!.text])[0]).toContain('Geöffnet');
    expect(asReadInAllLanguages({ ...answerer, kind: 'well' }, [SOURCES[0]!.text])).toEqual([SOURCES[0]!.text]);
  });
});
