import { describe, expect, it } from 'vitest';
import { alternativeText } from './alternative-text.js';

describe('alternativeText', () => {
  it.each([
    [
      'Cross section of the pump:\n the inlet is at the lower left',
      'Cross section of the pump: the inlet is at the lower left',
    ],
    ['Yes', 'Yes'],
    ['✓', '✓'],
    ['Picture of the harbour', 'Picture of the harbour'],
    ['Figure 3: turnover by region', 'Figure 3: turnover by region'],
    ['Bild 2 zeigt das Lager', 'Bild 2 zeigt das Lager'],
  ])('takes what an author says: %s', (given, words) => {
    expect(alternativeText(given)).toBe(words);
  });

  it.each([
    'image1.png',
    'C:\\Users\\me\\Desktop\\Neues Logo.JPG',
    'https://example.org/a/b?id=7',
    'Screenshot 2024-05-05 at 10.11.12 pm',
    'Screenshot 2024-05-05 at 10.11.12.png',
    'Picture 1',
    'Grafik 12',
    'Text Box 2',
    'IMG_2041',
    'DSC00012',
    '{0F2B7C1A-77AD-4E0C-9A43-0F2B7C1A77AD}',
    '---',
    ' \n',
    'A picture containing text, sign\n\nDescription automatically generated with medium confidence',
    'A close-up of a pump\n\nAI-generated content may be incorrect.',
    'Ein Bild, das Text, Screenshot, Schrift enthält.\n\nKI-generierte Inhalte können fehlerhaft sein.',
    'Une image contenant texte\n\nLe contenu généré par l’IA peut être incorrect.',
  ])('leaves out what a program made up: %s', (given) => {
    expect(alternativeText(given)).toBe('');
  });

  it('says the short title before the description, unless the description repeats it', () => {
    expect(alternativeText('Seen from the north', 'The plant')).toBe('The plant: Seen from the north');
    expect(alternativeText('The plant from the north', 'the plant')).toBe('The plant from the north');
    expect(alternativeText('image1.png', 'The plant')).toBe('The plant');
  });

  it('reads a name of a program that goes on and on in one pass', () => {
    expect(alternativeText(`Picture ${'1 at '.repeat(390)}pump`)).toContain('pump');
  });
});
