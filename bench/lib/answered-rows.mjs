/**
 * Questions put to the service in this process, with what its chat found for each: the measure of `answered` is looked at from
 * inside, by the product's own functions. The settings are those of the environment.
 */
import { ApiClient } from '../../scripts/lib/api-client.ts';
import { judgedSourcesOf } from '../../dist/src/modules/chat/turn/answer-decision.js';
import { RetrievalService } from '../../dist/src/modules/retrieval/index.js';
import { uploadFiles, untilIngested } from './ingest-files.mjs';
import { openService } from './service-in-process.mjs';

/** @param {{ name: string, files: { name: string, content: Buffer }[], questions: { q: string }[] }[]} sets */
export async function collectRows(sets, { email, password }) {
  const { app, stores } = await openService();
  await app.listen(0, '127.0.0.1');
  const retrieval = app.get(RetrievalService);
  const trace = retrieval.trace.bind(retrieval);
  let last;
  retrieval.trace = async (...given) => {
    const made = await trace(...given);
    // What a refusal tries for a next step is no search of the question.
    last ??= made.outcome;
    return made;
  };
  try {
    const client = await new ApiClient(`${await app.getUrl()}/api/v1`).login(email, password);
    const rows = [];
    for (const { name, files, questions } of sets) {
      const dataset = await client.createDataset(name);
      const uploads = files.map((file) => ({ ...file, mediaType: 'application/octet-stream' }));
      await uploadFiles(client, dataset, uploads, { concurrency: 2 });
      await untilIngested(client, dataset, 200);
      for (const question of questions) {
        last = undefined;
        const messages = [{ role: 'user', content: question.q }];
        const reply = await client.post('/chat/completions', { messages, dataset_ids: [dataset], stream: false });
        if (last !== undefined) rows.push({ set: name, ...question, ...rowOf(last, reply) });
      }
    }
    return rows;
  } finally {
    await app.close();
    await stores.close();
  }
}

function rowOf(outcome, reply) {
  const [first] = outcome.likeness?.values() ?? [];
  const sources = judgedSourcesOf(outcome).map((source, at) => {
    const { documentName, score, scores } = outcome.results[at];
    return { ...source, document: documentName, score, scores };
  });
  const { grounding, refusal, choices, answer } = reply;
  const text = answer ?? choices?.[0]?.message?.content ?? '';
  return {
    profile: outcome.question,
    bar: first?.answersFrom ?? null,
    sources,
    text,
    refused: (refusal ?? null) !== null,
    answered: grounding?.answered ?? 0,
  };
}
