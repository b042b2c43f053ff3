import type { Target, World } from './world.js';

/**
 * What a request is about. The expected answers follow from it:
 * - `dataset`: an object in the owner's `only_me` dataset, or the dataset itself
 * - `bulk`: the document among the ids of a body; the answer rejects what the caller does not see, and nothing else shows
 * - `list`: what of the tenant the caller sees
 * - `count`: counts of what of the tenant the caller sees
 * - `create`: makes something in the tenant that the caller acts in
 * - `tenant`: the tenant itself, its members, its categories
 * - `own`: an object of one account
 * - `self`: the caller's own account
 * - `service`: the service, whatever the tenant
 */
export type Subject = 'dataset' | 'bulk' | 'list' | 'count' | 'create' | 'tenant' | 'own' | 'self' | 'service';

export interface RequestParts {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a form. */
  readonly body?: unknown;
}

/** How to make a valid request of the owner. */
export interface RequestRecipe {
  readonly subject: Subject;
  /** Parameter of the path that is filled with the target's `own`. */
  readonly ownParameter?: string;
  /** Makes what the request uses up. */
  readonly fresh?: (world: World) => Promise<Partial<Target>>;
  /** Everything but the path, which is filled from the target. */
  readonly parts?: (target: Target, world: World) => RequestParts | Promise<RequestParts>;
}

/** By the name of the operation, `METHOD path`. */
export type Recipes = Readonly<Record<string, RequestRecipe>>;

export const QUESTION = 'Which colour does the vault have?';

export async function freshDataset(world: World): Promise<Partial<Target>> {
  return { dataset: await world.owner.client.createDataset(world.unique('short-lived')) };
}

export async function freshDocument(world: World): Promise<Partial<Target>> {
  const file = { name: 'short-lived.txt', content: world.unique('Nothing of interest') };
  return { document: (await world.owner.client.upload(world.target.dataset, file)).id };
}
