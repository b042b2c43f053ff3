import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listProjectFiles, readProjectFile } from './project-files.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = listProjectFiles().filter((path) => path.endsWith('.md') && !/^(test|bench)\//.test(path));
/** Sources name pages of the documentation in comments, log lines and messages; specs invent names of documents. */
const SOURCES = listProjectFiles().filter(
  (path) => /^(src|libs|scripts|console|docker|packages|\.ci)\//.test(path) && !/\.spec\.|-spec\.|\.md$/.test(path),
);

const withoutCode = (markdown: string): string => markdown.replaceAll(/^(```|~~~)[^]*?^\1/gm, '');

/** The anchors of a page as GitHub makes them of its headings, and those that it gives itself. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set([...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!));
  for (const [, heading] of withoutCode(markdown).matchAll(/^#{1,6} +(.*)$/gm)) {
    const slug = heading!
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let own = slug;
    for (let n = 1; anchors.has(own); n++) own = `${slug}-${n}`;
    anchors.add(own);
  }
  return anchors;
}

/** What is wrong with a link from a file: that there is no such file, or no such place in it. */
function faultOf(from: string, link: string, read: (path: string) => string = readProjectFile): string | undefined {
  const [path, anchor] = link.split('#', 2);
  const target = path === '' ? from : posix.normalize(posix.join(posix.dirname(from), decodeURI(path!)));
  if (path !== '' && !existsSync(posix.join(ROOT, target))) return `${link}: no such file`;
  if (anchor === undefined || !target.endsWith('.md')) return undefined;
  return anchorsOf(read(target)).has(anchor) ? undefined : `${link}: no such heading`;
}

function linksOf(markdown: string): string[] {
  const text = withoutCode(markdown).replaceAll(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!).filter((link) => !/^[a-z]+:/.test(link));
}

/** Names of the examples of a guide, and a file that its reader makes. */
const INVENTED = /things|service\.env$/;

/** Paths of the project that a page names in code, from its root, or from the folder of a module's page. */
function namedPaths(path: string, markdown: string): string[] {
  const named = [...withoutCode(markdown).matchAll(/`([\w@.-]+(?:\/[\w@.-]+)+\/?)`/g)].map(([, name]) => name!);
  const module = /^src\/modules\/[^/]+\/(?=README\.md$)/.exec(path)?.[0];
  return named.flatMap((name) => {
    if (INVENTED.test(name)) return [];
    if (/^(src|libs|test|scripts|bench|console|docker|packages|\.ci)\//.test(name)) return [name];
    return module !== undefined && name.endsWith('.ts') ? [module + name] : [];
  });
}

describe('links', () => {
  it.each(PAGES)('of %s lead to a file and a heading that are there', (path) => {
    expect(linksOf(readProjectFile(path)).flatMap((link) => faultOf(path, link) ?? [])).toEqual([]);
  });

  it('of sources lead to a page and a heading that are there', () => {
    const named = SOURCES.flatMap((path) =>
      [...readProjectFile(path).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].flatMap(
        ([link]) => faultOf('README.md', link) ?? [],
      ),
    );
    expect(named).toEqual([]);
  });

  it.each(PAGES)('and paths that %s names lead to files that are there', (path) => {
    const history = /^docs\/adr\/|^CHANGELOG\.md$/.test(path);
    const named = history ? [] : namedPaths(path, readProjectFile(path));
    expect(named.filter((name) => !existsSync(posix.join(ROOT, name)))).toEqual([]);
  });

  it('the tree of docs/architecture.md has a line for every module and lib, and no other', () => {
    const [, tree] = /^```\n(src\/\n[^]*?)^```$/m.exec(readProjectFile('docs/architecture.md'))!;
    const named = (indent: string, part: string): string[] =>
      [...part.matchAll(new RegExp(`^${indent}([\\w-]+)/`, 'gm'))].map(([, name]) => name!).toSorted();
    const folders = (path: string): string[] =>
      readdirSync(posix.join(ROOT, path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted();
    const [modules, rest] = tree!.split('  modules/\n')[1]!.split('libs/\n');
    expect(named('    ', modules!)).toEqual(folders('src/modules'));
    expect(named('  ', rest!)).toEqual(folders('libs'));
  });

  it('are found and compared as a reader of the page would follow them', () => {
    const page =
      '# A `b` c\n\n## A b c\n\n<a id="own"></a>\n\n```sh\n# no heading\n[x](no-link)\n```\n[y](#own) `[z](code)`\n';
    expect([...anchorsOf(page)]).toEqual(['own', 'a-b-c', 'a-b-c-1']);
    expect(linksOf(page)).toEqual(['#own']);
    expect(faultOf('docs/x.md', '#own', () => page)).toBeUndefined();
    expect(faultOf('docs/x.md', '#other', () => page)).toBe('#other: no such heading');
    expect(faultOf('docs/x.md', '../README.md')).toBeUndefined();
    expect(faultOf('docs/x.md', 'operations.md')).toBe('operations.md: no such file');
    const naming = 'See `libs/text`, `src/main.ts`, `records/x.ts`, `src/modules/things/` and `application/json`.';
    expect(namedPaths('docs/x.md', naming)).toEqual(['libs/text', 'src/main.ts']);
    expect(namedPaths('src/modules/kg/README.md', '`view/kg.ts`')).toEqual(['src/modules/kg/view/kg.ts']);
  });
});

describe('the list of decisions', () => {
  it('names each of them, in the order of their numbers', () => {
    const listed = [...readProjectFile('docs/adr/README.md').matchAll(/^\| \[(\d{4})\]\((\S+)\)/gm)].map(
      ([, , page]) => page,
    );
    expect(listed).toEqual(
      PAGES.filter((path) => /^docs\/adr\/\d/.test(path))
        .map((path) => posix.basename(path))
        .toSorted(),
    );
  });
});
