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
});
