import iconv from 'iconv-lite';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHARSET_TEXTS } from '../../libs/parsing/src/testing/charset-texts.js';
import type { DocumentRecord } from '../support/api-client.js';
import { useTenant } from '../support/shared-service.js';

/** What is uploaded: encoding, language of the text, a question in it and the charset that is told; `undefined`: any that reads alike. */
const CASES: readonly [encoding: string, language: string, question: string, charset?: string][] = [
  ['utf-8', 'de', 'Kräutertee des Leuchtturmwärters', 'utf-8'],
  ['utf-16le', 'fr', 'taxe d’enlèvement des ordures', 'utf-16le'],
  ['utf-16be', 'es', 'tasa de recolección de basura', 'utf-16be'],
  ['utf-32le', 'sv', 'avgift för sophämtningen', 'utf-32le'],
  ['windows-1250', 'pl', 'opłata za wywóz śmieci', 'windows-1250'],
  ['iso-8859-2', 'cs', 'poplatek za odvoz odpadků', 'iso-8859-2'],
  ['cp852', 'hu', 'szemétszállítási díj', 'cp852'],
  ['windows-1251', 'ru', 'плата за вывоз мусора', 'windows-1251'],
  ['koi8-u', 'uk', 'плата за вивезення сміття', 'koi8-u'],
  ['cp866', 'bg', 'такса за извозване на боклука', 'ibm866'],
  ['windows-1252', 'fr', 'tonneaux cerclés de fer', 'windows-1252'],
  ['macintosh', 'es', 'toneles al pie del acantilado', 'macintosh'],
  ['cp850', 'sv', 'nyponte på köksbordet'],
  ['windows-1253', 'el', 'τέλη για τα σκουπίδια'],
  ['iso-8859-9', 'tr', 'çöp vergisi', 'windows-1254'],
  ['windows-1255', 'he', 'אגרת פינוי אשפה'],
  ['windows-1256', 'ar', 'رسوم جمع القمامة', 'windows-1256'],
  ['windows-1257', 'lt', 'mokestis už šiukšlių išvežimą', 'windows-1257'],
  ['tis620', 'th', 'ค่าเก็บขยะ', 'windows-874'],
  ['shift_jis', 'ja', 'ごみ収集の料金', 'shift_jis'],
  ['euc-jp', 'ja', '樽とたが', 'euc-jp'],
  ['euc-kr', 'ko', '쓰레기 수거료', 'euc-kr'],
  ['gbk', 'zh-Hans', '垃圾清运费', 'gb18030'],
  ['big5', 'zh-Hant', '垃圾清運費', 'big5'],
];

const service = useTenant();
let datasetId: string;

beforeAll(async () => {
  datasetId = await service.admin.createDataset('Encodings');
});

async function upload(name: string, content: Uint8Array): Promise<DocumentRecord> {
  const { id } = await service.admin.upload(datasetId, { name, content }, { on_duplicate: 'keep_both' });
  return service.admin.pollUntilTerminal(id);
}

interface CharsetDetail extends DocumentRecord {
  readonly charset: string | null;
  readonly fidelity: Readonly<Record<string, number | string>>;
}

const detailOf = (id: string): Promise<CharsetDetail> => service.admin.get<CharsetDetail>(`/documents/${id}`);

describe('a text in the encoding of its writer', () => {
  it.each(CASES)('is read and found: %s, %s', async (encoding, language, question, charset) => {
    const bytes = iconv.encode(CHARSET_TEXTS[language]!, encoding);
    const { id, status } = await upload(`${encoding}.${language}.txt`, bytes);
    expect(status).toBe('completed');
    expect(await service.admin.text(id)).toBe(iconv.decode(bytes, encoding));
    const detail = await detailOf(id);
    if (charset !== undefined) expect(detail.charset).toBe(charset);
    expect(detail.fidelity).toMatchObject({ replaced_characters: 0, characters: expect.any(Number) });
    expect(Number(detail.fidelity['charset_confidence'])).toBeGreaterThan(0.8);
    const { results } = await service.admin.search(question, [datasetId], { top_k: 5 });
    expect(results.map(({ document_id: found }) => found)).toContain(id);
  });

  it('says how many characters were lost, and that it guessed', async () => {
    const damaged = Buffer.concat([Buffer.from('Die Möwe grüßt den Wärter'), Buffer.from([0xff, 0xfe, 0x21])]);
    const { id, warnings } = await upload('damaged.txt', damaged);
    expect(warnings.map(({ code }) => code)).toContain('REPLACED_CHARACTERS');
    expect((await detailOf(id)).fidelity).toMatchObject({ replaced_characters: 2 });
    let state = 3;
    const next = (): number => 0x21 + ((state = (state * 48_271) % 2_147_483_647) % 0xde);
    const noise = await upload('noise.txt', Buffer.from(Array.from({ length: 2000 }, next)));
    expect(noise.warnings.map(({ code }) => code)).toContain('CHARSET_UNCERTAIN');
  });

  it('is refused, with the reason, when it is no text at all', async () => {
    let state = 5;
    const next = (): number => (state = (state * 48_271) % 2_147_483_647) % 0x100;
    const form = new FormData();
    form.append('dataset_id', datasetId);
    form.append('file', new Blob([Uint8Array.from({ length: 9000 }, next)]), 'noise.txt');
    const answer = await service.admin.send<{ id?: string; code?: string }>('POST', '/documents/upload', form);
    if (answer.status === 201) {
      const document = await service.admin.pollUntilTerminal(answer.body.id!);
      expect(document).toMatchObject({ status: 'failed', error: { code: 'TYPE_MISMATCH', retryable: false } });
    } else {
      expect(answer.status).toBe(415);
    }
  });
});
