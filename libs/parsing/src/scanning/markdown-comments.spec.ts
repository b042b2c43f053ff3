import { describe, expect, it } from 'vitest';
import { MarkdownComments, withoutMarkdownComments } from './markdown-comments.js';

describe('comments of Markdown', () => {
  it.each([
    ['a line of its own', 'a\n\n<!-- note -->\n\nb\n', 'a\n\n\nb\n'],
    ['one within a line', 'a <!-- note --> b', 'a  b'],
    ['several in a line', '<!--x-->a<!--y-->', 'a'],
    ['one over lines', 'a\n<!-- one\n\ntwo -->\nb', 'a\n\nb'],
    ['what follows its end', '<!-- one\ntwo --> b `c`\n', ' b `c`\n'],
    [
      'a definition that nothing refers to',
      '[//]: # (note)\na\n[comment]: <> (note)\n[ref]: # (kept)\n',
      'a\n[ref]: # (kept)\n',
    ],
  ])('go: %s', (_what, text, kept) => {
    expect(withoutMarkdownComments(text)).toBe(kept);
  });

  it.each([
    ['in a fence', '```html\n<!-- code -->\n```\n'],
    ['in a longer fence', '~~~~\n~~~\n<!-- code -->\n~~~~\n'],
    ['in a code span', 'write `<!-- x -->` here'],
    ['in indented code', 'a\n\n    <!-- code -->\n    more\n'],
    ['without an end', 'a\n<!-- never\nclosed\n'],
    ['longer than anybody writes', `<!-- ${'word '.repeat(20_000)}\nmore\n-->`],
  ])('stay where they are content: %s', (_what, text) => {
    expect(withoutMarkdownComments(text)).toBe(text);
  });

  it.each([
    ['a block', 'a\n\n<div hidden>\n\nb\n\n<div>c</div>\n</div>\n\nd\n', 'a\n\n\n\nd\n'],
    ['within a line', 'a <span style="color:red; display: none">b</span> c', 'a  c'],
    ['one without content', 'a <img hidden src="x">b <br style=\'display:none\'/>c', 'a b c'],
    ['a style', '<style>\n.x { color: red }\n</style>\n# T\n', '\n# T\n'],
  ])('go with elements that are not displayed: %s', (_what, text, kept) => {
    expect(withoutMarkdownComments(text)).toBe(kept);
  });

  it.each([
    ['in a fence', '```html\n<div hidden>a</div>\n```\n'],
    ['in a code span', 'write `<div hidden>` here'],
    ['without an end', 'a\n<div hidden>\nb\n'],
    ['found by a search in the page', '<p hidden="until-found">a</p>\n'],
    ['displayed', '<p style="color:red" class="hidden" data-hidden="x">a</p> 1 <b and c> 2\n'],
  ])('do not go with elements that are content: %s', (_what, text) => {
    expect(withoutMarkdownComments(text)).toBe(text);
  });

  it('are read in time that grows with the text', () => {
    const text = '<div hidden><!-- <div <style> '.repeat(20_000);
    expect(withoutMarkdownComments(text)).toHaveLength(text.length);
  });

  it('are the same whatever the text is cut into, and are counted', () => {
    const text = 'a <!-- one -->\n```\n<!-- code -->\n```\n<!--\ntwo\n-->\n[//]: # (three)\nb';
    for (let size = 1; size < text.length; size += 3) {
      const comments = new MarkdownComments();
      let kept = '';
      for (let at = 0; at < text.length; at += size) kept += comments.feed(text.slice(at, at + size));
      expect(kept + comments.finish()).toBe(withoutMarkdownComments(text));
      expect(comments.count).toBe(3);
    }
  });
});
