import type { Answer, ApiClient } from '../support/api-client.js';
import type { Operation } from './operations.js';
import type { RequestRecipe } from './request-recipe.js';
import { REQUESTS } from './requests.js';
import type { Target, World } from './world.js';

/** A request that is ready to be sent, by whomever. */
export interface PreparedRequest {
  readonly target: Target;
  /** With its query. */
  readonly path: string;
  /** To `path`, or to another one with the same body and headers. */
  send(client: ApiClient, path?: string): Promise<Answer<unknown>>;
}

/** `{id}` means what is before it. */
const OF_SEGMENT: Readonly<Record<string, keyof Target>> = {
  tenants: 'tenant',
  datasets: 'dataset',
  documents: 'document',
  'api-keys': 'apiKey',
  sessions: 'session',
  invitations: 'invitation',
  webhooks: 'webhook',
  'shared-answers': 'sharedAnswer',
  // A graph is known by its dataset as well.
  kg: 'dataset',
};
const OF_NAME: Readonly<Record<string, keyof Target>> = {
  document_id: 'document',
  category_id: 'category',
  account_id: 'account',
  invitation_id: 'invitation',
  purge_id: 'purge',
  request_id: 'request',
  reembedding_id: 'reembedding',
  delivery_id: 'delivery',
  conversation_id: 'conversation',
  turn_id: 'turn',
  case_set_id: 'caseSet',
  job_id: 'evaluation',
};

export function recipeOf(operation: Operation): RequestRecipe {
  const recipe = REQUESTS[operation.name];
  if (recipe === undefined) throw new Error(`requests.ts has no entry for ${operation.name}.`);
  return recipe;
}

/** A valid request of the owner. What it uses up is made again. */
export async function prepare(
  operation: Operation,
  world: World,
  recipe = recipeOf(operation),
): Promise<PreparedRequest> {
  const target = { ...world.target, ...(await recipe.fresh?.(world)) };
  return prepareFor(operation, world, target, recipe);
}

/** The same request about something else. */
export async function prepareFor(
  operation: Operation,
  world: World,
  target: Target,
  recipe = recipeOf(operation),
): Promise<PreparedRequest> {
  const { query = '', body, headers } = (await recipe.parts?.(target, world)) ?? {};
  const path = fillPath(operation.path, target, recipe.ownParameter) + query;
  return { target, path, send: (client, to = path) => client.send(operation.method, to, body, headers) };
}

/** A version that every policy has had, a page that every PDF has. */
const FIRST = '1';

/** @throws for a parameter that no rule knows: a new kind of id must be added here. */
function fillPath(template: string, target: Target, ownParameter: string | undefined): string {
  return template.replaceAll(
    /([^/]+)\/\{([^}]+)\}|\{([^}]+)\}/g,
    (_match, segment?: string, name?: string, alone?: string) => {
      const parameter = name ?? alone ?? '';
      const own = parameter === ownParameter ? target.own : undefined;
      if (own !== undefined) return `${segment}/${own}`;
      if (parameter === 'version' || parameter === 'page') return `${segment}/${FIRST}`;
      if (segment === 'models') return `${segment}/dataset:${target.dataset}`;
      const kind = OF_NAME[parameter] ?? (parameter === 'id' ? OF_SEGMENT[segment ?? ''] : undefined);
      if (kind === undefined) throw new Error(`No rule fills {${parameter}} of ${template}.`);
      return `${segment === undefined ? '' : `${segment}/`}${target[kind]}`;
    },
  );
}
