import { until } from '#testing/until';
import { freshDataset, type Recipes } from '../request-recipe.js';
import type { Target, World } from '../world.js';

const PATIENCE = { withinMs: 60_000, everyMs: 50 };
const TEXT = 'Harbour Works Ltd was founded by Maren Oxley. Maren Oxley lives in Leeds.';

/** A dataset with a graph, and one of its entities as `own`. */
async function freshGraph(world: World): Promise<Partial<Target>> {
  const { client } = world.owner;
  const { dataset } = await freshDataset(world);
  const { id: document } = await client.upload(dataset!, { name: 'harbour.txt', content: TEXT });
  await client.pollUntilTerminal(document);
  const path = `/kg/${dataset}`;
  await client.post('/kg/trigger', { dataset_id: dataset });
  const isDone = async (): Promise<boolean> => (await client.get<{ status: string }>(path)).status === 'completed';
  await until(isDone, { what: 'the graph of the matrix', ...PATIENCE });
  const { items } = await client.get<{ items: { id: string }[] }>(`${path}/entities`);
  return { dataset: dataset!, own: items[0]!.id };
}

/** Graphs of datasets; a graph is named by its dataset as well. */
export const KNOWLEDGE_GRAPHS: Recipes = {
  'POST /kg/trigger': {
    subject: 'dataset',
    fresh: freshDataset,
    parts: ({ dataset }) => ({ body: { dataset_id: dataset } }),
  },
  'GET /kg/{id}': { subject: 'dataset' },
  'GET /kg/{id}/graph': { subject: 'dataset' },
  'GET /kg/{id}/view': { subject: 'dataset' },
  'GET /kg/{id}/entities': { subject: 'dataset' },
  'GET /kg/{id}/entities/{entity_id}': { subject: 'dataset', ownParameter: 'entity_id', fresh: freshGraph },
  'GET /kg/{id}/paths': {
    subject: 'dataset',
    fresh: freshGraph,
    parts: ({ own }) => ({ query: `?from=${own}&to=${own}` }),
  },
};
