import { describe, expect, it } from 'vitest';
import { parseBytes } from '../testing/parse-bytes.js';

const outlineOf = async (lines: readonly string[], name: string): Promise<string[]> =>
  (await parseBytes(lines.join('\n'), name)).outline;

describe('parseTranscript', () => {
  it('reads what each person says in WebVTT, with the time, whatever cues cut it into', async () => {
    const vtt = [
      'WEBVTT - Weekly call',
      'Kind: captions',
      '',
      'NOTE not to be shown',
      '',
      'STYLE',
      '::cue { color: red }',
      '',
      'intro',
      '00:01.000 --> 00:03.500 align:start position:0%',
      '<v Maya Lindqvist>The go-live of the <c.loud>billing</c>',
      '',
      '00:03.600 --> 00:05.000',
      '<v Maya Lindqvist>portal is on 7 April.</v>',
      '',
      '01:00:07.000 --> 01:00:09.000',
      '<v Tomas Reyes>Who pays',
      '<00:07.500>the &amp; vendor?',
    ];
    expect(await outlineOf(vtt, 'call.vtt')).toEqual([
      'paragraph: 00:00:01 Maya Lindqvist: The go-live of the billing portal is on 7 April.',
      'paragraph: 01:00:07 Tomas Reyes: Who pays the & vendor?',
    ]);
  });

  it('reads SubRip with names before what is said, dashes, tags and places', async () => {
    const srt = [
      '1',
      '00:00:01,000 --> 00:00:02,000',
      'MAYA: {\\an8}<i>We ship</i>',
      '',
      '2',
      '00:00:02,100 --> 00:00:04,000',
      'in May: at last.',
      '',
      '3',
      '00:00:05,000 --> 00:00:06,000',
      '- Really?',
      '- Tomas Reyes: Yes.',
      '',
      '4',
      '00:00:20,000 --> 00:00:21,000',
      'After a pause.',
    ];
    expect(await outlineOf(srt.join('\r\n').split('\n'), 'film.srt')).toEqual([
      'paragraph: 00:00:01 MAYA: We ship in May: at last.',
      'paragraph: 00:00:05 Really?',
      'paragraph: 00:00:05 Tomas Reyes: Yes.',
      'paragraph: 00:00:20 Tomas Reyes: After a pause.',
    ]);
  });

  it('says once what captions that roll show twice', async () => {
    const cue = (at: number, ...lines: string[]): string[] => [`00:0${at}.000 --> 00:0${at + 1}.000`, ...lines, ''];
    const vtt = [
      'WEBVTT',
      '',
      ...cue(1, 'one two'),
      ...cue(2, 'one two', 'three<00:02.5> four'),
      ...cue(3, 'three four', 'five'),
    ];
    expect(await outlineOf(vtt, 'a.vtt')).toEqual(['paragraph: 00:00:01 one two three four five']);
  });

  it('begins a long turn again with its next sentence, with its time', async () => {
    const srt = Array.from({ length: 12 }, (_, at) => [
      `00:00:${10 + at},000 --> 00:00:${11 + at},000`,
      `${'word '.repeat(15)}end${at}${at % 4 === 3 ? '.' : ''}`,
      '',
    ]).flat();
    const outline = await outlineOf(srt, 'a.srt');
    expect(outline.map((line) => line.slice(0, 19))).toEqual(['paragraph: 00:00:10', 'paragraph: 00:00:18']);
    expect(outline[0]).toMatch(/end7\.$/);
  });

  it('reads a file without cues as plain text, and tells WebVTT without a telling name', async () => {
    expect(await outlineOf(['only words'], 'a.srt')).toEqual(['paragraph: only words']);
    expect((await parseBytes('WEBVTT\n\n00:01.000 --> 00:02.000\nHello.', 'call')).document.mediaType).toBe('text/vtt');
  });
});
