import { ACCOUNTS } from './areas/accounts.requests.js';
import { CONVERSATIONS } from './areas/conversations.requests.js';
import { DATASETS } from './areas/datasets.requests.js';
import { DOCUMENTS } from './areas/documents.requests.js';
import { KNOWLEDGE_GRAPHS } from './areas/knowledge-graphs.requests.js';
import { SCANS } from './areas/scans.requests.js';
import { TABLES } from './areas/tables.requests.js';
import { WEBHOOKS } from './areas/webhooks.requests.js';
import { EVALUATIONS } from './areas/evaluations.requests.js';
import type { Recipes } from './request-recipe.js';

/** The parts of the matrix. Each is a spec of its own, with a service of its own. */
export const AREAS = {
  accounts: { ...ACCOUNTS, ...WEBHOOKS },
  datasets: { ...DATASETS, ...TABLES },
  documents: DOCUMENTS,
  analyses: { ...KNOWLEDGE_GRAPHS, ...SCANS, ...EVALUATIONS, ...CONVERSATIONS },
} as const satisfies Record<string, Recipes>;

export type Area = keyof typeof AREAS;

/** One entry for each operation of the description. A route without an entry fails the matrix. */
export const REQUESTS: Recipes = Object.assign({}, ...Object.values(AREAS)) as Recipes;
