import { describe, expect, it } from 'vitest';
import { analyzeChunk, decodeTerms, encodeTerms, summarizeTerms, TermStatistics } from '#libs/ranking';
import { profileQuestion } from './question-profile.js';
import { wordsInText, wordsOfQuestion } from './question-words.js';

/** The words of a question over a text; a minus sign marks those that occur nowhere. */
function wordsOver(text: string, question: string): string[] {
  const statistics = new TermStatistics();
  statistics.add(summarizeTerms([decodeTerms(encodeTerms(analyzeChunk({ text })))]));
  const words = wordsOfQuestion(question, profileQuestion(question, statistics));
  return words.map(({ word, isNowhere }) => (isNowhere ? `-${word}` : word));
}

/** Those beside a text: a plus sign marks what it holds, a minus sign what no text does. */
function wordsBeside(text: string, others: readonly string[], question: string): string[] {
  const [own, ...rest] = [text, ...others].map((one) => decodeTerms(encodeTerms(analyzeChunk({ text: one }))));
  const all = new TermStatistics();
  all.add(summarizeTerms([own!, ...rest]));
  const alone = new TermStatistics();
  alone.add(summarizeTerms([own!]));
  const words = wordsInText(question, profileQuestion(question, all), alone);
  return words.map(({ word, isInText, isNowhere }) => `${isInText ? '+' : isNowhere ? '-' : ''}${word}`);
}

describe('wordsInText', () => {
  it('tells the words of the text, in any form, from those of others and from those of none', () => {
    const others = ['Im Jahr gibt es dreißig Urlaubstage.'];
    expect(wordsBeside('Der Umgang mit Urlaubstagen ist geregelt.', others, 'Wie viele Urlaubstage im Jahr?')).toEqual([
      '+Urlaubstage',
      'Jahr',
    ]);
    expect(wordsBeside('The pump.', others, 'Is the turbine of the pump serviced?')).toEqual([
      '-turbine',
      '+pump',
      '-serviced',
    ]);
  });

  it('parts what a script without spaces writes together by what the text holds of it', () => {
    expect(wordsBeside('東京の天気', ['京タワー'], '東京タワー')).toEqual(['+東京', '京タワー']);
  });
});

describe('wordsOfQuestion', () => {
  it('writes them as the question does, in its order, each once, without function words', () => {
    expect(wordsOver('The pump is serviced.', 'Is the PUMP or the Turbine of the pump serviced?')).toEqual([
      'PUMP',
      '-Turbine',
      'pump',
      'serviced',
    ]);
  });

  it('finds other forms of a word, and keeps umlauts', () => {
    const text = 'Die Kündigungsfristen betragen drei Monate.';
    expect(wordsOver(text, 'Welche Kündigungsfrist gilt für Führungskräfte?')).toEqual([
      'Kündigungsfrist',
      '-gilt',
      '-Führungskräfte',
    ]);
  });

  it('takes a word with the mark of whose it is for one word', () => {
    const question = "Is the doctor's note or the patient’s card at the nurses' desk?";
    expect(wordsOver('A note of the doctor.', question)).toEqual([
      "doctor's",
      'note',
      '-patient’s',
      '-card',
      '-nurses',
      '-desk',
    ]);
  });

  it('joins what a script without spaces writes together', () => {
    expect(wordsOver('東京の天気', '東京タワー')).toEqual(['東京', '-京タワー']);
  });

  it('has none for a question of function words', () => {
    expect(wordsOver('The pump.', 'Is it that?')).toEqual([]);
  });

  it.each([
    ["Do I need a doctor's note?", ['-need', "-doctor's", '-note']],
    ['Do I need a doctor’s note?', ['-need', '-doctor’s', '-note']],
    ["What mustn't visitors do if they don't have a badge?", ['-visitors', '-badge']],
    ["Where's the key, and who'll know it's lost?", ['-key', '-lost']],
    ["Où est l'entrée d'honneur de l'immeuble jusqu'à midi?", ['-entrée', '-honneur', '-immeuble', '-midi']],
    ["Qual è l'orario dell'ufficio e dov'è?", ['-orario', '-ufficio']],
    ["Is O'Brien in grade 'S'?", ['-O', '-Brien', '-grade', '-S']],
  ])('takes what an apostrophe leaves of a function word for none: %s', (question, words) => {
    expect(wordsOver('东京', question)).toEqual(words);
  });
});
