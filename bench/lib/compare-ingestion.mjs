/** `npm run bench:ingest -- --against DIR`: two checkouts ingest the same documents in turn. */
import { generatedText, largeMarkdown } from './generated-text.mjs';
import { uploadFiles, untilIngested } from './ingest-files.mjs';
import { compareCheckouts } from './two-checkouts.mjs';

const PAIRS = 16;
const DOCUMENTS = 150;
const DOCUMENT_LENGTH = 1_000;
const LARGE_BYTES = 1024 * 1024;
/** Documents ingested before anything is measured: parsers and connections are started, code is compiled. */
const WARM_UP = 400;
/** Short beside a round of some seconds, and a request that costs little. */
const POLL_MS = 20;

/** Resolves to whether this checkout is slower. Each round fills a dataset of its own, from the first upload to the last `completed`. */
export function compareIngestion({ against, pairs = PAIRS, documents = DOCUMENTS, concurrency }) {
  const ingest = async ({ client }, files) => {
    const datasetId = await client.createDataset(`bench ${files[0].name}`);
    const began = performance.now();
    await uploadFiles(client, datasetId, files, { concurrency });
    const { document_counts: counts } = await untilIngested(client, datasetId, POLL_MS);
    if (counts.completed !== files.length) throw new Error(`Not all documents: ${JSON.stringify(counts)}`);
    return { figure: (performance.now() - began) / files.length, count: files.length };
  };
  const cases = [
    {
      name: `${documents} small texts, ${concurrency} at once`,
      unit: 'ms each',
      measure: (side, pair) => ingest(side, smallTexts((pair + 1) * 10_000, documents)),
    },
    {
      name: `one Markdown file of ${LARGE_BYTES / 2 ** 20} MB`,
      unit: 'ms',
      measure: (side, pair) => ingest(side, [markdown((pair + 1) * 10_000)]),
    },
  ];
  const prepare = async (side) => {
    await ingest(side, smallTexts(0, WARM_UP));
    await ingest(side, [markdown(0)]);
  };
  return compareCheckouts(against, { pairs, prepare, cases });
}

function smallTexts(seed, count) {
  return Array.from({ length: count }, (_, n) => ({
    name: `generated-${seed + n}.txt`,
    content: generatedText(seed + n, DOCUMENT_LENGTH),
    mediaType: 'text/plain',
  }));
}

function markdown(seed) {
  return { name: `large-${seed}.md`, content: largeMarkdown(LARGE_BYTES, seed), mediaType: 'text/markdown' };
}
