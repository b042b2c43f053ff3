import { describe, expect, it } from 'vitest';
import { readFrontMatter } from './front-matter.js';

const read = (text: string, mediaType = 'text/markdown') => readFrontMatter(Buffer.from(text), mediaType);

describe('the front matter of a Markdown file', () => {
  it('gives its fields as metadata and its tags as tags; a date stays a text that sorts by time', () => {
    const text =
      '---\ntitle: Deploying the edge gateway\nowner: platform team\nlast_reviewed: 2025-03-14\nversion: 3\ndraft: false\nstatus: deprecated\nareas: [north, 7]\ntags: [gateway, edge, gateway]\n---\n\n# Install\n';
    const metadata = {
      title: 'Deploying the edge gateway',
      owner: 'platform team',
      last_reviewed: '2025-03-14',
      version: 3,
      draft: false,
      status: 'deprecated',
      areas: ['north', 7],
    };
    expect(read(text)).toEqual({ metadata, tags: ['gateway', 'edge'] });
    expect(read(text.replaceAll('\n', '\r\n'))).toEqual({ metadata, tags: ['gateway', 'edge'] });
    expect(read(`\ufeff${text}`)).toEqual({ metadata, tags: ['gateway', 'edge'] });
    expect(read('---\ntags: edge, gate way\n---\n')).toEqual({ metadata: {}, tags: ['edge', 'gate way'] });
  });

  it('is not read from other files, further down, without an end, or if it is invalid', () => {
    expect(read('---\na: b\n---\n', 'text/plain')).toBeUndefined();
    expect(read('Text\n---\na: b\n---\n')).toBeUndefined();
    expect(read('---\na: b\n')).toBeUndefined();
    expect(read('---\na: [b\n---\n')).toBeUndefined();
    expect(read('---\njust words\n---\n')).toBeUndefined();
    expect(read('---\n---\ntext')).toBeUndefined();
    expect(read('---\na: &x b\nc: *x\n---\n')).toBeUndefined();
    expect(read(`---\n${'a: b\n'.repeat(300)}---\n`)).toBeUndefined();
    expect(read(`---\na: ${'['.repeat(200)}\n---\n`)).toBeUndefined();
  });

  it('leaves out what no filter can use', () => {
    const text = `---\nmap: {a: 1}\nnothing:\nlong: ${'x'.repeat(2_000)}\nlist: [[1], 2]\n"a b": c\nn: .inf\nowner: Jo\ntags: {a: b}\n---\n`;
    expect(read(text)).toEqual({ metadata: { owner: 'Jo' }, tags: [] });
  });
});
