import { describe, expect, it } from 'vitest';
import { partQuoted } from './quoted-text.js';

const part = (...lines: string[]) => partQuoted(lines.join('\n'));

describe('what a mail quotes', () => {
  it('is told by its marks and by the line that introduces it, one part for each mail', () => {
    const mail = part(
      'I agree.',
      '',
      'Priya',
      '',
      'On Mon, 5 Feb 2025 at 10:02, Maya Lindqvist <maya@example.org>',
      'wrote:',
      '> It costs 2,300 euros.',
      '>',
      '> Maya',
      '>',
      '> Am 04.02.2025 um 10:01 schrieb Tomas Reyes:',
      '> > I propose 24 March.',
      '> >',
      '>',
    );
    expect(mail).toEqual({
      own: 'I agree.\n\nPriya\n',
      quoted: [
        {
          source: 'On Mon, 5 Feb 2025 at 10:02, Maya Lindqvist <maya@example.org> wrote',
          text: 'It costs 2,300 euros.\n\nMaya',
        },
        { source: 'Am 04.02.2025 um 10:01 schrieb Tomas Reyes', text: 'I propose 24 March.' },
      ],
    });
  });

  it.each([
    ['From: Ann <a@example.org>', 'Sent: Monday, 3 February 2025 10:00', 'To: Bob'],
    ['Von: Ann <a@example.org>', 'Gesendet: Montag, 3. Februar 2025 10:00', 'An: Bob'],
    ['De : Ann <a@example.org>', 'Envoyé : lundi 3 février 2025 10:00', 'À : Bob'],
    ['*From:* Ann <a@example.org>', '*Date:* Mon, 3 Feb 2025', '*Subject:* x'],
  ])('is whatever follows the header of Outlook: %s', (from, sent, third) => {
    const mail = part(
      'Fine with me.',
      '',
      '-----Original Message-----',
      from,
      sent,
      third,
      '',
      'Shall we move it?',
      'Ann',
    );
    expect(mail.own).toContain('Fine with me.');
    expect(mail.quoted.at(-1)).toEqual({
      source: `${from}, ${sent}`.replaceAll('*', ''),
      text: 'Shall we move it?\nAnn',
    });
  });

  it('is all of a mail that holds nothing else', () => {
    expect(part('> Only this', '> is quoted').quoted).toEqual([{ source: '', text: 'Only this\nis quoted' }]);
  });

  it.each([
    ['answers stand between', ['> When?', 'Tuesday.', '> Where?', 'Here.']],
    ['nothing is quoted', ['From: the desk of Ann', '', 'She wrote:', 'a letter']],
    ['a comparison stands within', ['5 > 3', 'and so on']],
  ])('stays where it is when %s', (_why, lines) => {
    expect(part(...lines)).toEqual({ own: lines.join('\n'), quoted: [] });
  });

  it('is found in a mail of many lines that look like introductions', () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `On ${at} @ x wrote${at % 2 === 0 ? '' : ':'}`);
    expect(part(...lines).quoted).toEqual([]);
    const nearly = Array.from({ length: 20_000 }, (_, at) => `On ${at} ${'x wrot '.repeat(40)}:`);
    expect(part(...nearly).quoted).toEqual([]);
    expect(part(...lines.map((line) => `> ${line}`)).quoted.length).toBeGreaterThan(0);
  });
});
