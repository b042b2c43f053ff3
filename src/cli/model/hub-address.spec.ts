import { describe, expect, it } from 'vitest';
import { addressOfFile, addressOfList, isUnprotected, readHubAddress, readListEntry } from './hub-address.js';

const read = (text: string, choice = {}): object => readHubAddress(text, choice) ?? {};

describe('readHubAddress', () => {
  it('takes a name on the usual hub, and on another one', () => {
    const model = { organisation: 'acme', name: 'tiny-v1.5', revision: 'main' };
    expect(read('acme/tiny-v1.5')).toEqual({ base: 'https://huggingface.co', ...model });
    expect(read('acme/tiny-v1.5', { base: 'https://mirror.example/hub/', revision: 'v2' })).toEqual({
      ...model,
      base: 'https://mirror.example/hub',
      revision: 'v2',
    });
  });

  it('takes an address as a browser shows it', () => {
    const model = { base: 'https://mirror.example/hub', organisation: 'acme', name: 'tiny' };
    expect(read('https://mirror.example/hub/acme/tiny/')).toEqual({ ...model, revision: 'main' });
    expect(read('https://mirror.example/hub/acme/tiny/tree/refs%2Fpr%2F1')).toEqual({
      ...model,
      revision: 'refs/pr/1',
    });
  });

  it('is silent about what is no address', () => {
    for (const text of ['tiny', './acme/tiny', 'acme/tiny/onnx', '../tiny', 'acme/']) {
      expect(readHubAddress(text, {})).toBeUndefined();
    }
  });

  it.each(['ftp://host/acme/tiny', 'https://host/tiny', 'https://host/acme/tiny?x=1', 'https://host/acme/..'])(
    'refuses %s',
    (text) => {
      expect(() => readHubAddress(text, {})).toThrow(/./);
    },
  );

  it('does not repeat a password', () => {
    expect(() => readHubAddress('https://user:hunter2@host/acme/tiny', {})).toThrow(/^(?!.*hunter2)/);
  });

  it('writes the addresses of the list and of a file', () => {
    const model = readHubAddress('acme/tiny', { base: 'http://localhost:1', revision: 'refs/pr/1' })!;
    expect(addressOfList(model)).toBe('http://localhost:1/api/models/acme/tiny/tree/refs%2Fpr%2F1?recursive=true');
    expect(addressOfFile(model, 'onnx/a b.onnx')).toBe(
      'http://localhost:1/acme/tiny/resolve/refs%2Fpr%2F1/onnx/a%20b.onnx',
    );
  });

  it('knows what is read without protection', () => {
    const unprotected = ['http://mirror.example', 'http://localhost:1', 'https://mirror.example'].map((base) =>
      isUnprotected(readHubAddress('acme/tiny', { base })!),
    );
    expect(unprotected).toEqual([true, false, false]);
  });
});

describe('readListEntry', () => {
  const sha256 = 'a'.repeat(64);

  it('takes the checksum of a large file, and the name in git of a small one', () => {
    const large = { type: 'file', path: 'model.onnx', size: 9, oid: 'b'.repeat(40), lfs: { oid: sha256, size: 9 } };
    expect(readListEntry(large)).toEqual({ path: 'model.onnx', size: 9, sha256 });
    const small = { type: 'file', path: 'config.json', size: 3, oid: 'b'.repeat(40) };
    expect(readListEntry(small)).toEqual({ path: 'config.json', size: 3, gitBlob: 'b'.repeat(40) });
  });

  it('leaves folders out and refuses paths that lead out of the folder', () => {
    expect(readListEntry({ type: 'directory', path: 'onnx' })).toBeUndefined();
    for (const path of ['../config.json', '/etc/passwd', 'a/../../b', 'C:\\x', 'a\u0000b']) {
      expect(() => readListEntry({ type: 'file', path, size: 1 })).toThrow(/outside of the model's folder/);
    }
  });
});
