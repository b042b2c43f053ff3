import { describe, expect, it } from 'vitest';
import { listProjectFiles, readProjectFile } from './project-files.js';

interface Block {
  readonly language: string;
  readonly code: string;
}

/** What is read by people who paste: README and the guides, without decisions and changes. */
const GUIDES = listProjectFiles().filter((path) =>
  /(^README|^CONTRIBUTING|^docs\/(operations\/)?[^/]+|^docker\/README|^packages\/.*README)\.md$/.test(path),
);
/** Set by every shell. */
const OF_SHELLS = ['HOME', 'PATH', 'PWD', 'USER'];
const NAME = '[A-Z][A-Z0-9_]*';

const SETS = new RegExp(`(?:^|[;&(\\s])(?:export\\s+)?(${NAME})=|(?:^\\s*for|\\bread(?: -r)?)\\s+(${NAME})\\b`, 'gm');
const READS: Readonly<Record<string, RegExp>> = {
  sh: new RegExp(`(?<!\\\\)\\$\\{?(${NAME})`, 'g'),
  js: new RegExp(`process\\.env(?:\\.|\\[')(${NAME})`, 'g'),
  ts: new RegExp(`process\\.env(?:\\.|\\[')(${NAME})`, 'g'),
  python: new RegExp(`os\\.environ(?:\\[|\\.get\\()["'](${NAME})`, 'g'),
};

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language, code]) => ({
    language: language!,
    code: code!,
  }));
}

const setBy = (code: string): string[] => [...code.matchAll(SETS)].map((match) => (match[1] ?? match[2])!);

/** Every variable that a block reads before anything on its page, or the session that it names, has set it. */
function unsetIn(markdown: string, known: readonly string[]): string[] {
  const set = new Set([...OF_SHELLS, ...known]);
  return blocksOf(markdown).flatMap(({ language, code }) => {
    const lines = language === 'sh' ? code.replaceAll(/\\\n/g, '  ').split('\n') : [code];
    return lines.flatMap((line) => {
      const reads = READS[language] === undefined ? [] : [...line.matchAll(READS[language])].map(([, name]) => name!);
      if (language === 'sh') for (const name of setBy(line)) set.add(name);
      return reads.filter((name) => !set.has(name));
    });
  });
}

const session = blocksOf(readProjectFile('README.md').split('\n## A first session\n')[1]!.split('\n## ')[0]!)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ code }) => setBy(code));

describe('the commands of a guide', () => {
  it.each(GUIDES)('read no variable that neither it nor the session that it names has set: %s', (path) => {
    const markdown = readProjectFile(path);
    const names = /README\.md#(a-first-session|with-the-openai-sdk)\)/.test(markdown);
    expect(unsetIn(markdown, names ? session : [])).toEqual([]);
  });

  it('are read as a shell and a program would', () => {
    expect(session).toEqual(expect.arrayContaining(['BASE', 'TOKEN', 'DATASET', 'DOCUMENT', 'KB_API_KEY', 'FIELD']));
    const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\`\n`;
    expect(unsetIn(fence('sh', 'curl "$BASE/x/$ID" -d "\\"$OTHER\\""'), ['BASE'])).toEqual(['ID', 'OTHER']);
    expect(unsetIn(fence('sh', 'curl "$ID"\nID=1') + fence('sh', 'echo "$ID"'), [])).toEqual(['ID']);
    expect(unsetIn(fence('js', 'f(process.env.KEY)') + fence('python', 'os.environ["WORD"]'), [])).toEqual([
      'KEY',
      'WORD',
    ]);
  });
});
