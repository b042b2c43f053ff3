import { describe, expect, it } from 'vitest';
import { namedKind } from './kind-names.js';

describe('the name of a kind of file', () => {
  it('is what people call it, and never a type of media', () => {
    expect(namedKind('application/json')).toBe('JSON');
    expect(namedKind('application/vnd.ms-excel')).toBe('Excel (.xls)');
    expect(namedKind('application/x-tar')).toBe('TAR');
    expect(namedKind('image/svg+xml')).toBe('SVG');
    expect(namedKind('application/octet-stream')).toBeUndefined();
  });
});
