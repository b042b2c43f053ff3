import { constants, getPriority } from 'node:os';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import type { ParsedDocument } from '../document-parser.port.js';
import { readSegments } from '../read-segments.js';
import { makeBomb } from '../testing/make-zip.js';
import { parseBytes, readParsed, withDirectory, type ParsedBytes } from '../testing/parse-bytes.js';
import { childCommand } from './child-command.js';
import { ChildProcessParser } from './child-process-parser.js';
import { residentBytes } from './memory-watch.js';
import { ParserChild } from './parser-child.js';
import { DEFAULT_POOL_OPTIONS, type ParserPoolOptions } from './pool-options.js';

const FIXTURES = fileURLToPath(new URL('../../../../test/fixtures/documents/', import.meta.url));
const parsers: ChildProcessParser[] = [];

function createParser(options: Partial<ParserPoolOptions> = {}): ChildProcessParser {
  const parser = new ChildProcessParser(options);
  parsers.push(parser);
  return parser;
}

afterEach(async () => {
  await Promise.all(parsers.splice(0).map((parser) => parser.close()));
});

/** Writes a file into a fresh directory, parses it there and gives the result to `then` while the files still exist. */
async function parse<T>(
  parser: ChildProcessParser,
  fileName: string,
  content: Buffer | string,
  then: (document: ParsedDocument) => T | Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'input');
    writeFileSync(path, content);
    return then(await parser.parse({ path, fileName, workDirectory: directory }, { signal }));
  });
}

async function parseFixture(parser: ChildProcessParser, fileName: string): Promise<ParsedBytes> {
  return withDirectory(async (workDirectory) => {
    // As it is stored: under a name without an extension.
    const path = join(workDirectory, 'input');
    writeFileSync(path, readFileSync(join(FIXTURES, fileName)));
    return readParsed(await parser.parse({ path, fileName, workDirectory }));
  });
}

/** A text that keeps a child busy for a second or more. */
const slowText = (): string => 'a line of the text that takes its time\n\n'.repeat(2_000_000);

async function untilBusy(parser: ChildProcessParser): Promise<number> {
  return until(() => parser.childPids.slice(0, 1).find((pid) => (residentBytes(pid) ?? 0) > 60_000_000), {
    everyMs: 5,
  });
}

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

async function untilGone(pid: number): Promise<void> {
  await until(() => !isRunning(pid));
}

describe('ChildProcessParser', () => {
  it('reads every fixture with its facts, one child for all', async () => {
    const parser = createParser();
    const facts: [string, string][] = [
      ['handbook.md', 'Field staff may carry over at most 7 unused vacation days'],
      ['policy.txt', 'Visitor logs are deleted after 45 days'],
      ['faq.html', 'Student | 9 euros'],
      ['report.pdf', 'discovered 19 new asteroids'],
      ['guide.docx', 'The dome motor is serviced every 180 days'],
      ['notice.ja.txt', '事前の予約が必要です'],
      ['notice.zh.txt', '借期为二十一天'],
      ['notice.th.txt', 'ปิดรับสมัครวันที่สิบห้าพฤศจิกายน'],
    ];
    const pids = new Set<number>();
    for (const [fileName, fact] of facts) {
      expect((await parseFixture(parser, fileName)).text).toContain(fact);
      for (const pid of parser.childPids) pids.add(pid);
    }
    expect(pids.size).toBe(1);
  });

  it('sends the text of a short document with its answer, the same as in files, and leaves no file', async () => {
    const parser = createParser();
    for (const fileName of readdirSync(FIXTURES)) {
      const bytes = readFileSync(join(FIXTURES, fileName));
      const filed = await parseBytes(bytes, fileName);
      const { sent, left } = await parse(parser, fileName, bytes, (document) => ({
        sent: readParsed(document),
        left: readdirSync(dirname(document.textPath)),
      }));
      expect(sent.document.short).toBeDefined();
      expect(left).toEqual(['input']);
      expect([sent.text, sent.blocks]).toEqual([filed.text, filed.blocks]);
    }
    const long = 'a line of a long text\n\n'.repeat(1_000);
    const { short, textLength, files } = await parse(parser, 'long.txt', long, (document) => ({
      ...document,
      files: readdirSync(dirname(document.textPath)).sort(),
    }));
    expect([short, textLength, files]).toEqual([undefined, long.length, ['blocks.ndjson', 'input', 'text.utf16le']]);
  });

  it('gives the pages of a PDF with every block', async () => {
    const { document, outline, blocks } = await parseFixture(createParser(), 'report.pdf');
    expect(document).toMatchObject({ pageCount: 3, title: 'Northwind Observatory: Annual Report 2025' });
    expect(blocks[outline.indexOf('heading: Energy')]).toMatchObject({ page: 2 });
    expect(blocks.filter(({ kind }) => kind === 'page_break').map(({ page }) => page)).toEqual([2, 3]);
  });

  it('gives headings, list items and tables of a DOCX', async () => {
    const { document, outline } = await parseFixture(createParser(), 'guide.docx');
    expect(document.title).toBe('Dome Maintenance Guide');
    expect(outline).toContain('heading: Service intervals');
    expect(outline).toContain('list_item: - Close the dome when the humidity is above 88 percent.');
    expect(outline.find((line) => line.startsWith('table:'))).toContain('Rotation rail | 90 days | Dry graphite');
  });

  it('fails a decompression bomb with a code and goes on with the same child', async () => {
    const parser = createParser();
    await expect(parse(parser, 'bomb.docx', makeBomb(300), () => 0)).rejects.toMatchObject({ code: 'ARCHIVE_LIMIT' });
    const [pid] = parser.childPids;
    expect(await parse(parser, 'a.txt', 'words', ({ textLength }) => textLength)).toBe(5);
    expect(parser.childPids).toEqual([pid]);
  });

  it('parses at a lower priority than the service', async () => {
    const parser = createParser();
    await parse(parser, 'a.txt', 'words', ({ textLength }) => textLength);
    const least = Math.max(constants.priority.PRIORITY_BELOW_NORMAL, getPriority());
    expect(parser.childPids.map((pid) => getPriority(pid))).toEqual([least]);
  });

  it('removes its files after a failure', async () => {
    const parser = createParser();
    await withDirectory(async (directory) => {
      const path = join(directory, 'input');
      writeFileSync(path, 'x'.repeat(50));
      const request = { path, fileName: 'a.txt', workDirectory: directory, options: { maxTextUnits: 10 } };
      await expect(parser.parse(request)).rejects.toMatchObject({ code: 'TEXT_TOO_LONG' });
      expect(readdirSync(directory)).toEqual(['input']);
    });
  });

  it.each([
    ['empty.pdf', '', 'EMPTY_FILE'],
    ['text.pdf', 'this is only text', 'TYPE_MISMATCH'],
    ['broken.pdf', '%PDF-1.4\nnothing of a PDF', 'MALFORMED'],
    ['tone.wav', 'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x44\xac\0\0', 'UNSUPPORTED_TYPE'],
    ['cut.docx', 'PK\x03\x04 and then nothing', 'MALFORMED'],
  ])('answers %s with %s', async (fileName, content, code) => {
    await expect(parse(createParser(), fileName, content, () => 0)).rejects.toMatchObject({ name: 'ParseError', code });
  });

  it('fails only the document of a child that is killed from outside, and replaces the child', async () => {
    const parser = createParser();
    const failing = expect(parse(parser, 'slow.txt', slowText(), () => 0)).rejects.toMatchObject({
      code: 'PARSER_CRASHED',
      retryable: true,
    });
    process.kill(await untilBusy(parser), 'SIGKILL');
    await failing;
    expect(await parse(parser, 'a.txt', 'words', ({ textLength }) => textLength)).toBe(5);
  });

  it('ends a child that misses its deadline', async () => {
    const parser = createParser({ deadlineMs: 150, deadlineMsPerMebibyte: 0 });
    await expect(parse(parser, 'slow.txt', slowText(), () => 0)).rejects.toMatchObject({ code: 'PARSER_TIMEOUT' });
    expect(parser.childPids).toEqual([]);
  });

  it('ends a child that uses up its processor time', async () => {
    const parser = createParser({ cpuSeconds: 1 });
    const html = '<table><tr><td>'.concat('<p>cell'.repeat(400_000));
    await expect(parse(parser, 'slow.html', html.repeat(4), () => 0)).rejects.toMatchObject({ code: 'PARSER_TIMEOUT' });
  });

  it('fails a document that needs too much memory', async () => {
    const parser = createParser({ memoryBytes: 260_000_000 });
    const html = '<p>word'.repeat(1_500_000);
    await expect(parse(parser, 'large.html', html, () => 0)).rejects.toMatchObject({ code: 'PARSER_MEMORY' });
  });

  it('stops the work when it is aborted, and gives up a place in the queue', async () => {
    const parser = createParser();
    const controller = new AbortController();
    const reason = new Error('the document was cancelled');
    const busy = expect(parse(parser, 'slow.txt', slowText(), () => 0, controller.signal)).rejects.toBe(reason);
    const waiting = expect(parse(parser, 'a.txt', 'x', () => 0, controller.signal)).rejects.toBe(reason);
    const pid = await untilBusy(parser);
    controller.abort(reason);
    await Promise.all([busy, waiting]);
    await untilGone(pid);
    expect(await parse(parser, 'a.txt', 'words', ({ textLength }) => textLength)).toBe(5);
  });

  it('replaces a child after its number of documents, and ends it when idle', async () => {
    const parser = createParser({ maxDocumentsPerChild: 2, idleMs: 50 });
    const run = async (): Promise<number | undefined> => parse(parser, 'a.txt', 'x', () => parser.childPids.at(-1));
    const first = await run();
    await run();
    expect(await run()).not.toBe(first);
    await until(() => parser.childPids.length === 0);
  });

  it('refuses work after closing', async () => {
    const parser = createParser();
    await parse(parser, 'a.txt', 'x', () => 0);
    const [pid] = parser.childPids;
    await parser.close();
    expect(isRunning(pid!)).toBe(false);
    await expect(parse(parser, 'a.txt', 'x', () => 0)).rejects.toMatchObject({ code: 'PARSER_CRASHED' });
  });

  it('streams a large text: neither child nor parent grows with it', async () => {
    const parser = createParser();
    await parse(parser, 'small.txt', 'x', () => 0);
    const pid = parser.childPids[0]!;
    const peak = (): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
    const before = { child: peak(), parent: process.memoryUsage.rss() };
    await withDirectory(async (directory) => {
      const path = join(directory, 'input');
      const bytes = writeLargeText(path, 50);
      const document = await parser.parse({ path, fileName: 'large.txt', workDirectory: directory });
      expect(document.textLength).toBe(bytes);
      let blocks = 0;
      for await (const segment of readSegments(document)) blocks += segment.blocks.length;
      expect(blocks).toBe(document.fidelity['blocks_paragraph']);
    });
    expect(peak() - before.child).toBeLessThan(100_000_000);
    expect(process.memoryUsage.rss() - before.parent).toBeLessThan(100_000_000);
  });
});

describe('the child process', () => {
  it('has an empty environment and limits of its own', async () => {
    const parser = createParser();
    await parse(parser, 'a.txt', 'x', () => 0);
    const pid = parser.childPids[0]!;
    const names = readFileSync(`/proc/${pid}/environ`, 'latin1')
      .split('\0')
      .map((entry) => entry.split('=')[0]);
    expect(names.filter((name) => !['', '_', 'SHLVL'].includes(name!) && !name!.startsWith('NODE_CHANNEL'))).toEqual(
      [],
    );
    if (!childCommand(DEFAULT_POOL_OPTIONS).isLimited) return;
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
    expect(limits).toMatch(new RegExp(`Max data size\\s+${DEFAULT_POOL_OPTIONS.memoryBytes}`));
    expect(limits).toMatch(/Max open files\s+256/);
  });

  it('is watched by the parent where no prlimit is found', async () => {
    const command = childCommand(DEFAULT_POOL_OPTIONS, undefined, null);
    expect(command.isLimited).toBe(false);
    expect([command.file, ...command.args].join(' ')).not.toContain('prlimit');
    const child = new ParserChild(command, () => undefined);
    await withDirectory(async (directory) => {
      const path = join(directory, 'input');
      writeFileSync(path, slowText());
      const request = { path, fileName: 'slow.txt', workDirectory: directory };
      const running = child.run({ type: 'parse', request }, { deadlineMs: 60_000, memoryBytes: 10_000_000 });
      await expect(running).rejects.toMatchObject({ code: 'PARSER_MEMORY' });
    });
  });

  it('ends by itself when its parent is killed', async () => {
    const { file, args } = childCommand(DEFAULT_POOL_OPTIONS);
    const script =
      `const child = require('node:child_process').spawn(${JSON.stringify(file)}, ${JSON.stringify(args)}, ` +
      `{ env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }); console.log(child.pid); setInterval(() => 0, 1000);`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await untilGone(pid);
  });
});

function writeLargeText(path: string, mebibytes: number): number {
  const paragraph = 'The dome motor of the observatory is serviced every 180 days, and a record is kept.\n\n';
  const piece = Buffer.from(paragraph.repeat(10_000));
  const file = openSync(path, 'w');
  let written = 0;
  while (written < mebibytes * 1024 * 1024) written += writeSync(file, piece);
  closeSync(file);
  return written;
}
