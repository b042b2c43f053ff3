import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedMultipart, readMultipart, TooManyParts } from './multipart-reader.js';

const PACE = { seconds: 1, mostBytes: 1_000_000 };
const TYPE = 'multipart/form-data; boundary=b';

interface ReadPart {
  name: string;
  filename: string | undefined;
  mediaType: string | undefined;
  body: string;
}

async function readAll(chunks: readonly Buffer[], type: string | undefined = TYPE, most = 100): Promise<ReadPart[]> {
  const parts: ReadPart[] = [];
  for await (const part of readMultipart(Readable.from(chunks, { objectMode: false }), type, most, PACE)) {
    const pieces: Buffer[] = [];
    for await (const piece of part.body) pieces.push(piece);
    const filename = part.parameters.get('filename')?.toString('latin1');
    parts.push({
      name: part.name,
      filename,
      mediaType: part.mediaType,
      body: Buffer.concat(pieces).toString('latin1'),
    });
  }
  return parts;
}

const form = (...parts: [disposition: string, body: string][]): Buffer =>
  Buffer.from(
    `${parts.map(([disposition, body]) => `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${body}\r\n`).join('')}--b--\r\n`,
    'latin1',
  );
const namesOf = async (disposition: string): Promise<string | undefined> =>
  (await readAll([form([disposition, '']), Buffer.alloc(0)]))[0]!.filename;

describe('readMultipart', () => {
  it('gives the parts with their headers and bytes', async () => {
    const body = [
      'a preamble that means nothing\r\n--b\r\nContent-Disposition: form-data; name="field"\r\n\r\nvalue\r\n',
      '--b  \r\ncontent-type: Text/Plain; charset=utf-8\r\nCONTENT-DISPOSITION: form-data;\r\n name="file"; filename="a.txt"\r\n\r\nline\r\n\r\n--c\r\n--bc\r\n',
      '\r\n--b--\r\nan epilogue',
    ];
    expect(await readAll(body.map((piece) => Buffer.from(piece)))).toEqual([
      { name: 'field', filename: undefined, mediaType: undefined, body: 'value' },
      { name: 'file', filename: 'a.txt', mediaType: 'text/plain', body: 'line\r\n\r\n--c\r\n--bc\r\n' },
    ]);
  });

  it.each([
    ['of a file', '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'],
    ['before the first boundary', ''],
  ])('reads no more than it may, also %s that does not end', async (_name, beginning) => {
    const pieces = [Buffer.from(beginning), ...Array.from({ length: 100 }, () => Buffer.alloc(1_000, 97))];
    const source = Readable.from(pieces, { objectMode: false });
    const read = async (): Promise<void> => {
      for await (const part of readMultipart(source, TYPE, 10, { seconds: 1, mostBytes: 10_000 })) {
        for await (const piece of part.body) expect(piece.length).toBeLessThan(2_000);
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'http.body_too_large', status: 413 });
  });

  it('gives the same parts however the bytes are cut', async () => {
    const contents = fc.array(
      fc.constantFrom('\r', '\n', '-', '--b', '\r\n--b', 'b', ' ', 'text', '\r\n--', '\u00ff'),
      {
        maxLength: 20,
      },
    );
    const property = fc.asyncProperty(
      fc.array(contents, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 }),
      async (bodies, sizes) => {
        // What follows the line break and hyphens must not be the boundary with the end of its line.
        const texts = bodies.map((body) => body.join('').replaceAll(/\r\n--b(?=[ \t]*(?:\r\n|$)|--)/g, '\r\n--x'));
        const whole = form(...texts.map((text, index): [string, string] => [`name="f${index}"`, text]));
        const pieces: Buffer[] = [];
        for (let at = 0, n = 0; at < whole.length; n += 1) {
          const size = sizes[n % sizes.length]!;
          pieces.push(whole.subarray(at, at + size));
          at += size;
        }
        const parts = await readAll(pieces);
        expect(parts.map(({ body }) => body)).toEqual(texts);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  it('skips what is not read of a part', async () => {
    const source = Readable.from([form(['name="a"', 'x'.repeat(300_000)], ['name="b"', 'second'])]);
    const names: string[] = [];
    for await (const part of readMultipart(source, TYPE, 10, PACE)) {
      for await (const piece of part.body) if (piece.length > 0) break;
      names.push(part.name);
    }
    expect(names).toEqual(['a', 'b']);
  });

  it('holds back the next part until a reader that was left alone has given up its turn', async () => {
    const source = Readable.from([form(['name="a"', 'first'], ['name="b"', 'second'])]);
    const parts = readMultipart(source, TYPE, 10, PACE);
    const first = (await parts.next()).value!;
    const late = first.body[Symbol.asyncIterator]();
    const second = (await parts.next()).value!;
    expect(await late.next()).toEqual({ done: true, value: undefined });
    const pieces: Buffer[] = [];
    for await (const piece of second.body) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('second');
  });

  it.each([
    ['a quoted name', 'name="f"; filename="a b;c.txt"', 'a b;c.txt'],
    ['a bare name', 'name=f; filename=a.txt', 'a.txt'],
    ['escaped quotes and backslashes', 'name="f"; filename="a \\"b\\" \\\\c.txt"', 'a "b" \\c.txt'],
    ['a Windows path as old browsers send it', 'name="f"; filename="C:\\fakepath\\new.txt"', 'C:\\fakepath\\new.txt'],
    ['a path that ends in a backslash', 'name="f"; filename="C:\\dir\\"', 'C:\\dir\\'],
    ['no white space', 'name="f";filename="a.txt"', 'a.txt'],
    ['upper-case names of parameters', 'NAME="f"; FileName="a.txt"', 'a.txt'],
    ['the first of two', 'name="f"; filename="a.txt"; filename="b.txt"', 'a.txt'],
    ['an empty name', 'name="f"; filename=""', ''],
    ['no file name', 'name="f"', undefined],
  ])('reads %s', async (_what, disposition, name) => {
    expect(await namesOf(disposition)).toBe(name);
  });

  it.each([
    ['without a boundary in the type', 'multipart/form-data', 'x'],
    ['with an empty boundary', 'multipart/form-data; boundary=""', 'x'],
    ['without any part', TYPE, 'hello'],
    ['that is empty', TYPE, ''],
    ['that ends in a header', TYPE, '--b\r\nContent-Disposition: form-da'],
    ['that ends in a body', TYPE, '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nabc'],
    ['that ends in its last boundary', TYPE, '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nabc\r\n--b'],
    ['with a part without headers', TYPE, '--b\r\n\r\nabc\r\n--b--'],
    ['with a part that is no form data', TYPE, '--b\r\nContent-Disposition: attachment; name="a"\r\n\r\nabc\r\n--b--'],
    ['with a part without a name', TYPE, '--b\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--b--'],
    [
      'with endless headers',
      TYPE,
      `--b\r\nX: ${'x'.repeat(20_000)}\r\nContent-Disposition: form-data; name="a"\r\n\r\nabc\r\n--b--`,
    ],
    ['of another boundary', 'multipart/form-data; boundary=c', form(['name="a"', 'x']).toString()],
  ])('refuses a form %s', async (_what, type, body) => {
    await expect(readAll([Buffer.from(body)], type)).rejects.toBeInstanceOf(MalformedMultipart);
  });

  it('takes a quoted boundary with special characters', async () => {
    const body = '--a;b c\r\nContent-Disposition: form-data; name="a"\r\n\r\nabc\r\n--a;b c--';
    expect((await readAll([Buffer.from(body)], 'multipart/form-data; boundary="a;b c"'))[0]?.body).toBe('abc');
  });

  it('refuses more parts than it was told to take', async () => {
    const parts = Array.from({ length: 4 }, (): [string, string] => ['name="a"', 'x']);
    expect(await readAll([form(...parts)], TYPE, 4)).toHaveLength(4);
    await expect(readAll([form(...parts)], TYPE, 3)).rejects.toBeInstanceOf(TooManyParts);
  });

  it('passes on the error of its source', async () => {
    const source = new Readable({
      read() {
        this.destroy(new Error('line cut'));
      },
    });
    await expect(readMultipart(source, TYPE, 10, PACE).next()).rejects.toThrow('line cut');
  });

  it('skips the rest of its source when it stops, and does not destroy it', async () => {
    const sent = new PassThrough();
    sent.write(form(['name="a"', 'x']));
    expect(
      await readMultipart(sent, TYPE, 0, PACE)
        .next()
        .catch((error: unknown) => error),
    ).toBeInstanceOf(TooManyParts);
    expect(sent.destroyed).toBe(false);
    for (let n = 0; n < 50; n += 1) if (!sent.write(Buffer.alloc(64 * 1024))) await once(sent, 'drain');
    sent.end();
    await once(sent, 'end');
  });

  it('gives up on a source that brings too little while it is waited for', async () => {
    const source = new PassThrough();
    const drip = setInterval(() => source.write('x'), 50);
    source.write('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n');
    try {
      const parts = readMultipart(source, 'multipart/form-data; boundary=b', 10, {
        seconds: 0.3,
        mostBytes: 1_000_000,
      });
      const read = async (): Promise<void> => {
        for await (const part of parts) for await (const _piece of part.body);
      };
      await expect(read()).rejects.toMatchObject({ status: 408, code: 'http.upload_too_slow' });
    } finally {
      clearInterval(drip);
    }
  });

  it('refuses a boundary that is longer than any client makes', async () => {
    const type = `multipart/form-data; boundary=${'a'.repeat(5_000)}`;
    await expect(readMultipart(new PassThrough(), type, 10, PACE).next()).rejects.toThrow('boundary is longer');
  });
});
