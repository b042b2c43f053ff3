import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { makeMsg } from '../../testing/make-msg.js';
import { makeZip } from '../../testing/make-zip.js';
import { parseBytes } from '../../testing/parse-bytes.js';

const HEADER =
  'From: Ann <ann@example.org>\r\nTo: Bob <bob@example.org>, c@example.org\r\nDate: Tue, 3 Mar 2026 10:00:00 +0100\r\n';

let boundaries = 0;

/** A message of several parts, each with its own header lines. */
function multipart(type: string, parts: readonly (readonly [string, Buffer | string])[], header = HEADER): Buffer {
  boundaries += 1;
  const boundary = `=_${type}_${boundaries}`;
  return Buffer.concat([
    Buffer.from(
      `${header}Subject: Parts\r\nMIME-Version: 1.0\r\nContent-Type: multipart/${type}; boundary="${boundary}"\r\n\r\n`,
    ),
    ...parts.flatMap(([head, body]) => [
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

const attachment = (name: string, bytes: Buffer | string, type = 'application/octet-stream'): [string, string] => [
  `Content-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64`,
  Buffer.from(bytes).toString('base64'),
];

describe('an .eml', () => {
  it('gives subject, people, date and body', async () => {
    const { outline, document } = await parseBytes(
      `${HEADER}Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= =?utf-8?B?IQ==?=\r\n\r\nHello Bob,\r\n\r\nall well.\r\n`,
      'a.eml',
    );
    expect(outline).toEqual([
      'heading: Grüße!',
      'paragraph: From: Ann <ann@example.org>\nTo: Bob <bob@example.org>, c@example.org\nDate: Tue, 3 Mar 2026 10:00:00 +0100',
      'paragraph: Hello Bob,',
      'paragraph: all well.',
    ]);
    expect(document.title).toBe('Grüße!');
  });

  it('reads an invitation and a contact that are attached as records, without time zones, alarms and pictures', async () => {
    const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n`;
    const invitation = lines(
      'BEGIN:VCALENDAR',
      'METHOD:REQUEST',
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'SUMMARY:Kickoff Solarpark',
      'DTSTART;TZID=Europe/Berlin:20250415T100000',
      'LOCATION:Raum Elbe\\, 3. OG',
      'ORGANIZER;CN=Sabine Kroll:mailto:s@x.example',
      'BEGIN:VALARM',
      'DESCRIPTION:Reminder',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
    );
    const contact = lines(
      'BEGIN:VCARD',
      'VERSION:3.0',
      'FN:Dr. Sabine Kroll',
      'ORG:Nordwind GmbH;Personal',
      'TEL;TYPE=WORK:+49 421 555',
      'PHOTO;ENCODING=b;TYPE=JPEG:QUJDQUJD',
      'END:VCARD',
    );
    const { text } = await parseBytes(
      multipart('mixed', [
        ['Content-Type: text/plain; charset=utf-8', 'Bitte kommen.'],
        [
          'Content-Type: text/calendar; charset=utf-8; method=REQUEST\r\nContent-Disposition: attachment; filename=invite.ics',
          invitation,
        ],
        attachment('kroll.vcf', contact, 'text/vcard'),
      ]),
      'a.eml',
    );
    expect(text.split('\n\n').slice(2)).toEqual([
      'Bitte kommen.',
      'invite.ics',
      'Summary: Kickoff Solarpark\nStart: 2025-04-15 10:00\nTime zone: Europe/Berlin\nLocation: Raum Elbe, 3. OG\nOrganizer: Sabine Kroll <s@x.example>',
      'kroll.vcf',
      'Name: Dr. Sabine Kroll\nOrganization: Nordwind GmbH, Personal\nPhone: +49 421 555',
    ]);
  });

  it('prefers the plain body, reads HTML where it is alone or says far more', async () => {
    const plain = 'Content-Type: text/plain; charset=utf-8';
    const html = 'Content-Type: text/html; charset=utf-8';
    const both = await parseBytes(
      multipart('alternative', [
        [plain, 'plain words'],
        [html, '<p>html words</p>'],
      ]),
      'a.eml',
    );
    expect(both.text).toContain('plain words');
    expect(both.text).not.toContain('html words');
    const teaser = await parseBytes(
      multipart('alternative', [
        [plain, 'See web'],
        [html, `<table><tr><td>${'<p>long words</p>'.repeat(50)}</td></tr></table>`],
      ]),
      'a.eml',
    );
    expect(teaser.text).toContain('long words');
    const alone = await parseBytes(
      multipart('mixed', [[html, '<style>p{}</style><h2>T</h2><p>only &amp; html</p>']]),
      'a.eml',
    );
    expect(alone.outline.slice(2)).toEqual(['heading: T', 'paragraph: only & html']);
  });

  it.each([
    [
      'quoted-printable in latin1',
      'Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable',
      'Gr=FC=DFe aus =\r\nK=F6ln',
    ],
    [
      'base64 in windows-1252',
      'Content-Type: text/plain; charset=windows-1252\r\nContent-Transfer-Encoding: base64',
      Buffer.from('Grüße aus Köln', 'latin1').toString('base64'),
    ],
    [
      '8 bits in a declared charset',
      'Content-Type: text/plain; charset=iso-8859-15\r\nContent-Transfer-Encoding: 8bit',
      Buffer.from('Grüße aus Köln', 'latin1'),
    ],
  ])('decodes a body in %s', async (_name, head, body) => {
    expect((await parseBytes(multipart('mixed', [[head, body]]), 'a.eml')).text).toContain('Grüße aus Köln');
  });

  const german = 'Grüße aus Köln, die schöne Lösung für Ihre Küche kostet 100 €.';
  it.each([
    ['UTF-8 that is said to be ASCII', 'text/plain; charset=us-ascii', Buffer.from(german)],
    ['UTF-8 that is said to be Latin-1', 'text/plain; format=flowed; charset="iso-8859-1"', Buffer.from(german)],
    ['UTF-8 of an unknown name', 'text/plain; charset=x-unknown', Buffer.from(german)],
    ['an old encoding that is said to be UTF-8', 'text/plain; charset=utf-8', iconv.encode(german, 'windows-1252')],
    ['an old encoding that is said to be ASCII', 'text/plain; charset=us-ascii', iconv.encode(german, 'windows-1252')],
    [
      'an encoding that the page alone names',
      'text/html',
      iconv.encode(`<html><head><meta charset="iso-8859-15"></head><body>${german}</body></html>`, 'iso-8859-15'),
    ],
  ])('reads %s, alone, encoded and among other parts', async (_name, type, body) => {
    const alone = Buffer.concat([Buffer.from(`${HEADER}Subject: S\r\nContent-Type: ${type}\r\n\r\n`), body]);
    expect((await parseBytes(alone, 'a.eml')).text).toContain(german);
    const base64 = `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64`;
    const plain = 'Content-Type: text/plain; charset=iso-8859-1';
    for (const [head, bytes] of [
      [`Content-Type: ${type}`, body] as const,
      [base64, body.toString('base64')] as const,
    ]) {
      const { text } = await parseBytes(
        multipart('mixed', [
          [plain, Buffer.from('Café davor', 'latin1')],
          [head, bytes],
          [plain, Buffer.from('Café danach', 'latin1')],
        ]),
        'a.eml',
      );
      expect(text).toContain(german);
      expect(text).toMatch(/Café davor[^]*Grüße[^]*Café danach/);
    }
  });

  it('believes the name of an encoding of several bytes, whose short texts may look like UTF-8', async () => {
    const body = iconv.encode('目录', 'gb2312');
    const message = Buffer.concat([Buffer.from(`${HEADER}Content-Type: text/plain; charset=gb2312\r\n\r\n`), body]);
    expect((await parseBytes(message, 'a.eml')).text).toContain('目录');
  });

  it('reads raw letters of an old charset that nothing declares, in header and body', async () => {
    const text = `From: =?x?= <a@example.org>\nTo: b@example.org\nSubject: Отчёт о поставке насосов\n\nУважаемые коллеги, отчёт о поставке насосов готов. Просим проверить данные.\n`;
    const { document, text: read } = await parseBytes(iconv.encode(text, 'windows-1251'), 'a.eml');
    expect(document.title).toBe('Отчёт о поставке насосов');
    expect(read).toContain('Уважаемые коллеги');
  });

  it('reads attachments with their own parsers, each under its name, and names what it cannot read', async () => {
    const { outline, blocks, document } = await parseBytes(
      multipart('mixed', [
        ['Content-Type: text/plain', 'see attached'],
        attachment('table.csv', 'a;b\n1;2\n', 'text/csv'),
        attachment('files.zip', makeZip([{ name: 'in.md', data: Buffer.from('# Inside') }]), 'application/zip'),
        attachment(
          'photo.png',
          Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0', 'latin1'),
          'image/png',
        ),
        attachment('sign.p7s', 'x', 'application/pkcs7-signature'),
      ]),
      'a.eml',
    );
    expect(outline.slice(2)).toEqual([
      'paragraph: see attached',
      'heading: table.csv',
      'table: a | b\n1 | 2',
      'heading: files.zip',
      'heading: in.md',
      'heading: Inside',
    ]);
    expect(blocks.filter(({ kind }) => kind === 'heading').map(({ level }) => level)).toEqual([1, 2, 2, 3, 4]);
    expect(document.warnings).toMatchObject([
      { code: 'ATTACHMENT_SKIPPED', detail: expect.stringContaining('photo.png') },
    ]);
    expect(document.fidelity).toMatchObject({
      attachments_seen: 4,
      attachments_extracted: 3,
      skipped: 'photo.png',
      tables: 1,
    });
  });

  it('reads an attached message as a message, to a depth of three', async () => {
    let message: Buffer | string = `${HEADER}Subject: innermost\r\n\r\nlevel 4`;
    for (const level of [3, 2, 1, 0]) {
      message = multipart('mixed', [
        ['Content-Type: text/plain', `level ${level}`],
        ['Content-Type: message/rfc822', message],
      ]);
    }
    const { text, document } = await parseBytes(message, 'a.eml');
    for (const level of [0, 1, 2, 3]) expect(text).toContain(`level ${level}`);
    expect(text).not.toContain('level 4');
    expect(document.warnings.map(({ code }) => code)).toContain('ATTACHMENT_SKIPPED');
  });

  describe('that is packed with its signature', () => {
    const inner = 'Content-Type: text/plain; charset=utf-8\r\n\r\nThe key is at the gate, 5 €.';
    const length = (value: Buffer): Buffer =>
      value.length < 128 ? Buffer.from([value.length]) : Buffer.from([0x82, value.length >> 8, value.length & 0xff]);
    const der = (tag: number, ...parts: Buffer[]): Buffer => {
      const value = Buffer.concat(parts);
      return Buffer.concat([Buffer.from([tag]), length(value), value]);
    };
    /** The same with lengths that are left open. */
    const ber = (tag: number, ...parts: Buffer[]): Buffer =>
      Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.from([0, 0])]);
    const oid = (last: number): Buffer =>
      der(0x06, Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, last]));
    const packed = (make: typeof der, octets: Buffer, type = 2): Buffer =>
      make(
        0x30,
        oid(type),
        make(
          0xa0,
          make(0x30, der(0x02, Buffer.from([1])), der(0x31), make(0x30, oid(1), make(0xa0, octets)), der(0x31)),
        ),
      );
    const text = Buffer.from(inner);
    const whole = packed(der, der(0x04, text));
    const inParts = packed(ber, ber(0x24, der(0x04, text.subarray(0, 20)), der(0x04, text.subarray(20))));
    const mail = (bytes: Buffer): string =>
      `${HEADER}Subject: Key\r\nMIME-Version: 1.0\r\nContent-Type: application/pkcs7-mime; smime-type=signed-data;\r\n name="smime.p7m"\r\n` +
      `Content-Disposition: attachment;\r\n filename=smime.p7m\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64')}\r\n`;

    it.each([
      ['at once', whole],
      ['in parts of open length', inParts],
    ])('is read as the message that it was, %s', async (_how, bytes) => {
      const { outline } = await parseBytes(mail(bytes), 'a.eml');
      expect(outline).toEqual([
        'heading: Key',
        expect.stringContaining('From: Ann'),
        'paragraph: The key is at the gate, 5 €.',
      ]);
    });

    it('is read where it is attached', async () => {
      const forwarded = multipart('mixed', [
        ['Content-Type: text/plain', 'see below'],
        attachment('smime.p7m', whole, 'application/pkcs7-mime'),
      ]);
      expect((await parseBytes(forwarded, 'a.eml')).text).toContain('The key is at the gate, 5 €.');
    });

    it('is called encrypted where it is, and cut packages end nothing', async () => {
      await expect(parseBytes(mail(packed(der, der(0x04, text), 3)), 'a.eml')).rejects.toMatchObject({
        code: 'ENCRYPTED',
      });
      for (const cut of [1, 5, 20, whole.length - text.length - 6]) {
        await expect(parseBytes(mail(whole.subarray(0, cut)), 'a.eml')).rejects.toMatchObject({ code: 'ENCRYPTED' });
      }
      const { text: left } = await parseBytes(mail(whole.subarray(0, whole.length - 8)), 'a.eml');
      expect(left).toContain('The key is at');
      const deep = Buffer.concat(Array.from({ length: 50_000 }, () => Buffer.from([0x30, 0x80])));
      await expect(parseBytes(mail(deep), 'a.eml')).rejects.toMatchObject({ code: 'ENCRYPTED' });
    });
  });

  it('says so when it is encrypted, and keeps the words of a file that is no message', async () => {
    const encrypted = multipart('mixed', [
      [
        'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\r\nContent-Transfer-Encoding: base64',
        'AAAA',
      ],
    ]);
    await expect(parseBytes(encrypted, 'a.eml')).rejects.toMatchObject({ code: 'ENCRYPTED' });
    const { text, document } = await parseBytes('only some words\nof a note', 'a.eml');
    expect(text).toBe('only some words\nof a note');
    expect(document.warnings).toMatchObject([{ code: 'MALFORMED_MESSAGE' }]);
  });

  it('is known by its header when its name says nothing', async () => {
    const mail = `${HEADER}Subject: x\r\nMIME-Version: 1.0\r\n\r\nbody`;
    expect((await parseBytes(mail, 'message')).document.mediaType).toBe('message/rfc822');
    expect((await parseBytes('From: the beginning\nTo: the end\n\nA poem', 'poem')).document.mediaType).toBe(
      'text/plain',
    );
  });
});

describe('the quotations of an HTML message', () => {
  const message = (html: string): string =>
    `From: Eva <eva@example.org>\r\nSubject: Date\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n`;
  const header = (from: string): string =>
    `<div style="border-top:solid #E1E1E1 1pt"><p><b>Von:</b> ${from} &lt;k@example.org&gt;<br><b>Gesendet:</b> Montag, 28. April 2025 08:00<br><b>An:</b> Eva<br><b>Betreff:</b> Date</p></div>`;
  const outlineOf = async (html: string): Promise<string[]> =>
    (await parseBytes(message(html), 'a.eml')).outline.slice(2);

  it('are sections below the headers that Outlook writes', async () => {
    const html = `<p>It is 5 May.</p>${header('Karl')}<p>Is it 3 May?</p>${header('Eva')}<p>When is it?</p>`;
    expect(await outlineOf(html)).toEqual([
      'paragraph: It is 5 May.',
      'heading: Quoted: Von: Karl <k@example.org>, Gesendet: Montag, 28. April 2025 08:00',
      'quote: Is it 3 May?',
      'heading: Quoted: Von: Eva <k@example.org>, Gesendet: Montag, 28. April 2025 08:00',
      'quote: When is it?',
    ]);
  });

  it('are a section in the element that other programs put around them', async () => {
    const quote =
      '<div class="gmail_quote"><div class="gmail_attr">On Mon, Apr 28, 2025 Karl wrote:<br></div><blockquote>Is it 3 May?</blockquote></div>';
    expect(await outlineOf(`<div>It is 5 May.</div>${quote}`)).toEqual([
      'paragraph: It is 5 May.',
      'heading: Quoted: On Mon, Apr 28, 2025 Karl wrote',
      'quote: Is it 3 May?',
    ]);
    // Own words behind a quotation answer it.
    expect(await outlineOf(`${quote}<p>No, it is 5 May.</p>`)).toEqual([
      'paragraph: On Mon, Apr 28, 2025 Karl wrote:\n',
      'quote: Is it 3 May?',
      'paragraph: No, it is 5 May.',
    ]);
  });

  it('are looked for in time that grows with the message', async () => {
    const outline = await outlineOf(`${'<div>'.repeat(20_000)}${'<p>Von: a<br>b</p>'.repeat(5_000)}`);
    expect(outline.length).toBeGreaterThan(0);
  });
});

describe('a .msg', () => {
  const message = { subject: 'Größe', body: 'Hello 日本', from: 'Ann', to: 'Bob' };

  it('gives subject, people, body and attachments', async () => {
    const { outline, document } = await parseBytes(
      makeMsg(message, [{ name: 'notes.md', content: Buffer.from('# Notes') }]),
      'a.msg',
    );
    expect(outline).toEqual([
      'heading: Größe',
      'paragraph: From: Ann\nTo: Bob',
      'paragraph: Hello 日本',
      'heading: notes.md',
      'heading: Notes',
    ]);
    expect(document).toMatchObject({ title: 'Größe', fidelity: { attachments_seen: 1, attachments_extracted: 1 } });
  });

  it('reads a message of Outlook that is attached as a file', async () => {
    const inner = makeMsg({ ...message, subject: 'Inner', body: 'inner words' });
    const { text } = await parseBytes(makeMsg(message, [{ name: 'inner.msg', content: inner }]), 'a.msg');
    expect(text).toContain('inner words');
  });

  it('that is cut off is malformed', async () => {
    await expect(parseBytes(makeMsg(message).subarray(0, 700), 'a.msg')).rejects.toMatchObject({ code: 'MALFORMED' });
  });
});

describe('what Outlook packs into winmail.dat', () => {
  const attribute = (level: number, tag: number, data: Buffer): Buffer => {
    const head = Buffer.alloc(9);
    head.writeUInt8(level, 0);
    head.writeUInt32LE(tag, 1);
    head.writeUInt32LE(data.length, 5);
    return Buffer.concat([head, data, Buffer.alloc(2)]);
  };
  const packed = Buffer.concat([
    Buffer.from([0x78, 0x9f, 0x3e, 0x22, 1, 0]),
    attribute(1, 0x0002800c, Buffer.from('The prices of May.\0')),
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from('prices.csv\0')),
    attribute(2, 0x0006800f, Buffer.from('item,price\nLamp,19\n')),
  ]);
  const mail = (bytes: Buffer): string =>
    'From: a@x.example\nSubject: Prices\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n' +
    `Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n${bytes.toString('base64')}\n--b--\n`;

  it('is the words and the files of the message', async () => {
    const { outline } = await parseBytes(mail(packed), 'a.eml');
    expect(outline.slice(2)).toEqual([
      'paragraph: The prices of May.',
      'heading: prices.csv',
      'table: item | price\nLamp | 19',
    ]);
  });

  it('is left out with a warning when it is damaged', async () => {
    const { document } = await parseBytes(mail(Buffer.from('no package')), 'a.eml');
    expect(document.fidelity).toMatchObject({ attachments_seen: 1 });
    expect((await parseBytes(mail(packed.subarray(0, -30)), 'a.eml')).text).toContain('The prices of May.');
  });
});
