import { describe, expect, it } from 'vitest';
import { parseBytes } from '../testing/parse-bytes.js';

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n`;
const event = (...all: string[]): string => lines('BEGIN:VEVENT', ...all, 'END:VEVENT');
const calendar = (...events: string[]): string =>
  `${lines('BEGIN:VCALENDAR', 'PRODID:-//X')}${events.join('')}${lines('END:VCALENDAR')}`;

describe('an .ics', () => {
  it('says what people read of an event: folded lines in one, escapes resolved, no time zones and alarms', async () => {
    const zone = lines('BEGIN:VTIMEZONE', 'TZID:Europe/Vienna', 'TZOFFSETTO:+0100', 'END:VTIMEZONE');
    const { text, document } = await parseBytes(
      calendar(
        zone,
        event(
          'UID:1',
          'SUMMARY:Roof inspection\\, hall B',
          'DTSTART;TZID=Europe/Vienna:20250612T093000',
          'DESCRIPTION:Bring helmets\\nand the lad',
          ' der.',
          'ATTENDEE;CN="Huber, Jakob":mailto:jh@x.example',
          'BEGIN:VALARM',
          'DESCRIPTION:Reminder',
          'END:VALARM',
        ),
      ),
      'a.ics',
    );
    expect(text).toBe(
      'Summary: Roof inspection, hall B\nStart: 2025-06-12 09:30\nTime zone: Europe/Vienna\nDescription: Bring helmets and the ladder.\nAttendees: Huber, Jakob <jh@x.example>',
    );
    expect(document.mediaType).toBe('text/calendar');
  });

  it('has characters whole that a fold cuts within their bytes, wherever a piece of the file ends', async () => {
    const cut = (word: string): Buffer => {
      const bytes = Buffer.from(word);
      return Buffer.concat([bytes.subarray(0, 1), Buffer.from('\r\n '), bytes.subarray(1)]);
    };
    const before = Buffer.from('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:L');
    const after = Buffer.from('wenplatz\r\nLOCATION:Gr\u00fcn\r\n wald\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n');
    for (const filler of [0, ...Array.from({ length: 8 }, (_, more) => 65_536 - before.length - more)]) {
      const padding = filler === 0 ? '' : `X-NOTE:${'x'.repeat(filler - 9)}\r\n`;
      const bytes = Buffer.concat([Buffer.from(padding), before, cut('ö'), after]);
      expect((await parseBytes(bytes, 'a.ics')).text).toBe('Summary: Löwenplatz\nLocation: Grünwald');
    }
    const emoji = Buffer.concat([before, cut('\u{1f600}'), after]);
    expect((await parseBytes(emoji, 'a.ics')).text).toContain('L\u{1f600}wenplatz');
    const western = Buffer.from(
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Bl\u00fc\r\n te im M\u00e4rz und M\u00fche\r\nEND:VEVENT\r\n',
      'latin1',
    );
    expect((await parseBytes(western, 'a.ics')).text).toBe('Summary: Blüte im März und Mühe');
  });

  it('says the last day of whole days, and which ones of a series are left out, added or moved', async () => {
    const bytes = calendar(
      event(
        'SUMMARY:Jour fixe',
        'RRULE:FREQ=WEEKLY;COUNT=10',
        'RDATE;VALUE=DATE:20240911',
        'EXDATE;TZID=Europe/Zurich:20241001T140000,20241008T140000',
      ),
      event('SUMMARY:Holidays', 'DTSTART;VALUE=DATE:20241223', 'DTEND;VALUE=DATE:20250101'),
      event('SUMMARY:Moved', 'RECURRENCE-ID:20240917T140000', 'DTEND:20240917T170000'),
    );
    expect((await parseBytes(bytes, 'a.ics')).text).toBe(
      'Summary | Repeats | Also on | Not on | Start | End | Instead of\n' +
        'Jour fixe | FREQ=WEEKLY;COUNT=10 | 2024-09-11 | 2024-10-01 14:00, 2024-10-08 14:00 |  |  | \n' +
        'Holidays |  |  |  | 2024-12-23 | 2024-12-31 | \n' +
        'Moved |  |  |  |  | 2024-09-17 17:00 | 2024-09-17 14:00',
    );
  });

  it('is a table where several events follow each other', async () => {
    const bytes = calendar(
      event('SUMMARY:One', 'DTSTART;VALUE=DATE:20250612'),
      event('SUMMARY:Two', 'DTSTART:20250613T080000Z'),
    );
    expect((await parseBytes(bytes, 'a')).outline).toEqual([
      'table: Summary | Start | Time zone\nOne | 2025-06-12 | \nTwo | 2025-06-13 08:00 | UTC',
    ]);
  });

  it('without an event is plain text, and one that is cut off keeps its last event', async () => {
    expect((await parseBytes('BEGIN:VCALENDAR\nno event', 'a.ics')).text).toBe('BEGIN:VCALENDAR\nno event');
    expect((await parseBytes('BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Last', 'a.ics')).text).toBe('Summary: Last');
  });
});

describe('a .vcf', () => {
  it('says names and numbers of contacts, in the encodings of old ones, and no pictures', async () => {
    const old = lines(
      'BEGIN:VCARD',
      'VERSION:2.1',
      'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6=',
      'rg;;;',
      'TEL;CELL:+49 171 1',
      'item1.TEL;TYPE=work:+49 30 2',
      'PHOTO;ENCODING=BASE64:/9j/4AAQ',
      ' SkZJRg',
      '',
      'END:VCARD',
    );
    const recent = lines('BEGIN:VCARD', 'FN:Zoë Quist', 'ORG:Harbour;Pilots', 'TEL:tel:+1', 'END:VCARD');
    const { outline, document } = await parseBytes(old + recent, 'a.vcf');
    expect(outline).toEqual([
      'table: Name | Phone | Organization\nJörg Müller | +49 171 1, +49 30 2 | \nZoë Quist | +1 | Harbour, Pilots',
    ]);
    expect(document).toMatchObject({ mediaType: 'text/vcard', fidelity: { records: 2, tables: 1 } });
  });

  it('says what a person calls a number or an address, before or behind it', async () => {
    const card = lines(
      'BEGIN:VCARD',
      'FN:Chloé Dubois',
      'item1.TEL:+33 1',
      'item1.X-ABLabel:Notariat',
      'item2.X-ABLabel:_$!<Home>!$_',
      'item2.TEL:+33 2',
      'TEL:+33 3',
      'END:VCARD',
    );
    expect((await parseBytes(card, 'a.vcf')).text).toBe(
      'Name: Chloé Dubois\nPhone: +33 1 (Notariat), +33 2 (Home), +33 3',
    );
  });
});
