import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ChildProcessParser } from '../pool/child-process-parser.js';
import { makeCompound } from '../testing/make-compound.js';
import { makeDocx, wordParagraph } from '../testing/make-ooxml.js';
import { readParsed, withDirectory, type ParsedBytes } from '../testing/parse-bytes.js';
import { withConverted, type ConversionRequest } from './convert-office.js';
import { findOffice } from './find-office.js';

const DOC = ((): Buffer => {
  const stream = Buffer.alloc(6000);
  stream.writeUInt16LE(0xa5ec, 0);
  return makeCompound({ WordDocument: stream });
})();
const CONVERSION = { mediaType: 'application/msword', from: 'doc', to: 'docx' } as const;

/** A program in LibreOffice's place: the last argument is the input, the one before it the output directory. */
function writeProgram(directory: string, lines: string): string {
  const path = join(directory, 'program');
  const head = '#!/bin/sh\nfor word; do out=$input; input=$word; done\n';
  writeFileSync(path, `${head}${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

function request(directory: string, program: string): ConversionRequest {
  const path = join(directory, 'stored');
  writeFileSync(path, DOC);
  const limits = { memoryBytes: 1e9, cpuSeconds: 10, fileBytes: 1e6 };
  const isolation = { kind: 'limits', reason: 'not the matter here' } as const;
  return { program, path, conversion: CONVERSION, workDirectory: directory, deadlineMs: 20_000, limits, isolation };
}

describe('withConverted', () => {
  it('gives the converted file and removes everything afterwards', async () => {
    await withDirectory(async (directory) => {
      const program = writeProgram(directory, 'cat "$input" > "$out/input.docx"');
      const size = await withConverted(request(directory, program), async (path) => readFileSync(path).length);
      expect(size).toBe(DOC.length);
      expect(readdirSync(directory).sort()).toEqual(['program', 'stored']);
    });
  });

  it('starts the program again when it asks for it', async () => {
    await withDirectory(async (directory) => {
      const program = writeProgram(
        directory,
        'test -e "$HOME/again" || { touch "$HOME/again"; exit 81; }\necho x > "$out/a.docx"',
      );
      expect(await withConverted(request(directory, program), async (path) => existsSync(path))).toBe(true);
    });
  });

  it('answers a program that gives nothing with a code', async () => {
    await withDirectory(async (directory) => {
      const running = withConverted(request(directory, writeProgram(directory, 'exit 1')), () => Promise.resolve());
      await expect(running).rejects.toMatchObject({ code: 'MALFORMED' });
    });
  });

  it('ends the program and what it started when the time is over, and when it is aborted', async () => {
    await withDirectory(async (directory) => {
      const program = writeProgram(directory, `sleep 60 & echo $! > "${directory}/pid"\nsleep 60`);
      const late = withConverted({ ...request(directory, program), deadlineMs: 300 }, () => Promise.resolve());
      await expect(late).rejects.toMatchObject({ code: 'PARSER_TIMEOUT' });
      await untilGone(Number(readFileSync(join(directory, 'pid'), 'utf8')));
      rmSync(join(directory, 'pid'));
      const controller = new AbortController();
      const reason = new Error('cancelled');
      const aborted = expect(
        withConverted({ ...request(directory, program), signal: controller.signal }, () => Promise.resolve()),
      ).rejects.toBe(reason);
      await until(() => existsSync(join(directory, 'pid')));
      controller.abort(reason);
      await aborted;
      await untilGone(Number(readFileSync(join(directory, 'pid'), 'utf8')));
    });
  });

  it('gives the program no environment of ours', async () => {
    await withDirectory(async (directory) => {
      const program = writeProgram(directory, 'env > "$out/a.docx"');
      process.env['SECRET_OF_THE_TEST'] = 'x';
      const environment = await withConverted(request(directory, program), async (path) => readFileSync(path, 'utf8'));
      delete process.env['SECRET_OF_THE_TEST'];
      expect(environment).not.toContain('SECRET_OF_THE_TEST');
    });
  });
});

describe('ChildProcessParser with old files', () => {
  it('says what to do where there is no LibreOffice', async () => {
    await withParser(null, DOC, 'a.doc', async (parsed) => {
      await expect(parsed).rejects.toMatchObject({ code: 'CONVERTER_MISSING', retryable: false });
    });
  });

  it('parses what the converter gives and reports the type of the file that came', async () => {
    await withDirectory(async (directory) => {
      writeFileSync(join(directory, 'result'), makeDocx(wordParagraph('converted words')));
      const program = writeProgram(directory, `cp "${directory}/result" "$out/input.docx"`);
      await withParser(program, DOC, 'a.doc', async (parsed) => {
        const { text, document } = await parsed;
        expect(text).toBe('converted words');
        expect(document).toMatchObject({ mediaType: 'application/msword', fidelity: { converted_by: 'libreoffice' } });
      });
    });
  });

  it.skipIf(findOffice() === null)('tells a file that LibreOffice cannot read, with the real program', async () => {
    await withParser(undefined, DOC, 'a.doc', async (parsed) => {
      await expect(parsed).rejects.toMatchObject({ code: 'MALFORMED' });
    });
  });
});

async function withParser(
  officeProgram: string | null | undefined,
  bytes: Buffer,
  fileName: string,
  check: (parsed: Promise<ParsedBytes>) => Promise<void>,
): Promise<void> {
  const parser = new ChildProcessParser({ officeProgram });
  try {
    await withDirectory(async (workDirectory) => {
      const path = join(workDirectory, 'input');
      writeFileSync(path, bytes);
      await check(parser.parse({ path, fileName, workDirectory }).then(readParsed));
    });
  } finally {
    await parser.close();
  }
}

/** A process that was killed may stay as a zombie for a while where no one collects it. */
async function untilGone(pid: number): Promise<void> {
  const state = (): string => {
    if (!existsSync(`/proc/${pid}/stat`)) return 'gone';
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? 'gone';
  };
  await until(() => ['gone', 'Z', 'X'].includes(state()));
}
