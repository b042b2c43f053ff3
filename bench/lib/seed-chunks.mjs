/**
 * Completed documents below the HTTP interface, as ingestion leaves them: rows of PostgreSQL with terms, vectors and the
 * statistics of each document, and rows of the vector store, all made by the service's own functions.
 */
import { newId } from '../../dist/libs/common/src/index.js';
import { encodeChunk, ANALYSIS_VERSION, storeTerms, summarizeTerms } from '../../dist/libs/ranking/src/index.js';
import { indexRef, vectorBytes } from '../../dist/libs/vector-store/src/index.js';

/** Chunks of a document, unless told otherwise. */
const CHUNKS_PER_DOCUMENT = 10;
const CHUNKS_PER_BATCH = 500;

const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

/** `texts.chunk(topic, n)` gives the texts: one topic a document. Resolves when all of them are found by a search. */
export async function seedChunks(
  { unitOfWork, store, embedder },
  ctx,
  datasetId,
  texts,
  { from = 0, chunks, perDocument = CHUNKS_PER_DOCUMENT, onProgress },
) {
  const { space, dimensions } = embedder.descriptor;
  const index = indexRef(ctx, datasetId, space);
  await store.ensureIndex(index, { dimensions, analysisVersion: ANALYSIS_VERSION });
  const together = Math.ceil(CHUNKS_PER_BATCH / perDocument);
  const last = (from + chunks) / perDocument;
  for (let first = from / perDocument; first < last; first += together) {
    const topics = Array.from({ length: Math.min(together, last - first) }, (_, n) => first + n);
    const documents = await Promise.all(topics.map((topic) => makeDocument(embedder, texts, topic, perDocument)));
    await unitOfWork.run(ctx, (manager) => insert(manager, ctx, datasetId, space, documents));
    const rows = documents.flatMap((document) => document.chunks.map((chunk) => toStored(document, chunk)));
    for (let at = 0; at < rows.length; at += store.capabilities.maxBatchRows)
      await store.write(index, rows.slice(at, at + store.capabilities.maxBatchRows));
    onProgress?.((first + topics.length) * perDocument);
  }
}

async function makeDocument(embedder, texts, topic, count) {
  const id = newId();
  const name = `document-${topic}.txt`;
  const bodies = Array.from({ length: count }, (_, n) => texts.chunk(topic, n));
  const { vectors } = await embedder.embed(bodies, 'document');
  let start = 0;
  const chunks = bodies.map((body, ordinal) => {
    const begin = start;
    start += body.length + 2;
    const { terms, bytes } = encodeChunk({ text: body, title: name.replace(/\.\w+$/, '') });
    const place = { id: newId(), ordinal, start: begin, end: begin + body.length };
    return { ...place, body, terms, bytes, vector: vectors[ordinal] };
  });
  const summary = summarizeTerms(chunks.map(({ terms }) => terms));
  return {
    id,
    name,
    topic,
    revisionId: newId(),
    setId: newId(),
    generation: String(topic + 1),
    createdAt: new Date(),
    chunks,
    summary,
  };
}

function toStored(document, { id, ordinal, terms, vector }) {
  const { id: documentId, name, generation, createdAt, topic } = document;
  return {
    chunkId: id,
    documentId,
    ordinal,
    generation,
    terms: storeTerms(terms),
    vector,
    metadata: {
      documentId,
      documentName: name,
      mediaType: 'text/plain',
      language: 'en',
      createdAt: createdAt.toISOString(),
      tags: [],
      metadata: { part: topic % 100 },
    },
  };
}

async function insert(manager, { tenantId }, datasetId, space, documents) {
  const of = (pick) => documents.map(pick);
  await manager.query(
    `WITH s AS (UPDATE datasets SET content_seq = content_seq + 1 WHERE id = $2 RETURNING content_seq, owner_id)
     INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, progress, policy_version,
       revision_id, language, metadata, created_by, visible_generation, visible_chunk_set_id, visibility_seq, chunk_count, created_at)
     SELECT d.id, $1, $2, d.name, 'text/plain', 1, d.id::text, 'completed', 'completed', 1, 1, d.revision_id, 'en', d.metadata, s.owner_id,
       d.generation, d.set_id, s.content_seq, d.chunks, d.created_at
     FROM s, unnest($3::uuid[], $4::text[], $5::uuid[], $6::jsonb[], $7::bigint[], $8::uuid[], $9::timestamptz[], $10::int[])
       AS d(id, name, revision_id, metadata, generation, set_id, created_at, chunks)`,
    [
      tenantId,
      datasetId,
      of((d) => d.id),
      of((d) => d.name),
      of((d) => d.revisionId),
      of((d) => JSON.stringify({ part: d.topic % 100 })),
      of((d) => d.generation),
      of((d) => d.setId),
      of((d) => d.createdAt),
      of((d) => d.chunks.length),
    ],
  );
  await manager.query(
    `INSERT INTO document_revisions (id, tenant_id, document_id, revision, blob_key, size_bytes, sha256)
     SELECT r.id, $1, r.document_id, 1, concat_ws('/', $1::uuid, r.document_id, r.id), 1, r.id::text FROM unnest($2::uuid[], $3::uuid[]) AS r(id, document_id)`,
    [tenantId, of((d) => d.revisionId), of((d) => d.id)],
  );
  await manager.query(
    `INSERT INTO chunk_sets (id, tenant_id, document_id, revision_id, fingerprint, complete, chunk_count)
     SELECT c.id, $1, c.document_id, c.revision_id, 'seeded', true, c.chunks FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int[]) AS c(id, document_id, revision_id, chunks)`,
    [tenantId, of((d) => d.setId), of((d) => d.id), of((d) => d.revisionId), of((d) => d.chunks.length)],
  );
  await manager.query(
    `INSERT INTO chunk_set_terms (tenant_id, chunk_set_id, part, summary)
     SELECT $1, t.id, 0, t.summary FROM unnest($2::uuid[], $3::bytea[]) AS t(id, summary)`,
    [tenantId, of((d) => d.setId), of((d) => bytesOf(d.summary))],
  );
  await insertChunks(manager, tenantId, space, documents);
}

async function insertChunks(manager, tenantId, space, documents) {
  const all = documents.flatMap((document) => document.chunks.map((chunk) => ({ document, ...chunk })));
  const of = (pick) => all.map(pick);
  await manager.query(
    `INSERT INTO chunks (id, tenant_id, document_id, chunk_set_id, ordinal, text_start, text_end, body, token_count, terms)
     SELECT c.id, $1, c.document_id, c.set_id, c.ordinal, c.s, c.e, c.body, 200, c.terms
     FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::bigint[], $7::bigint[], $8::text[], $9::bytea[])
       AS c(id, document_id, set_id, ordinal, s, e, body, terms)`,
    [
      tenantId,
      of((c) => c.id),
      of((c) => c.document.id),
      of((c) => c.document.setId),
      of((c) => c.ordinal),
      of((c) => c.start),
      of((c) => c.end),
      of((c) => c.body),
      of((c) => bytesOf(c.bytes)),
    ],
  );
  await manager.query(
    `INSERT INTO chunk_vectors (tenant_id, chunk_id, space, vector)
     SELECT $1, v.id, $2, v.vector FROM unnest($3::uuid[], $4::bytea[]) AS v(id, vector)`,
    [tenantId, space, of((c) => c.id), of((c) => vectorBytes(c.vector))],
  );
}
