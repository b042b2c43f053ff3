/** A handful of texts of our own in the layout of the development data, for benches that are only to be run through. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const PARAGRAPHS = [
  [
    'a0-0',
    'The ferry to Lindholm leaves at six in the morning and carries forty cars.',
    'When does the ferry leave?',
    'six',
  ],
  [
    'a0-1',
    'In winter the ferry sails twice a week, because the harbour freezes over.',
    'How often does it sail?',
    'twice',
  ],
  ['b0-0', 'The mill on the river ground rye until 1931 and is a museum today.', 'Until when was rye ground?', '1931'],
  ['b0-1', 'Its wheel is seven metres high and was made of oak by two brothers.', 'How high is the wheel?', 'seven'],
];
const LANGUAGES = ['en', 'de', 'zh', 'tr'];
const TABLE = 'Town,Year,Visitors\nLindholm,2019,120\nHolmsay,2020,90\nPort Aske,2021,310\n';

/** Represents the runner of `own_words`: asks whether the service is there, and says of two questions how they went. */
const RUNNER = `import { writeFileSync } from 'node:fs';
const given = (name) => process.argv[process.argv.indexOf(name) + 1];
const { ok } = await (await fetch(new URL('/api/v1/health', given('--base')))).json();
const row = { question: 'When?', answer: 'At six.', turn: 0, outcome: ok ? 'right' : 'wrong', rank: 1, refused: false };
const rows = [
  { ...row, id: 'ow-001', kind: 'own_words', gold: {}, answered: 0.9 },
  { ...row, id: 'un-002', kind: 'unanswerable', gold: null, answered: 0.1, refused: true },
];
writeFileSync(given('--json'), JSON.stringify({ rows }));
`;

/** Writes `tiny` and `xquad/LANGUAGE` (BEIR layout), `chunking_eval`, `wtq`, `own_words` and `files` into the folder. */
export async function writeTinyData(folder) {
  const write = async (path, content) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  for (const name of ['tiny', ...LANGUAGES.map((language) => `xquad/${language}`)]) {
    await write(`${name}/corpus.jsonl`, lines(PARAGRAPHS.map(([id, text]) => ({ _id: id, title: '', text }))));
    await write(
      `${name}/queries.jsonl`,
      lines(PARAGRAPHS.map(([id, , text, answer]) => ({ _id: `q-${id}`, text, answers: [answer] }))),
    );
    const judged = PARAGRAPHS.map(([id]) => `q-${id}\t${id}\t1\n`).join('');
    await write(`${name}/qrels/test.tsv`, `query-id\tcorpus-id\tscore\n${judged}`);
  }
  await writeLongTexts(write);
  for (const file of ['1.csv', '2.csv']) await write(`wtq/csv/${file}`, TABLE);
  await write(
    'wtq/questions.jsonl',
    lines(
      ['1.csv', '2.csv'].map((file) => ({ _id: file, file, question: 'how many visitors in 2020?', answers: ['90'] })),
    ),
  );
  await write('own_words/score.mjs', RUNNER);
  await write('files/text/one.txt', PARAGRAPHS[0][1]);
  await write('files/manifest.jsonl', lines([{ file: 'text/one.txt', expect: 'text' }]));
}

async function writeLongTexts(write) {
  const text = PARAGRAPHS.map(([, sentence]) => sentence).join('\n\n');
  await write('chunking_eval/corpora/towns.md', text);
  const questions = PARAGRAPHS.map(([id, sentence, question]) => ({
    _id: id,
    text: question,
    corpus: 'towns',
    references: [
      { content: sentence, start_index: text.indexOf(sentence), end_index: text.indexOf(sentence) + sentence.length },
    ],
  }));
  await write('chunking_eval/questions.jsonl', lines(questions));
}

function lines(values) {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
