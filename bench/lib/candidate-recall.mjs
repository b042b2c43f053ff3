/** How many of the chunks that score best over a whole dataset a vector store proposes. */
import { rowsOf } from '../../dist/libs/database/src/index.js';
import {
  analyzeQuery,
  decodeTerms,
  KeywordScorer,
  storeQueryTerms,
  summarizeTerms,
  TermStatistics,
} from '../../dist/libs/ranking/src/index.js';
import { vectorOf } from '../../dist/libs/vector-store/src/index.js';

const PAGE = 2_000;
const DEPTHS = { top10: 10, top200: 200 };

/** Shares of the best 10 and 200 chunks by keyword and by vector that are proposed, for each number of candidates asked of a leg. */
export async function measureRecall({ unitOfWork, store, embedder }, ctx, { datasetId, index, questions, limits }) {
  const chunks = await readChunks(unitOfWork, ctx, datasetId, embedder.descriptor.space);
  const statistics = new TermStatistics();
  for (let at = 0; at < chunks.length; at += PAGE)
    statistics.add(summarizeTerms(chunks.slice(at, at + PAGE).map(({ terms }) => terms)));
  const sums = limits.map((limit) => ({ limit, proposed: 0, keyword: zeros(), vector: zeros() }));
  for (const question of questions) {
    const terms = analyzeQuery(question);
    const [vector] = (await embedder.embed([question], 'query')).vectors;
    const scorer = new KeywordScorer(terms, statistics);
    const best = {
      keyword: bestOf(chunks, (chunk) => scorer.score(chunk.terms)),
      vector: bestOf(chunks, (chunk) => cosine(vector, chunk.vector)),
    };
    for (const sum of sums) await addRecall(sum, best, store, index, storeQueryTerms(terms), vector);
  }
  for (const sum of sums) {
    sum.proposed /= questions.length;
    for (const channel of ['keyword', 'vector'])
      for (const depth of Object.keys(DEPTHS)) sum[channel][depth] /= questions.length;
  }
  return sums;
}

const zeros = () => ({ top10: 0, top200: 0 });

async function addRecall(sum, best, store, index, terms, vector) {
  const { limit } = sum;
  const [byWords, byVector] = await Promise.all([
    store.searchKeyword([index], { terms, limit }),
    store.searchVector([index], { vector, limit }),
  ]);
  const proposed = new Set([...byWords, ...byVector].map(({ chunkId }) => chunkId));
  sum.proposed += proposed.size;
  for (const channel of ['keyword', 'vector']) {
    for (const [name, depth] of Object.entries(DEPTHS)) {
      const wanted = best[channel].slice(0, depth);
      const found = wanted.filter((id) => proposed.has(id)).length;
      sum[channel][name] += wanted.length === 0 ? 1 : found / wanted.length;
    }
  }
}

function bestOf(chunks, scoreOf) {
  return chunks
    .map((chunk) => ({ id: chunk.id, score: scoreOf(chunk) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, DEPTHS.top200)
    .map(({ id }) => id);
}

/** Of vectors of unit length, or of one length. */
function cosine(a, b) {
  let [sum, square] = [0, 0];
  for (let n = 0; n < a.length; n += 1) {
    sum += a[n] * b[n];
    square += b[n] * b[n];
  }
  return square === 0 ? 0 : sum / Math.sqrt(square);
}

async function readChunks(unitOfWork, ctx, datasetId, space) {
  const chunks = [];
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await unitOfWork.run(ctx, (manager) =>
      rowsOf(
        manager,
        `SELECT c.id, c.terms, concat_ws(E'\\n', c.context, c.body) AS text, v.vector FROM chunks c JOIN documents d ON d.visible_chunk_set_id = c.chunk_set_id
           JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $2
         WHERE d.dataset_id = $1 AND c.id > $3 ORDER BY c.id LIMIT ${PAGE}`,
        [datasetId, space, last],
      ),
    );
    for (const { id, terms, text, vector } of rows)
      chunks.push({ id, terms: decodeTerms(terms, text), vector: vectorOf(vector) });
    if (rows.length < PAGE) return chunks;
    last = rows.at(-1).id;
  }
}
