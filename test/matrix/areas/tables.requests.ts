import type { Recipes } from '../request-recipe.js';
import type { Target, World } from '../world.js';

/** A dataset with a table of the owner's. */
async function freshTable(world: World): Promise<Partial<Target>> {
  const { client } = world.owner;
  const dataset = await client.createDataset(world.unique('tables'));
  const { id } = await client.upload(dataset, { name: 'prices.csv', content: 'item,price\nlamp,12\nchair,40\n' });
  await client.pollUntilTerminal(id);
  return { dataset, own: 'prices' };
}

/** Tables of documents, and questions over them. */
export const TABLES: Recipes = {
  'GET /datasets/{id}/tables': { subject: 'dataset' },
  'GET /datasets/{id}/tables/{table}': { subject: 'dataset', ownParameter: 'table', fresh: freshTable },
  'POST /datasets/{id}/tables/query/natural-language': {
    subject: 'dataset',
    parts: () => ({ body: { question: 'How many rows are there?' } }),
  },
  'POST /datasets/{id}/tables/query/sql': { subject: 'dataset', parts: () => ({ body: { sql: 'SELECT 1 AS one' } }) },
  'POST /datasets/{id}/semantic-filter': {
    subject: 'dataset',
    parts: () => ({ body: { predicate: 'mentions a lamp', target: 'documents' } }),
  },
};
