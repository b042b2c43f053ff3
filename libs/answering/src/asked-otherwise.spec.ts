import { describe, expect, it } from 'vitest';
import { analyzeChunk, decodeTerms, encodeTerms, summarizeTerms, TermStatistics } from '#libs/ranking';
import { answerExtractively } from './answer-extractively.js';
import { ANSWERED_THRESHOLD, measureAnswered } from './answered.js';
import { askedVerb, lacksSuperlative, placesIn } from './asked-otherwise.js';
import { asFollowUp, profileQuestion } from './question-profile.js';

function answered(question: string, texts: readonly string[], asked?: string): number {
  const statistics = new TermStatistics();
  statistics.add(summarizeTerms(texts.map((text) => decodeTerms(encodeTerms(analyzeChunk({ text }))))));
  const profile = profileQuestion(question, statistics);
  return measureAnswered(
    asked === undefined ? profile : asFollowUp(profile, asked),
    texts.map((text) => ({ text, title: '' })),
  );
}

const quoted = (question: string, ...texts: string[]): string =>
  answerExtractively(
    question,
    texts.map((text, at) => ({ number: at + 1, text, score: 1 })),
  )?.answer ?? '';

const MINUTES = `Allotment Society Elmfield
Minutes of the committee meeting, 4 May 2026

Present: Joan Reeve (chair), Peter Lunn
Apologies: Farah Iqbal

1. Water
The committee decided to renew the pump.`;
const PROTOKOLL = `# Protokoll der Vorstandssitzung vom 4. Mai 2026

Anwesend: Joan Reeve (Vorsitz), Peter Lunn
Entschuldigt: Farah Iqbal

## Wasser

Peter Lunn besorgt bis Ende Mai eine neue Pumpe.`;
const QUESTIONS = `**Do you sell season cards?**
Yes, for one garden or for all of them. They're valid for eighteen months.

**Are there toilets?**
Yes, beside the greenhouse.`;

describe('which of several is the most', () => {
  it('is told by no sentence that compares nothing', () => {
    expect(answered('What is the highest amount?', ['The funds now amount to 900 euros.'])).toBeLessThan(
      ANSWERED_THRESHOLD,
    );
    expect(answered('Welcher Garten ist am größten?', ['Der Garten am Bach ist eingezäunt.'])).toBeLessThan(
      ANSWERED_THRESHOLD,
    );
  });

  it.each([
    ['What is the highest fine?', 'Fines of up to 50 euros are due.'],
    ['Which plot is the largest?', 'The largest plot is by the brook.'],
    ['Welche Parzelle ist am kleinsten?', 'Am kleinsten ist die Parzelle am Bach.'],
    ['Quel est le jardin le plus grand ?', 'Le plus grand jardin est au bord du ruisseau.'],
  ])('%s: %s', (question, text) => {
    expect(lacksSuperlative(question, text)).toBe(false);
  });
});

describe('what a question of may, can or must asks about', () => {
  it.each([
    ['Darf ich im Garten grillen?', 'grillen'],
    ['Können die Pächter ihre Hütte vermieten?', 'vermieten'],
    ['Wer darf im Garten grillen?', undefined],
    ['Darf ich das?', undefined],
  ])('%s', (question, verb) => {
    expect(askedVerb(question)).toBe(verb);
  });

  it('is not answered by what only shares its things', () => {
    const texts = [
      'Der Garten am Bach gehört dem Verein. Die Hütte der Pächter steht im Garten.',
      'Wasser gibt es ab März.',
    ];
    expect(answered('Darf die Hütte im Garten Gäste beherbergen?', texts)).toBeLessThan(ANSWERED_THRESHOLD);
  });
});

describe('the name of a place', () => {
  it('is read behind its preposition', () => {
    expect([...placesIn('Wo kann ich in Freiburg parken?')]).toEqual(['freiburg']);
    expect([...placesIn('Where is the office in the park?')]).toEqual([]);
  });

  it('alone answers nothing that is asked of it', () => {
    const texts = ['Der Vertrag mit der Gärtnerei Moos, Freiburg, endet im Mai.', 'Wasser gibt es ab März.'];
    expect(answered('Wo kann ich in Freiburg parken?', texts)).toBeLessThan(ANSWERED_THRESHOLD);
  });
});

describe('the same of another year', () => {
  it('is not told by what knows nothing but the year', () => {
    const texts = ['Sort | 2024 | 2025\nPears | 310 | 290\nPlums | 120 | 140'];
    expect(answered('and for 2024? big deficit 2025', texts, 'and for 2024?')).toBeLessThan(ANSWERED_THRESHOLD);
    expect(answered('and for 2024? many pears 2025', texts, 'and for 2024?')).toBeGreaterThan(ANSWERED_THRESHOLD);
  });
});

describe('one version of several', () => {
  it('is not told by another, whatever day it holds from', () => {
    const texts = ['Fassung 2, gültig ab 1. März 2026. Der Pachtzins beträgt 90 Euro.'];
    expect(answered('Wie hoch ist der Pachtzins in der ersten Fassung?', texts)).toBeLessThan(ANSWERED_THRESHOLD);
    expect(answered('Wie hoch ist der Pachtzins in der zweiten Fassung?', texts)).toBeGreaterThan(ANSWERED_THRESHOLD);
  });
});

describe('what is quoted', () => {
  it('names who was absent, in whatever word', () => {
    expect(quoted('Who was missing at the committee meeting?', MINUTES)).toMatch(/^Apologies: Farah Iqbal/);
    expect(quoted('Wer fehlte bei der Vorstandssitzung?', PROTOKOLL)).toMatch(/^Entschuldigt: Farah Iqbal/);
  });

  it('is the sentence of a reply that tells it, though it names its matter by a pronoun', () => {
    expect(quoted('How long are season cards valid?', QUESTIONS)).toMatch(/^They're valid for eighteen months/);
    expect(answered('How long are season cards valid?', [QUESTIONS, MINUTES])).toBeGreaterThan(ANSWERED_THRESHOLD);
  });

  it('tells from which day on', () => {
    const text =
      "If you are ill, ring the office before 10 in the morning. A doctor's note is needed from the third day.";
    expect(quoted('When do I need a note from the doctor?', text)).toMatch(
      /^A doctor's note is needed from the third day/,
    );
  });

  it('never tells what was replaced alone', () => {
    const older = {
      number: 1,
      score: 1,
      title: 'Rules 2023',
      text: 'Plots can be swapped up to 48 hours before the draw for a fee of 3 euros.',
    };
    const newer = {
      number: 2,
      score: 0.9,
      title: 'Rules 2026',
      text: 'Plots can be swapped up to 24 hours before the draw free of charge.',
    };
    expect(answerExtractively('What does it cost to swap plots before the draw?', [older, newer])?.answer).toMatch(
      /^Plots can be swapped up to 24 hours before the draw free of charge. \[2\] .*\(2023\)/,
    );
  });
});
