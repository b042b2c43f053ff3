/** Uploads through HTTP, and the wait until a dataset has no work left. */
import { setTimeout as wait } from 'node:timers/promises';
import { inParallel } from './in-parallel.mjs';

const INGESTION_MS = 30 * 60_000;

/** Uploads `files` (`{name, content, mediaType}`) to a dataset, `perRequest` in a request and `concurrency` requests at once. */
export async function uploadFiles(client, datasetId, files, { perRequest = 1, concurrency }) {
  const groups = Array.from({ length: Math.ceil(files.length / perRequest) }, (_, n) =>
    files.slice(n * perRequest, (n + 1) * perRequest),
  );
  await inParallel(groups, concurrency, (group) => uploadGroup(client, datasetId, group));
}

async function uploadGroup(client, datasetId, group) {
  if (group.length === 1) return client.upload(datasetId, group[0], { on_duplicate: 'keep_both' });
  const form = new FormData();
  form.set('dataset_id', datasetId);
  form.set('on_duplicate', 'keep_both');
  for (const { name, content, mediaType } of group)
    form.append('files', new Blob([content], { type: mediaType }), name);
  const answer = await client.send('POST', '/documents/batch/upload', form);
  if (answer.status !== 201 || answer.body.rejected > 0) {
    throw new Error(`The upload answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 500)}`);
  }
  return answer.body;
}

/** Resolves to the dataset when none of its documents waits or is in work. */
export async function untilIngested(client, datasetId, pollMs) {
  for (const end = Date.now() + INGESTION_MS; ; await wait(pollMs)) {
    const dataset = await client.get(`/datasets/${datasetId}`);
    const { pending, processing } = dataset.document_counts;
    if (pending + processing === 0) return dataset;
    if (Date.now() > end) {
      throw new Error(`Documents were not ingested in time: ${JSON.stringify(dataset.document_counts)}`);
    }
  }
}
