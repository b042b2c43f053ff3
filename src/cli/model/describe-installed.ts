import { assertNever } from '#libs/common';
import { resolveChunkingOptions } from '#libs/text';
import type { InstalledModel } from './install-model.js';
import type { ModelManifest } from './installed-models.js';
import { inUnits } from './progress.js';
import type { RecommendedModel } from './recommended-models.js';

/** What people read at the end: what was proved, and the settings to paste. */
export function describeInstalled({ path, manifest, proof }: InstalledModel): string {
  const { name, files } = manifest;
  const value = /^[\w./:\\-]+$/.test(path) ? path : JSON.stringify(path);
  const written = `Installed ${name} in ${path}: ${files.length} files, ${inUnits(sizeOf(manifest))}.`;
  const settings = 'Set in the environment or in .env, and start the service again:';
  switch (proof.use) {
    case 'embedding':
      return `${written}
It embeds: ${proof.dimensions} numbers a text, ${Math.round(proof.ms)} ms for a sentence. It reads the first ${proof.reads} tokens of a text.${describeReach(proof.reads)}

${settings}

EMBEDDING_PROVIDER=local
EMBEDDING_MODEL_PATH=${value}

Datasets that have documents keep the vectors of their former model and are searched by words only, until you run, beside the
running service: npm run reembed
`;
    case 'reranking':
      return `${written}
It reranks: ${proof.answering.toFixed(2)} for a sentence that answers a question, ${proof.other.toFixed(2)} for another one, ${Math.round(proof.ms)} ms each.

${settings}

RERANK_PROVIDER=local
RERANK_MODEL_PATH=${value}
`;
    case 'grounding':
      return `${written}
It judges: ${proof.saying.toFixed(2)} for a sentence that says the same, ${proof.other.toFixed(2)} for another one, ${Math.round(proof.ms)} ms each.

${settings}

GROUNDING_METHOD=nli
GROUNDING_MODEL_PATH=${value}
`;
    default:
      return assertNever(proof);
  }
}

/** What a model that reads less than a chunk usually has means for datasets; nothing for another one. */
function describeReach(reads: number): string {
  const { chunk_size: usual } = resolveChunkingOptions({});
  if (reads >= usual) return '';
  return `
A chunk may have ${usual}, unless the ingestion policy of its dataset says otherwise: what is behind the first ${reads} is found by its words only.
chunking.fit_model true in the policy cuts chunks that the model reads whole.`;
}

/** Models for languages, the best first, and how the first is installed. */
export function describeRecommended(languages: readonly string[], models: readonly RecommendedModel[]): string {
  const [first] = models;
  const what = languages.length === 0 ? 'any language' : languages.join(', ');
  if (first === undefined) return `There is no model for ${what} that can be named here.`;
  const lines = models.map(
    ({ source, megabytes, licence, tokens, note }) =>
      `  ${source}\n      some ${megabytes} MB, ${licence}, reads ${tokens} tokens; ${note}`,
  );
  return `Embedding models for ${what}, the best first:

${lines.join('\n')}

Install the first: npm run model -- install ${first.source} --quantized --as embedding
`;
}

/** A line of the list. */
export function describeModel(name: string, manifest: ModelManifest | null): string {
  if (manifest === null) return `${name}  (not installed by this command)`;
  const { use, dimensions, source, installed_at: at } = manifest;
  const what = dimensions === undefined ? use : `${use}, ${dimensions} numbers`;
  return `${name}  ${what}, ${inUnits(sizeOf(manifest))}, from ${source}, ${at.slice(0, 10)}`;
}

function sizeOf({ files }: ModelManifest): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
