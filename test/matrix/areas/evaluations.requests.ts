import { QUESTION, type Recipes } from '../request-recipe.js';
import type { Target, World } from '../world.js';

function newCaseSet({ dataset, document }: Target, world: World): object {
  const cases = [{ query: QUESTION, relevant: [{ document_id: document }] }];
  return { name: world.unique('cases'), dataset_ids: [dataset], cases };
}

async function freshCaseSet(world: World): Promise<Partial<Target>> {
  const body = newCaseSet(world.target, world);
  return { caseSet: (await world.owner.client.post<{ id: string }>('/evaluations/case-sets', body)).id };
}

/** Cancelled already, so that it does not end by itself meanwhile: cancelling again is a success. */
async function freshCancelledEvaluation(world: World): Promise<Partial<Target>> {
  const { client } = world.owner;
  const { id: evaluation } = await client.post<{ id: string }>('/evaluations/jobs', {
    ...newCaseSet(world.target, world),
    cases: Array.from({ length: 50 }, (_, n) => ({ query: `${QUESTION} ${n}`, relevant: [{ text: 'magenta' }] })),
  });
  await client.post(`/evaluations/jobs/${evaluation}/cancel`, {});
  return { evaluation };
}

/** Case sets and evaluations. */
export const EVALUATIONS: Recipes = {
  'POST /evaluations/case-sets': {
    subject: 'dataset',
    parts: (target, world) => ({ body: newCaseSet(target, world) }),
  },
  'POST /evaluations/case-sets/generate': {
    subject: 'dataset',
    parts: ({ dataset }) => ({ body: { dataset_id: dataset, count: 2, method: 'rules' } }),
  },
  'GET /evaluations/case-sets': { subject: 'list', parts: ({ dataset }) => ({ query: `?dataset_id=${dataset}` }) },
  'GET /evaluations/case-sets/{case_set_id}': { subject: 'dataset' },
  'PATCH /evaluations/case-sets/{case_set_id}': {
    subject: 'dataset',
    fresh: freshCaseSet,
    parts: (_target, world) => ({ body: { name: world.unique('renamed'), approve_all: true } }),
  },
  'DELETE /evaluations/case-sets/{case_set_id}': { subject: 'dataset', fresh: freshCaseSet },
  'POST /evaluations/jobs': {
    subject: 'dataset',
    parts: (target, world) => ({ body: newCaseSet(target, world) }),
  },
  'GET /evaluations/jobs': { subject: 'list', parts: ({ dataset }) => ({ query: `?dataset_id=${dataset}` }) },
  'GET /evaluations/jobs/{job_id}': { subject: 'dataset' },
  'GET /evaluations/jobs/{job_id}/results': { subject: 'dataset' },
  'GET /evaluations/jobs/{job_id}/report': { subject: 'dataset', parts: () => ({ query: '?format=json' }) },
  'GET /evaluations/jobs/{job_id}/events': { subject: 'dataset' },
  'POST /evaluations/jobs/{job_id}/cancel': { subject: 'dataset', fresh: freshCancelledEvaluation },
  'GET /evaluations/metrics': { subject: 'service' },
};
