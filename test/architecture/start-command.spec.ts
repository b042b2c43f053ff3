import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const NAMES = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'];

/** What a text sets each variable of the allocator to; in a shell's command the operator's value wins over the default. */
function allocatorIn(text: string): (string | undefined)[] {
  return NAMES.map((name) => new RegExp(`${name}(?:=\\D{0,3}\\$\\{${name}:-|=|: ')(\\d+)`).exec(text)?.[1]);
}

it('npm start, the image and the tests start the service with the same allocator settings, those that were measured', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
  const measured = allocatorIn(scripts['start']!);
  expect(measured).toEqual(measured.map(() => expect.stringMatching(/^\d+$/)));
  expect(allocatorIn(await read('docker/Dockerfile'))).toEqual(measured);
  expect(allocatorIn(await read('scripts/lib/service-process.ts'))).toEqual(measured);
});
