import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTenant } from '../support/shared-service.js';

const FILE = Buffer.from(Array.from({ length: 3_000 }, (_, n) => `Line ${n} of the log book.\n`).join(''), 'utf8');
const SIZE = FILE.length;

describe('a range of the file of a document', () => {
  const service = useTenant();
  let id: string;

  beforeAll(async () => {
    const datasetId = await service.admin.createDataset('Ranges');
    ({ id } = await service.admin.upload(datasetId, { name: 'log book.txt', content: FILE }));
  });

  const read = (headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    fetch(`${service.url}/documents/${id}/content`, {
      method,
      headers: { ...service.admin.headers, ...headers },
    });

  it.each([
    ['the first bytes', 'bytes=0-99', 0, 99],
    ['one byte', 'bytes=500-500', 500, 500],
    ['to the end', 'bytes=70000-', 70_000, SIZE - 1],
    ['the last bytes', 'bytes=-10', SIZE - 10, SIZE - 1],
    ['more than there are', `bytes=${SIZE - 5}-99999999`, SIZE - 5, SIZE - 1],
    ['the last of more than there are', 'bytes=-99999999', 0, SIZE - 1],
    ['in other letters, with spaces', 'Bytes= 0-9 ', 0, 9],
  ])('%s', async (_name, range, start, end) => {
    const answer = await read({ Range: range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/${SIZE}`);
    expect(answer.headers.get('content-length')).toBe(String(end - start + 1));
    expect(answer.headers.get('content-disposition')).toContain('log book.txt');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(FILE.subarray(start, end + 1));
  });

  it.each([
    ['no header', {}],
    ['another unit', { Range: 'lines=0-9' }],
    ['no range', { Range: 'bytes=x-y' }],
    ['a dash', { Range: 'bytes=-' }],
    ['an end before the beginning', { Range: 'bytes=9-0' }],
    ['several', { Range: 'bytes=0-9,100-109' }],
    ['an earlier state that the client knows', { Range: 'bytes=0-9', 'If-Range': '"abc"' }],
  ])('is not sent for %s: the whole file is', async (_name, headers) => {
    const answer = await read({ ...headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
    expect(answer.headers.has('content-range')).toBe(false);
    const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    expect(sha(Buffer.from(await answer.arrayBuffer()))).toBe(sha(FILE));
  });

  it.each([`bytes=${SIZE}-`, `bytes=${'9'.repeat(400)}-`, 'bytes=-0'])(
    '%s is beyond the end: refused with the size',
    async (range) => {
      const answer = await read({ Range: range });
      expect(answer.status).toBe(416);
      expect(answer.headers.get('content-range')).toBe(`bytes */${SIZE}`);
      expect(await answer.json()).toMatchObject({ code: 'documents.range_not_satisfiable' });
    },
  );

  it('means nothing to HEAD', async () => {
    const answer = await read({ Range: 'bytes=0-99' }, 'HEAD');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(SIZE));
  });
});
