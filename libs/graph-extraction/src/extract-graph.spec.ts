import { describe, expect, it } from 'vitest';
import { extractGraph } from './extract-graph.js';
import type { ExtractedMention } from './extracted.js';

const passage = (text: string, start = 0, headings: readonly string[] = []) => ({ start, text, headings });
const mentionsOf = (text: string): readonly ExtractedMention[] => extractGraph([passage(text)]).mentions;
const labelsOf = (text: string): string[] => [...new Set(mentionsOf(text).map(({ label }) => label))];
const typesOf = (text: string): Record<string, string> =>
  Object.fromEntries(mentionsOf(text).map(({ label, type }) => [label, type]));

describe('the extraction of a graph by rules', () => {
  it('gives each mention the place that it has in the canonical text', () => {
    const first = 'The pump was built by Orla Fenwick. 🛠 It stands in Leeds.';
    const second = 'Orla Fenwick left Leeds on 3 May 2020.';
    const canonical = `${first}\n\n${second}`;
    const { mentions } = extractGraph([passage(first), passage(second, first.length + 2)]);
    expect(mentions.map(({ form }) => form)).toEqual(['Orla Fenwick', 'Leeds', 'Orla Fenwick', 'Leeds', '3 May 2020']);
    for (const { start, end, form } of mentions) expect(canonical.slice(start, end)).toBe(form);
    expect(mentions.map(({ passage: at }) => at)).toEqual([0, 0, 1, 1, 1]);
  });

  it('does not take the first word of a sentence for a name', () => {
    const text =
      'Pressure rises in the valve. Nobody noticed. However the valve of Tarn Hollow Ltd held. Water is pressure.';
    expect(labelsOf(text)).toEqual(['Tarn Hollow Ltd']);
  });

  it('joins an acronym with its long form, and a part of a name with the whole', () => {
    const text =
      'The cold start index (CSI) was proposed by Dr Maren Oxley. The CSI is low. Oxley left the Harbour Institute; the Institute stayed.';
    const mentions = mentionsOf(text);
    const forms = (label: string): string[] => mentions.filter((own) => own.label === label).map(({ form }) => form);
    expect(forms('cold start index')).toEqual(['cold start index', 'CSI', 'CSI']);
    expect(forms('Maren Oxley')).toEqual(['Maren Oxley', 'Oxley']);
    expect(forms('Harbour Institute')).toEqual(['Harbour Institute', 'Institute']);
  });

  it('leaves a part that two names share alone', () => {
    const text = 'Anna Brandt called Peter Brandt. Later Brandt wrote to her, and Brandt said so.';
    expect(labelsOf(text)).toEqual(['Anna Brandt', 'Peter Brandt', 'Brandt']);
  });

  it('says what kind of thing a name is as far as something tells', () => {
    const text =
      'On 2 June 2021 Dr Ivo Castell of Mirren Labs Ltd came to 9 Quarry Lane in Porto with a Solvex 40, called Bluefin by most.';
    expect(typesOf(text)).toMatchObject({
      '2 June 2021': 'date',
      'Ivo Castell': 'person',
      'Mirren Labs Ltd': 'organisation',
      '9 Quarry Lane': 'place',
      Porto: 'place',
      'Solvex 40': 'product',
      Bluefin: 'product',
    });
  });

  it('finds names and recurring terms where there are no capital letters', () => {
    const text =
      '2021年6月18日，青岚水务有限公司（简称青岚）在成都开会。工程师陈若松介绍，核心是浮标阵列。青岚认为浮标阵列可靠。浮标阵列已经安装。';
    expect(typesOf(text)).toMatchObject({
      '2021年6月18日': 'date',
      青岚水务有限公司: 'organisation',
      成都: 'place',
      陈若松: 'person',
      浮标阵列: 'term',
    });
    expect(mentionsOf(text).filter(({ label }) => label === '青岚水务有限公司')).toHaveLength(3);
    const thai = 'ระบบสูบน้ำ ทำงานดี ระบบสูบน้ำ หยุดทำงาน และ ระบบสูบน้ำ ต้องซ่อม';
    expect(labelsOf(thai).join(' ')).toContain('สูบน้ำ');
    const arabic = 'تعمل المضخة المركزية ليلا. توقفت المضخة المركزية أمس. يجب إصلاح المضخة المركزية اليوم.';
    expect(labelsOf(arabic)).toContain('المضخة المركزية');
  });

  it('reads how names belong together from English sentences, and not from what they deny', () => {
    const relations = (text: string): string[] =>
      extractGraph([passage(text)]).relations.map(({ source, relation, target }) => `${source} ${relation} ${target}`);
    const rest = ' This is what the report of the year says about them and it was printed.';
    expect(relations(`Harbour Works Ltd was founded by Maren Oxley.${rest}`)).toEqual([
      'maren oxley founded harbour works ltd',
    ]);
    expect(relations(`Tarn Motors Ltd supplies Harbour Works Ltd.${rest}`)).toEqual([
      'tarn motors ltd supplies harbour works ltd',
    ]);
    expect(relations(`Tarn Motors Ltd is based in Leeds.${rest}`)).toEqual(['tarn motors ltd located_in leeds']);
    expect(relations(`Tarn Motors Ltd does not own Harbour Works Ltd.${rest}`)).toEqual([]);
  });

  it('counts what two passages share once, and headings where the text has them', () => {
    const text = 'Valve care\n\nThe valve of Tarn Hollow Ltd needs oil.';
    const again = passage('The valve of Tarn Hollow Ltd needs oil. Valve care is done by Orla Fenwick.', 12, [
      'Valve care',
    ]);
    const { mentions } = extractGraph([passage(text, 0, ['Valve care']), again]);
    expect(mentions.map(({ form, start }) => [form, start])).toEqual([
      ['Valve care', 0],
      ['Tarn Hollow Ltd', 25],
      ['Valve care', 52],
      ['Orla Fenwick', 74],
    ]);
  });

  it('is quick on texts that are made to be slow', { timeout: 20_000 }, () => {
    for (const piece of ['(', 'A ', 'Aa ', 'a-', '一', '号', '"a', '1 ', 'January ', 'A. ', '（简称', 'of A ']) {
      const began = performance.now();
      extractGraph([passage(piece.repeat(Math.ceil(30_000 / piece.length)))]);
      expect(performance.now() - began, piece).toBeLessThan(2_500);
    }
  });

  it('gives nothing for nothing', () => {
    expect(extractGraph([])).toEqual({ mentions: [], relations: [] });
    expect(extractGraph([passage('')])).toEqual({ mentions: [], relations: [] });
  });
});
