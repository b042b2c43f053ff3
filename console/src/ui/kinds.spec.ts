import { describe, expect, it } from 'vitest';
import { kindName } from './kinds.js';

describe('the name of a kind of file', () => {
  it('is what people call it, and never a type of media', () => {
    expect(kindName('application/json')).toBe('JSON');
    expect(kindName('application/vnd.ms-excel')).toBe('Excel (.xls)');
    expect(kindName('application/x-tar')).toBe('TAR');
    expect(kindName('image/svg+xml')).toBe('SVG');
    expect(kindName('application/octet-stream')).not.toContain('octet');
  });
});
