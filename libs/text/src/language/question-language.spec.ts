import { describe, expect, it } from 'vitest';
import { languageOfQuestion } from './question-language.js';

const GERMAN = 'Die Kündigungsfrist beträgt drei Monate zum Ende des Quartals, und sie gilt für beide Seiten.';
const SPANISH = 'El plazo de preaviso es de tres meses y vale para las dos partes del contrato.';

describe('the language of a question', () => {
  it.each([
    ['de', 'Wieviel kostet Eilversand?'],
    ['de', 'Was kannst du alles?'],
    ['de', 'Bekommt das Geschwisterkind da Rabatt?'],
    ['de', 'und am teuersten?'],
    ['en', 'Thank you, that was very helpful.'],
    ['en', 'hire charge crampons per day'],
    ['nl', 'Wat is de opzegtermijn van het contract?'],
    ['nl', 'Kan ik dit of dat meenemen?'],
    ['nl', 'Wanneer is het kantoor open?'],
    ['pt', 'Quanto custa um bilhete para dois dias?'],
    ['ro', 'Pot lua câinele cu mine? Am un bilet.'],
    ['und', 'Was anyone hurt?'],
    ['en', 'Can I bring my dog?'],
    ['en', 'dog allowed where?'],
    ['fr', 'Combien coûte l’envoi express ?'],
    ['fr', 'Puis-je fumer ?'],
    ['es', 'quien dirige ventas'],
    ['es', '¿Cuánto cuesta?'],
    ['zh', '停车费'],
    ['ja', '駐車場はどこですか'],
    ['ru', 'Сколько стоит парковка?'],
  ])('is %s for “%s”', (language, question) => {
    expect(languageOfQuestion(question)).toBe(language);
  });

  it('is that of the passage that holds its words, where they tell nothing', () => {
    expect(languageOfQuestion('Kündigungsfrist Quartal', { passages: [SPANISH, GERMAN] })).toBe('de');
    expect(languageOfQuestion('plazo de preaviso', { passages: [GERMAN, SPANISH] })).toBe('es');
    expect(languageOfQuestion('notice period', { passages: [GERMAN, SPANISH] })).toBe('und');
  });

  it('is that of what the same person wrote before, which says more than a passage', () => {
    const earlier = ['Wie lange ist die Frist für Mieter in diesem Haus?'];
    expect(languageOfQuestion('preaviso', { earlier, passages: [SPANISH] })).toBe('de');
  });

  it('is unknown where nothing tells', () => {
    expect(languageOfQuestion('4711')).toBe('und');
    expect(languageOfQuestion('ERR_CONNECTION')).toBe('und');
  });
});
