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

  it('takes no day, time, amount or short form for the number of a model', () => {
    const german =
      'Der Dienst beginnt am Montag 08:00 Uhr und endet am Freitag 14:30 Uhr. In Kalenderwoche 7 kostet die Anfahrt Pauschal 45 Euro. Der Mähroboter Grasmeister 700 wird mit dem Konto DE12 3456 bezahlt.';
    expect(typesOf(german)).toEqual({ 'Grasmeister 700': 'product' });
    const english =
      'We meet on Monday 08 and Thursday 14:00, in Week 9. The Torqmaster 18 weighs less, see Action Item 4.';
    expect(typesOf(english)).toEqual({ 'Torqmaster 18': 'product' });
  });

  it('leaves the greeting out of a name, and finds whom it greets', () => {
    expect(
      typesOf('Hallo Tom,\n\nam Abend kommt die Lieferung und wir prüfen sie.\n\nLiebe Grüße\nKatrin Vogelsang'),
    ).toEqual({
      Tom: 'person',
      'Katrin Vogelsang': 'person',
    });
    expect(labelsOf('Hi Everyone,\n\nthe bus leaves at noon.\n\nKind Regards')).toEqual([]);
    expect(labelsOf('Hallo Zusammen,\n\nder Bus fährt um zwölf ab.\n\nGute Woche')).toEqual([]);
  });

  it('finds a person among the nouns around the name', () => {
    const text =
      'Die Ablösung erfolgt mit der Stationsleitung Petra Zimmermann. Der Urlaub Jonas Kröger ist genehmigt, die Tage Homeoffice sind es nicht. Abnahme Bodenplatte und Messung Druckluft folgen.';
    expect(typesOf(text)).toEqual({ 'Petra Zimmermann': 'person', 'Jonas Kröger': 'person' });
    expect(
      typesOf('We asked Account Manager Joanna Fielding, and the Line Manager agreed to the Budget Forecast.'),
    ).toEqual({
      'Joanna Fielding': 'person',
    });
  });

  it('does not take headers, units and cells of tables for names', () => {
    const table =
      'Month | Electricity MWh | Natural Gas MWh | Steam Tonnes\nJanuary | 310 | 520 | 940\nTotal Quarter One | 906 | 1,410 | 2,805';
    expect(labelsOf(`The plant used less energy than it did in the year before.\n\n${table}`)).toEqual([]);
  });

  it('does not join the words of two lines or cells, and reads on where a page was too narrow', () => {
    expect(labelsOf('Send the parcel back in\nTarnhollow | Due | Open')).toEqual([]);
    expect(
      typesOf('The machine was made by the people of a workshop that is in\nGrimsby and it was sold there.'),
    ).toEqual({
      Grimsby: 'place',
    });
  });

  it('does not take a place for the organisation that is named after it', () => {
    const text = 'Die Sparkasse Osnabrück führt das Konto. Der Gerichtsstand ist Osnabrück.';
    expect(typesOf(text)).toEqual({ 'Sparkasse Osnabrück': 'organisation', Osnabrück: 'place' });
  });

  it('gives a company its whole name, and not the nouns in front of it', () => {
    expect(typesOf('Wir danken der Firma Reinwerk Gebäudedienste GmbH und der Bohnenwerk Vertriebs GmbH.')).toEqual({
      'Reinwerk Gebäudedienste GmbH': 'organisation',
      'Bohnenwerk Vertriebs GmbH': 'organisation',
    });
    expect(
      typesOf('The scrap goes to our Recycling Partner Greenloop Ltd and to Northmoor Power plc as before.'),
    ).toEqual({
      'Greenloop Ltd': 'organisation',
      'Northmoor Power plc': 'organisation',
    });
  });

  it('tells places that are words too by what is in front of them', () => {
    expect(labelsOf('Vor dem Essen trifft sich die Gruppe im Hof der Halle.')).toEqual([]);
    expect(typesOf('Die Gruppe trifft sich nach der Arbeit in Essen.')).toEqual({ Essen: 'place' });
    expect(mentionsOf('He lives in Hull and works there. Hull is on the coast, and he likes it.')).toHaveLength(2);
    expect(typesOf('The office is at 22 Mill Lane, Reading and the rest of us are elsewhere.')).toMatchObject({
      Reading: 'place',
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
      const began = process.threadCpuUsage();
      extractGraph([passage(piece.repeat(Math.ceil(30_000 / piece.length)))]);
      expect(process.threadCpuUsage(began).user / 1_000, piece).toBeLessThan(2_500);
    }
  });

  it('gives nothing for nothing', () => {
    expect(extractGraph([])).toEqual({ mentions: [], relations: [] });
    expect(extractGraph([passage('')])).toEqual({ mentions: [], relations: [] });
  });
});
