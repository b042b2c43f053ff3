import { until } from '#testing/until';
import { freshDataset, type Recipes } from '../request-recipe.js';
import type { Target, World } from '../world.js';

const PATIENCE = { withinMs: 60_000, everyMs: 50 };

interface Started {
  readonly scan_run_id: string;
}

/** A dataset whose profile scan has come to its end. */
async function freshProfile(world: World): Promise<Partial<Target>> {
  const { dataset } = await freshDataset(world);
  const path = `/datasets/${dataset}/profile/scans`;
  const { client } = world.owner;
  const { scan_run_id: own } = await client.post<Started>(path, {});
  const isDone = async (): Promise<boolean> =>
    (await client.get<{ status: string }>(`${path}/${own}`)).status === 'completed';
  await until(isDone, { what: 'the profile scan of the matrix', ...PATIENCE });
  return { dataset: dataset!, own };
}

/** A dataset with a cancelled profile scan: cancelling it again changes nothing. One that was faster is started again. */
async function freshCancelledProfile(world: World): Promise<Partial<Target>> {
  const { dataset } = await freshDataset(world);
  const path = `/datasets/${dataset}/profile/scans`;
  const { client } = world.owner;
  let own = '';
  const isCancelled = async (): Promise<boolean> => {
    own = (await client.post<Started>(path, {})).scan_run_id;
    return (await client.send('POST', `${path}/${own}/cancel`)).status === 200;
  };
  await until(isCancelled, { what: 'a cancelled profile scan', ...PATIENCE });
  return { dataset: dataset!, own };
}

const OF_PROFILE = { subject: 'dataset', ownParameter: 'scan_run_id', fresh: freshProfile } as const;

/** A dataset whose precheck, of no file, has come to its end. */
async function freshPrecheck(world: World): Promise<Partial<Target>> {
  const { dataset } = await freshDataset(world);
  const path = `/datasets/${dataset}/precheck/scans`;
  const { client } = world.owner;
  const { scan_run_id: own } = await client.post<Started>(path, {});
  const isDone = async (): Promise<boolean> =>
    (await client.get<{ status: string }>(`${path}/${own}`)).status === 'completed';
  await until(isDone, { what: 'the precheck of the matrix', ...PATIENCE });
  return { dataset: dataset!, own };
}

async function freshCancelledPrecheck(world: World): Promise<Partial<Target>> {
  const { dataset } = await freshDataset(world);
  const path = `/datasets/${dataset}/precheck/scans`;
  const { client } = world.owner;
  let own = '';
  const isCancelled = async (): Promise<boolean> => {
    own = (await client.post<Started>(path, {})).scan_run_id;
    return (await client.send('POST', `${path}/${own}/cancel`)).status === 200;
  };
  await until(isCancelled, { what: 'a cancelled precheck', ...PATIENCE });
  return { dataset: dataset!, own };
}

const OF_PRECHECK = { subject: 'dataset', ownParameter: 'scan_run_id', fresh: freshPrecheck } as const;

/** What is in datasets. */
export const SCANS: Recipes = {
  'GET /datasets/{id}/profile': { subject: 'dataset' },
  'POST /datasets/{id}/profile/scans': { subject: 'dataset', fresh: freshDataset, parts: () => ({ body: {} }) },
  'GET /datasets/{id}/profile/scans': { subject: 'dataset' },
  'GET /datasets/{id}/profile/scans/{scan_run_id}': OF_PROFILE,
  'GET /datasets/{id}/profile/scans/{scan_run_id}/diff': {
    ...OF_PROFILE,
    parts: ({ own }) => ({ query: `?with=${own}` }),
  },
  'POST /datasets/{id}/profile/scans/{scan_run_id}/cancel': { ...OF_PROFILE, fresh: freshCancelledProfile },
  'GET /datasets/{id}/precheck': { subject: 'dataset' },
  'GET /datasets/{id}/precheck/suggested-policy': { subject: 'dataset', fresh: freshPrecheck },
  'POST /datasets/{id}/precheck/scans': { subject: 'dataset', fresh: freshDataset, parts: () => ({ body: {} }) },
  'GET /datasets/{id}/precheck/scans/{scan_run_id}': OF_PRECHECK,
  'GET /datasets/{id}/precheck/scans/{scan_run_id}/events': OF_PRECHECK,
  'POST /datasets/{id}/precheck/scans/{scan_run_id}/cancel': { ...OF_PRECHECK, fresh: freshCancelledPrecheck },
};
