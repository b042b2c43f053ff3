import { uploadForm } from '../../support/api-client.js';
import { freshDataset, type Recipes } from '../request-recipe.js';
import type { Target, World } from '../world.js';

async function freshCategory(world: World): Promise<Partial<Target>> {
  return {
    category: (
      await world.owner.client.post<{ id: string }>('/datasets/categories', { name: world.unique('Short-lived') })
    ).id,
  };
}

/** Datasets, their categories, policies and work. */
export const DATASETS: Recipes = {
  'GET /datasets/categories/tree': { subject: 'list' },
  'POST /datasets/categories': {
    subject: 'create',
    parts: (_target, world) => ({ body: { name: world.unique('Category') } }),
  },
  'PATCH /datasets/categories/{category_id}': { subject: 'tenant', parts: () => ({ body: { name: 'Shelf' } }) },
  'DELETE /datasets/categories/{category_id}': { subject: 'tenant', fresh: freshCategory },
  'POST /datasets/': { subject: 'create', parts: (_target, world) => ({ body: { name: world.unique('Dataset') } }) },
  'GET /datasets/': { subject: 'list' },
  'GET /datasets/{id}': { subject: 'dataset' },
  'PATCH /datasets/{id}': { subject: 'dataset', parts: () => ({ body: { description: 'Changed by the matrix' } }) },
  'DELETE /datasets/{id}': { subject: 'dataset', fresh: freshDataset },
  'GET /datasets/{id}/categories': { subject: 'dataset' },
  'PUT /datasets/{id}/categories': {
    subject: 'dataset',
    parts: ({ category }) => ({ body: { category_ids: [category] } }),
  },
  'POST /datasets/{id}/purge': { subject: 'dataset' },
  'GET /datasets/{id}/purges/{purge_id}': { subject: 'dataset' },
  'POST /datasets/{id}/reembeddings': { subject: 'dataset' },
  'GET /datasets/{id}/reembeddings': { subject: 'dataset' },
  'GET /datasets/{id}/reembeddings/{reembedding_id}': { subject: 'dataset' },
  'POST /datasets/{id}/reembeddings/{reembedding_id}/rollback': { subject: 'dataset' },
  'GET /datasets/{id}/ingestion-policy': { subject: 'dataset' },
  'PUT /datasets/{id}/ingestion-policy': {
    subject: 'dataset',
    fresh: freshDataset,
    parts: () => ({ body: { chunking: { chunk_size: 256 } } }),
  },
  'GET /datasets/{id}/ingestion-policy/versions': { subject: 'dataset' },
  'GET /datasets/{id}/ingestion-policy/versions/{version}': { subject: 'dataset' },
  'GET /datasets/{id}/ingestion-policy/diff': { subject: 'dataset' },
  'POST /datasets/{id}/ingestion-policy/rollback': {
    subject: 'dataset',
    fresh: freshDataset,
    parts: () => ({ body: { version: 1 } }),
  },
  'POST /datasets/{id}/ingestion-policy/import': {
    subject: 'dataset',
    fresh: freshDataset,
    parts: () => ({ body: uploadForm({ name: 'policy.yaml', content: 'chunking:\n  chunk_size: 128\n' }, {}) }),
  },
  'GET /datasets/{id}/ingestion-policy/export': { subject: 'dataset' },
  'POST /datasets/{id}/ingestion-policy/dry-run': {
    subject: 'dataset',
    parts: ({ document }) => ({ body: { policy: {}, document_ids: [document] } }),
  },
  'GET /schemas/ingestion-policy': { subject: 'service' },
  'POST /datasets/{id}/clone': {
    subject: 'dataset',
    parts: (_target, world) => ({ body: { name: world.unique('Clone') } }),
  },
  'GET /datasets/{id}/config/export': { subject: 'dataset' },
  'POST /datasets/{id}/config/import': {
    subject: 'dataset',
    parts: () => ({ body: { format: 'knowledge-base-dataset-config', version: 1, dataset: { metadata: {} } } }),
  },
  'GET /datasets/{id}/health': { subject: 'dataset' },
  'GET /datasets/{id}/ingestion-statistics': { subject: 'dataset' },
  'GET /datasets/{id}/tags': { subject: 'dataset' },
};
