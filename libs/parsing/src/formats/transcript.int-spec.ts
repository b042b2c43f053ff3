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

  it('reads scripts of subtitles (ASS, SSA) without styles, comments and drawings', async () => {
    const script = [
      '[Script Info]',
      'Title: Talk',
      '[V4+ Styles]',
      'Format: Name, Fontname, Fontsize',
      'Style: Default,Arial,20',
      '[Events]',
      'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
      'Dialogue: 0,0:00:01.00,0:00:04.00,Default,Ada,0,0,0,,{\\i1}Good morning,{\\i0} Bob.\\NThe pump, it',
      'Dialogue: 0,0:00:04.10,0:00:06.00,Default,Ada,0,0,0,,runs\\hagain.',
      'Comment: 0,0:00:05.00,0:00:08.00,Default,Bob,0,0,0,,unseen',
      'Dialogue: 0,0:00:06.00,0:00:07.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0',
      'Dialogue: 0,0:01:05.00,0:01:08.00,Default,Bob,0,0,0,,Thank you.',
    ];
    expect(await outlineOf(script, 'a.ass')).toEqual([
      'paragraph: 00:00:01 Ada: Good morning, Bob. The pump, it runs again.',
      'paragraph: 00:01:05 Bob: Thank you.',
    ]);
    const older = script.map((line) =>
      line.replace('Layer, Start', 'Marked, Start').replace(/^(Dialogue: )0/, '$1Marked=0'),
    );
    expect(await outlineOf(older, 'a.ssa')).toHaveLength(2);
    expect(await outlineOf(['[Script Info]', 'Title: Talk'], 'a.ass')).toEqual([
      'paragraph: [Script Info]\nTitle: Talk',
    ]);
  });
});
