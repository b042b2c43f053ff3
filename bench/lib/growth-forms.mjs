/** Forms, archives and files of policies, each with as many parts as asked for. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fill, numbered, wrap } from './growth-text.mjs';
import { writeZip } from './write-zip.mjs';

const { readMultipart } = await import('../../dist/libs/http/src/multipart-reader.js');
const { checkArchive } = await import('../../dist/libs/parsing/src/archive/preflight.js');
const { detectMediaType } = await import('../../dist/libs/parsing/src/media-type/detect-media-type.js');
const { parsePolicyFile } = await import('../../dist/src/modules/ingestion-policy/transfer/policy-file.js');

const PIECE = 64 * 1024;
const KIB = 1024;

const part = (name, value, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

/** Reads every byte of a form that arrives in pieces. */
async function readForm(text) {
  const bytes = Buffer.from(text);
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
  };
  const source = Readable.from(pieces());
  for await (const { body } of readMultipart(source, 'multipart/form-data; boundary=b', 1_000_000, { seconds: 60 }))
    for await (const piece of body) void piece;
}

const form = (name, bound, text) => ({
  name: `form: ${name}`,
  bound,
  prepare: (size) => `${text(size)}--b--\r\n`,
  steps: [['read', readForm]],
});

/** Read in a thread that the product starts: the processor time of the whole process counts. */
const yaml = (name, bound, text) => ({
  name: `YAML: ${name}`,
  bound,
  wholeProcess: true,
  prepare: text,
  steps: [['parse', (content) => parsePolicyFile('a.yaml', Buffer.from(content))]],
});

const archive = (name, bound, nameOf, contentOf = () => 'x') => ({
  name: `archive: ${name}`,
  bound,
  prepare: async (size) => {
    const path = join(tmpdir(), `growth-${process.pid}.zip`);
    return {
      path,
      bytes: await writeZip(
        path,
        Array.from({ length: size }, (_, n) => [nameOf(n), contentOf(n)]),
      ),
    };
  },
  steps: [['check', ({ path, bytes }) => checkArchive(path, bytes)]],
  after: ({ path }) => rm(path, { force: true }),
});

const type = (name, text) => ({
  name: `type: ${name}`,
  bound: 8 * KIB,
  prepare: (size) => Buffer.from(text(size)),
  steps: [['detect', (head) => detectMediaType(head, 'a')]],
});

export const FORM_CASES = [
  form('fields', 20_000, (n) => numbered((k) => part(`k${k}`, 'x'), n * 60)),
  form('long fields', 40_960 * KIB, (n) => part('tags', fill('x', n / 8)).repeat(8)),
  form('what looks like a boundary', 4_096 * KIB, (n) => part('file', fill('\r\n--b', n))),
  form('hyphens', 4_096 * KIB, (n) => part('file', fill('\r\n--', n))),
  form('boundaries with spaces', 4_096 * KIB, (n) => part('file', fill(`\r\n--b${' '.repeat(60)}`, n))),
  form('long headers', 4_096 * KIB, (n) => fill(part('a', 'x', `; filename="${fill('x', 15_000)}"`), n)),
  form('parameters', 4_096 * KIB, (n) => fill(part('a', 'x', fill(';a="\\"', 15_000)), n)),
  form('spaces in headers', 4_096 * KIB, (n) => fill(part('a', 'x', fill('; a = ', 15_000)), n)),
  yaml('list', 512 * KIB, (n) => fill('- a: {b: c}\n', n)),
  yaml('members', 512 * KIB, (n) => numbered((k) => `k${k}: 1\n`, n)),
  yaml('member twice', 512 * KIB, (n) => fill('a: 1\n', n)),
  yaml('flow', 512 * KIB, (n) => `[${fill('a,', n)}a]`),
  yaml('flow members', 512 * KIB, (n) => `{${numbered((k) => `k${k}: 1,`, n)}}`),
  yaml('nested flow', 2 * KIB, (n) => wrap('[', ']', n)),
  yaml('open flow', 2 * KIB, (n) => fill('[', n)),
  yaml('indent', 512 * KIB, (n) => numbered((k) => `${' '.repeat(k)}a:\n`, n)),
  yaml('dashes', 4 * KIB, (n) => fill('- ', n)),
  yaml('anchors', 512 * KIB, (n) => numbered((k) => `- &a${k} x\n`, n)),
  yaml('aliases', 512 * KIB, (n) => `- &a x\n${fill('- *a\n', n)}`),
  yaml(
    'aliases of aliases',
    40,
    (n) => `- &a0 [x]\n${Array.from({ length: n }, (_, k) => `- &a${k + 1} [*a${k}, *a${k}]\n`).join('')}`,
  ),
  yaml('unknown aliases', 512 * KIB, (n) => numbered((k) => `- *b${k}\n`, n)),
  yaml('comments', 512 * KIB, (n) => fill('# a\n', n)),
  yaml('quoted', 512 * KIB, (n) => `a: "${fill('\\n', n - (n % 2))}"`),
  yaml('open quote', 512 * KIB, (n) => `a: "${fill('x\n', n)}`),
  yaml('folded', 512 * KIB, (n) => `a: >\n${fill('  x\n', n)}`),
  yaml('plain over lines', 512 * KIB, (n) => `a: x\n${fill('  y\n', n)}`),
  yaml('tags', 512 * KIB, (n) => fill('- !a x\n', n)),
  yaml('documents', 512 * KIB, (n) => fill('---\n', n)),
  yaml('tabs', 512 * KIB, (n) => fill('\t\n', n)),
  yaml('question marks', 512 * KIB, (n) => fill('? a\n', n)),
  yaml('colons', 512 * KIB, (n) => fill(': ', n)),
  yaml('braces that do not match', 512 * KIB, (n) => fill('}\n', n)),
  archive('entries', 10_000, (n) => `${n}.txt`),
  archive('long names', 10_000, (n) => `${fill('a/', 60)}${fill('b', 300)}${n}`),
  type('comments', (n) => fill('<!---->', n)),
  type('open comments', (n) => fill('<!--', n)),
  type('white space', (n) => fill(' ', n)),
  type('headers', (n) => fill('a: b\n', n)),
  type('folded headers', (n) => `From: a\n${fill(' b\n', n)}`),
  type('declarations', (n) => fill('<?xml <!a>', n)),
  type('angles', (n) => fill('<', n)),
];
