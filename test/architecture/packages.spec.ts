import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface LockedPackage {
  readonly resolved?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

async function locked(): Promise<readonly (readonly [string, LockedPackage])[]> {
  const text = await readFile(`${ROOT}package-lock.json`, 'utf8');
  return Object.entries((JSON.parse(text) as { packages: Record<string, LockedPackage> }).packages);
}

describe('installed packages', () => {
  it('hold no model runtime, image library or transformers that no one calls', async () => {
    const unwanted = /(^|\/)node_modules\/(sharp|@img\/[^/]+|onnxruntime-web|@huggingface\/transformers)$/;
    const found = (await locked()).filter(([path, { link }]) => unwanted.test(path) && link !== true);
    expect(found.map(([path]) => path)).toEqual([]);
    expect(existsSync(`${ROOT}node_modules/sharp`)).toBe(false);
    expect(existsSync(`${ROOT}node_modules/onnxruntime-web`)).toBe(false);
  });

  it('are under permissive licences where they ship', async () => {
    const shipped = (await locked()).filter(([, { dev }]) => dev !== true);
    expect(shipped.filter(([, { license }]) => /GPL/.test(license ?? '')).map(([path]) => path)).toEqual([]);
  });

  it('are locked without the address of a registry', async () => {
    const addresses = (await locked()).filter(([, { resolved }]) => resolved?.includes('://') === true);
    expect(addresses.map(([path]) => path)).toEqual([]);
  });

  it('let the embedded vector store load', async () => {
    const { connect } = await import('@lancedb/lancedb');
    expect(connect).toBeTypeOf('function');
  });
});
