import { describe, expect, it } from 'vitest';
import { namedKind, shortKind, strayEnding } from './kind-names.js';

describe('the name of a kind of file', () => {
  it('is what people call it, and never a type of media', () => {
    expect(namedKind('application/json')).toBe('JSON');
    expect(namedKind('application/vnd.ms-excel')).toBe('Excel (.xls)');
    expect(namedKind('application/x-tar')).toBe('TAR');
    expect(namedKind('image/svg+xml')).toBe('SVG');
    expect(namedKind('application/octet-stream')).toBeUndefined();
  });

  it('has room in a row as a whole, or is not there', () => {
    expect(shortKind('report.docx', 'Word')).toBe('DOCX');
    expect(shortKind('app.properties', 'Text')).toBe('TEXT');
    expect(shortKind('tool.1', 'Text')).toBe('TEXT');
    expect(shortKind('README', 'Text')).toBe('TEXT');
    expect(shortKind('map.geojson', 'GEO')).toBe('GEO');
    expect(shortKind('notes.something', 'OpenDocument (.odt)')).toBe('');
  });
});

it('an ending is astray where the content is of another kind, and where it says one at all', () => {
  expect(strayEnding('contract.PDF', 'application/zip')).toBe('pdf');
  expect(strayEnding('report.doc', 'text/html')).toBe('doc');
  expect(strayEnding('contract.pdf', 'application/pdf')).toBeUndefined();
  expect(strayEnding('notes.txt', 'text/markdown')).toBeUndefined();
  expect(strayEnding('README', 'text/plain')).toBeUndefined();
});
