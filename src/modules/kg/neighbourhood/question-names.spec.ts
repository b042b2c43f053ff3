import { describe, expect, it } from 'vitest';
import { possibleNames, withoutOverlap } from './question-names.js';

const formsOf = (question: string): string[] => possibleNames(question).map(({ form }) => form);

describe('possibleNames', () => {
  it('takes stretches with a capital or a digit, longest first', () => {
    const forms = formsOf('who signed for Port Aldry?');
    expect(forms).toContain('Port Aldry');
    expect(forms.indexOf('for Port Aldry')).toBeLessThan(forms.indexOf('Port Aldry'));
    expect(forms).not.toContain('who signed');
    expect(formsOf('what is stage 4 for?')).toContain('stage 4');
  });

  it('takes a capital at the start of a sentence for an uncertain sign of a name', () => {
    const [name] = possibleNames('Fenwright left. Why?').filter(({ form }) => form === 'Fenwright');
    expect(name).toMatchObject({ isSure: false });
    expect(formsOf('Information systems in general')).not.toContain('Information systems');
    expect(possibleNames('Did Fenwright leave?').find(({ form }) => form === 'Fenwright')).toMatchObject({
      isSure: true,
    });
  });

  it('takes every stretch of scripts without capitals, and of those without spaces', () => {
    expect(formsOf('أين تقع القاهرة')).toContain('القاهرة');
    expect(formsOf('北京大学在哪里？')).toContain('北京大学');
  });

  it('takes nothing from a long text, and little from a long run of characters', () => {
    expect(possibleNames(Array.from({ length: 41 }, (_, at) => `Name${at}`).join(' '))).toEqual([]);
    expect(possibleNames('京'.repeat(4_000)).length).toBeLessThanOrEqual(500);
    expect(possibleNames('!?« … »')).toEqual([]);
  });
});

describe('withoutOverlap', () => {
  it('prefers the longer name, and takes a shorter one where the longer means nothing', () => {
    const names = possibleNames('who runs the Upper Senn Station?');
    const known = new Set(['upper senn station', 'senn']);
    const meant = withoutOverlap(names, ({ key }) => (known.has(key) ? [key] : []));
    expect(meant.map(({ name }) => name.form)).toEqual(['Upper Senn Station']);
  });
});
