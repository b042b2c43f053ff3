import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeChunk } from './analysis/chunk-terms.js';
import { decodeTerms, encodeTerms } from './analysis/encoded-terms.js';
import { analyzeQuery } from './analysis/query-terms.js';
import { summarizeTerms, TermStatistics } from './analysis/term-statistics.js';
import { EVIDENCE_THRESHOLD, measureEvidence } from './evidence.js';
import { KeywordScorer } from './keyword.js';

const LIBRARY = [
  'The reading room of the Harbour Library opens at nine on weekdays and closes at six. Loans last three weeks.',
  'Members pay no fee. A lost card is replaced for four euros at the front desk.',
  'The archive in the basement keeps newspapers since 1887 and may be visited by appointment with the archivist.',
];

function evidence(query: string, texts: readonly string[], titles: readonly string[] = []): number {
  const chunks = texts.map((text, index) => decodeTerms(encodeTerms(analyzeChunk({ text, title: titles[index] }))));
  const statistics = new TermStatistics();
  statistics.add(summarizeTerms(chunks));
  const terms = analyzeQuery(query);
  const scorer = new KeywordScorer(terms, statistics);
  return measureEvidence(
    terms,
    chunks.toSorted((a, b) => scorer.score(b) - scorer.score(a)),
    statistics,
  );
}

describe('measureEvidence', () => {
  it.each([
    'When does the reading room open on weekdays?',
    'How long do loans last?',
    'What does it cost to replace a lost card?',
    'Since when are newspapers kept in the archive?',
    'Who can I make an appointment with to visit the archive?',
  ])('finds what is in a tiny dataset: %s', (question) => {
    expect(evidence(question, LIBRARY)).toBeGreaterThanOrEqual(EVIDENCE_THRESHOLD);
  });

  it.each([
    'What is the capital of Mongolia?',
    'How do I reset my password?',
    'Who won the football championship in 1998?',
    'What is the boiling point of nitrogen?',
    'Was ist die Hauptstadt von Frankreich?',
    '法国的首都是哪里？',
    'Какая столица у Франции?',
  ])('finds nothing for what is absent from a tiny dataset: %s', (question) => {
    expect(evidence(question, LIBRARY)).toBeLessThan(EVIDENCE_THRESHOLD);
    expect(evidence(question, LIBRARY.slice(0, 1))).toBeLessThan(EVIDENCE_THRESHOLD);
  });

  it.each([
    ['Wann öffnet der Lesesaal?', 'Der Lesesaal öffnet um neun Uhr.'],
    ['Когда открывается читальный зал?', 'Читальный зал открыт с девяти часов, открывают его утром.'],
    ['阅览室几点开门？', '阅览室每天上午九点开门。'],
    ['閲覧室は何時に開きますか', '閲覧室は午前九時に開きます。'],
    ['ห้องอ่านหนังสือเปิดเมื่อไร', 'ห้องอ่านหนังสือเปิดเวลาเก้าโมง'],
    ['열람실은 언제 여나요', '열람실은 아홉 시에 문을 엽니다'],
  ])('works in every script: %s', (question, text) => {
    expect(evidence(question, [text])).toBeGreaterThanOrEqual(EVIDENCE_THRESHOLD);
    expect(evidence(question, LIBRARY)).toBeLessThan(EVIDENCE_THRESHOLD);
  });

  it('counts what only the title of the document says', () => {
    expect(evidence('the handbook', ['Something else altogether.'], ['handbook'])).toBe(1);
  });

  it('is 0 without content words or without chunks, and lies in 0..1 for any input', () => {
    expect(evidence('???', LIBRARY)).toBe(0);
    expect(evidence('reading room', [])).toBe(0);
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 }),
        (query, texts) => {
          const value = evidence(query, texts);
          expect(value >= 0 && value <= 1).toBe(true);
        },
      ),
    );
  });
});
