import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectLanguage } from './detect-language.js';
import { splitSentences } from './split-sentences.js';

const split = (text: string): string[] => splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe('splitSentences', () => {
  it.each([
    [
      'It costs 3.5 euros, e.g. at Dr. Smith’s. “Really?” Yes! J. R. Doe said so.',
      ['It costs 3.5 euros, e.g. at Dr. Smith’s.', '“Really?”', 'Yes!', 'J. R. Doe said so.'],
    ],
    [
      'Am 3. Oktober, d.h. z.B. heute, ist frei. Danach nicht.',
      ['Am 3. Oktober, d.h. z.B. heute, ist frei.', 'Danach nicht.'],
    ],
    ['这是第一句。这是第二句！“第三句？”完。', ['这是第一句。', '这是第二句！', '“第三句？”', '完。']],
    ['यह पहला है। यह दूसरा है।', ['यह पहला है।', 'यह दूसरा है।']],
    ['هل هذا سؤال؟ نعم.', ['هل هذا سؤال؟', 'نعم.']],
    ['First. [1] Second [2]. Third.[3][4] End', ['First. [1]', 'Second [2].', 'Third.[3][4]', 'End']],
    ['# Title\nText goes\non here.\n- one\n- two\n\nEnd', ['# Title', 'Text goes\non here.', '- one', '- two', 'End']],
    ['See file.txt at example.org now. Done.', ['See file.txt at example.org now.', 'Done.']],
    ['1. First item\n2. Second item', ['1. First item', '2. Second item']],
    ['', []],
  ])('splits %j', (text, expected) => {
    expect(split(text)).toEqual(expected);
  });

  it('splits long Thai text at spaces between phrases', () => {
    const phrase = 'หอไอเฟลตั้งอยู่ในกรุงปารีสประเทศฝรั่งเศสและเป็นสถานที่ท่องเที่ยวที่มีชื่อเสียงมากที่สุดแห่งหนึ่งของโลกในปัจจุบันนี้ซึ่งมีผู้คนมาเยี่ยมชม';
    expect(split(`${phrase} ${phrase}`)).toEqual([phrase, phrase]);
  });

  it('loses no text, overlaps nowhere and splits no surrogate pair', () => {
    const piece = fc.constantFrom(
      'word',
      '. ',
      '! ',
      '。',
      '\n',
      '\n\n',
      '- ',
      '# ',
      'Dr.',
      '3.5',
      '😀',
      'ภาษาไทย ',
      ' ',
      '[1]',
      '"',
      '\u3000',
      'x'.repeat(700),
      '𠮷'.repeat(600),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60, size: 'max' }), (pieces) => {
        const text = pieces.join('');
        let covered = 0;
        for (const { start, end } of splitSentences(text)) {
          expect(text.slice(covered, start).trim()).toBe('');
          const sentence = text.slice(start, end);
          expect(sentence).not.toBe('');
          expect(sentence.trim()).toBe(sentence);
          expect(sentence.isWellFormed()).toBe(true);
          expect(sentence.length).toBeLessThanOrEqual(1_000);
          covered = end;
        }
        expect(text.slice(covered).trim()).toBe('');
      }),
      { numRuns: 300 },
    );
  });
});

describe('detectLanguage', () => {
  it.each([
    ['en', 'The quick answer is that nobody knows what they should do with it when the time comes.'],
    ['de', 'Die Antwort ist, dass niemand weiß, was man damit machen soll, wenn die Zeit gekommen ist.'],
    ['fr', 'La réponse est que personne ne sait ce qu’il faut en faire quand le moment est venu.'],
    ['es', 'La respuesta es que nadie sabe qué hacer con esto cuando llegue el momento, pero hay que seguir.'],
    ['it', 'La risposta è che nessuno sa che cosa fare con questo quando arriva il momento della decisione.'],
    ['pt', 'A resposta é que ninguém sabe o que fazer com isso quando chegar a hora, mas não há pressa.'],
    ['nl', 'Het antwoord is dat niemand weet wat ermee moet gebeuren als het zover is, maar dat is niet erg.'],
    ['sv', 'Svaret är att ingen vet vad man ska göra med det när tiden kommer, men det är inte så farligt.'],
    ['da', 'Svaret er, at ingen ved, hvad man skal gøre med det, når tiden kommer, men det er ikke så slemt.'],
    ['no', 'Svaret er at ingen vet hva man skal gjøre med det når tiden kommer, men det er ikke så farlig for noen.'],
    ['fi', 'Vastaus on, että kukaan ei tiedä mitä sille pitäisi tehdä, kun aika koittaa, mutta se ei haittaa.'],
    ['pl', 'Odpowiedź jest taka, że nikt nie wie, co z tym zrobić, kiedy przyjdzie na to czas, ale to nic.'],
    ['cs', 'Odpověď je taková, že nikdo neví, co s tím má dělat, když přijde čas, ale to nevadí nikomu.'],
    ['tr', 'Cevap şu ki, zamanı geldiğinde bununla ne yapılacağını kimse bilmiyor ama bu çok önemli değil.'],
    ['ru', 'Ответ в том, что никто не знает, что с этим делать, когда придёт время.'],
    ['uk', 'Відповідь у тому, що ніхто не знає, що з цим робити, коли прийде час.'],
    ['bg', 'Отговорът е, че никой не знае какво да прави с това, когато дойде времето за него.'],
    ['zh', '答案是，到时候没有人知道该怎么办，但是这并不重要，因为时间还很多。'],
    ['ja', 'その時が来たら、どうすればよいか誰も知らないというのが答えです。'],
    ['ko', '정답은 때가 되면 무엇을 해야 할지 아무도 모른다는 것입니다.'],
    ['th', 'คำตอบคือไม่มีใครรู้ว่าควรทำอย่างไรเมื่อถึงเวลานั้น'],
    ['ar', 'الجواب هو أن لا أحد يعرف ماذا يفعل عندما يحين الوقت لذلك'],
    ['he', 'התשובה היא שאף אחד לא יודע מה לעשות כשיגיע הזמן'],
    ['el', 'Η απάντηση είναι ότι κανείς δεν ξέρει τι να κάνει όταν έρθει η ώρα'],
    ['hi', 'उत्तर यह है कि समय आने पर कोई नहीं जानता कि क्या करना है'],
  ])('recognises %s', (language, text) => {
    const detected = detectLanguage(text);
    expect(detected.language).toBe(language);
    expect(detected.confidence).toBeGreaterThan(0.3);
  });

  it('says und for numbers, symbols and nothing', () => {
    for (const text of ['', '12 345 %', '😀 --- !!!'])
      expect(detectLanguage(text)).toEqual({ language: 'und', confidence: 0 });
    expect(detectLanguage('xqz wvbn qqpl zzrt kkjw vvxb qwrt plkm znbv').language).toBe('und');
  });

  it.each([
    ['en', 'Price list\nDesk lamp 19.90\nOffice chair 89.00\nShelf 45.00'],
    ['de', 'Preisliste\nSchreibtisch 249,00\nLampe 19,90\nStuhl 89,00'],
    ['fr', 'Liste des prix\nLampe 19,90\nBureau 249,00\nChaise 89,00'],
    ['es', 'Lista de precios\nLámpara 19,90\nMesa 249,00\nSilla 89,00'],
    ['it', 'Listino prezzi\nLampada 19,90\nScrivania 249,00\nSedia 89,00'],
    ['pt', 'Lista de preços\nLâmpada 19,90\nMesa 249,00\nCadeira 89,00'],
    ['nl', 'Prijslijst\nLamp 19,90\nBureau 249,00\nStoel 89,00'],
    ['pl', 'Cennik\nLampa 19,90\nBiurko 249,00\nKrzesło 89,00'],
    ['cs', 'Ceník\nLampa 19,90\nStůl 249,00\nŽidle 89,00'],
    ['tr', 'Fiyat listesi\nLamba 19,90\nMasa 249,00\nSandalye 89,00'],
  ])('recognises a price list in %s', (language, text) => {
    expect(detectLanguage(text).language).toBe(language);
  });

  it.each([
    ['de', 'Wohin muss ich laufen, wenns brennt?'],
    ['de', 'Wer hilft mir?'],
    ['en', 'Who helps?'],
    ['en', 'How much?'],
    ['fr', 'Puis-je fumer ici, et où ?'],
    ['it', 'Quanto costa la camera con il bagno?'],
  ])('recognises a short question in %s: %s', (language, text) => {
    expect(detectLanguage(text).language).toBe(language);
  });

  it.each([
    'Name | Team | Ext\nA. Smith | Sales | 12\nK. Brown | Legal | 17\nV. Green | Finance | 19\nZ. Hall | Sales | 4',
    'A1 B2 C3\nX Y Z\nK 12\nS 14\nV 15\nZ 9',
    'Ben 12\nVan Dyke 14\nMax 9\nSon 3',
    'const z = s(k, v);\nlet o = k.a;',
    'java.lang.State: expired\n\tat com.x.Pay.run(Pay.java:12)',
  ])('calls a list of names, figures or code no rare language: %j', (text) => {
    expect(['und', 'en']).toContain(detectLanguage(text).language);
  });

  it('is not misled by names or quotations in another script', () => {
    expect(
      detectLanguage('The Chinese word 知识 means knowledge and is the title of the book that they wrote.').language,
    ).toBe('en');
    expect(detectLanguage('我们使用 PostgreSQL 数据库保存所有的文档和索引，然后进行检索。').language).toBe('zh');
  });

  it('keeps its confidence between 0 and 1 on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const { confidence } = detectLanguage(text);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }),
    );
  });
});
