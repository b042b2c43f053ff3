import { uploadForm } from '../support/api-client.js';
import type { Someone, Target, World } from './world.js';

/**
 * What a request is about. The expected answers follow from it:
 * - `dataset`: an object in the owner's `only_me` dataset, or the dataset itself
 * - `bulk`: the document among the ids of a body; the answer rejects what the caller does not see, and nothing else shows
 * - `list`: what of the tenant the caller sees
 * - `create`: makes something in the tenant that the caller acts in
 * - `tenant`: the tenant itself, its members, its categories
 * - `own`: an object of one account
 * - `self`: the caller's own account
 * - `service`: the service, whatever the tenant
 */
export type Subject = 'dataset' | 'bulk' | 'list' | 'create' | 'tenant' | 'own' | 'self' | 'service';

export interface RequestParts {
  readonly query?: string;
  /** JSON, or a form. */
  readonly body?: unknown;
}

/** How to make a valid request of the owner. */
export interface RequestRecipe {
  readonly subject: Subject;
  /** Makes what the request uses up: called for each request. */
  readonly fresh?: (world: World) => Promise<Partial<Target>>;
  /** Everything but the path, which is filled from the target. */
  readonly parts?: (target: Target, world: World) => RequestParts | Promise<RequestParts>;
}

const QUESTION = 'Which colour does the vault have?';

const freshDataset = async ({ owner, unique }: Bound): Promise<Partial<Target>> => ({
  dataset: await owner.client.createDataset(unique('short-lived')),
});

const freshDocument = async ({ owner, unique, target }: Bound): Promise<Partial<Target>> => {
  const file = { name: 'short-lived.txt', content: unique('Nothing of interest') };
  return { document: (await owner.client.upload(target.dataset, file)).id };
};

/** Long enough to be still in work when the next request comes. */
const freshLongDocument = async ({ owner, unique, target }: Bound): Promise<Partial<Target>> => {
  const lines = Array.from({ length: 5_000 }, (_, n) => `Line ${n} of a long report about ${unique('nothing')}.`);
  const file = { name: 'long.txt', content: lines.join('\n\n') };
  return { document: (await owner.client.upload(target.dataset, file)).id };
};

const freshFailedDocument = async ({ owner, unique, target }: Bound): Promise<Partial<Target>> => {
  const file = { name: `${unique('empty')}.txt`, content: '' };
  const { id: document } = await owner.client.upload(target.dataset, file, { on_duplicate: 'keep_both' });
  await owner.client.pollUntilTerminal(document);
  return { document };
};

const freshQuarantinedDocument = async (bound: Bound): Promise<Partial<Target>> => {
  const made = await freshDocument(bound);
  await bound.owner.client.post('/governance/quarantine', {
    document_ids: [made.document],
    reason: 'Made by the matrix',
  });
  return made;
};

const freshCategory = async ({ owner, unique }: Bound): Promise<Partial<Target>> => ({
  category: (await owner.client.post<{ id: string }>('/datasets/categories', { name: unique('Short-lived') })).id,
});

const freshKey = async ({ owner }: Bound): Promise<Partial<Target>> => ({
  apiKey: (await owner.client.post<{ id: string }>('/auth/api-keys', { name: 'Short-lived', scopes: [] })).id,
});

/** A world whose `unique` can be taken out. */
type Bound = Pick<World, 'owner' | 'target' | 'unique'>;
const bind =
  (make: (world: Bound) => Promise<Partial<Target>>) =>
  (world: World): Promise<Partial<Target>> =>
    make({ owner: world.owner, target: world.target, unique: (word) => world.unique(word) });

const newPerson = (world: World): Record<string, unknown> => ({
  email: `${world.unique('person')}@example.com`,
  password: world.password,
});

interface Invitation {
  readonly invitation_id: string;
  readonly secret: string;
}

async function addMember(world: World): Promise<string> {
  const { email, password } = newPerson(world);
  const { secret } = await invite(world.owner, String(email));
  return (await world.anonymous.post<{ account_id: string }>('/auth/invitations/accept', { secret, password }))
    .account_id;
}

const invite = ({ client, tenantId }: Someone, email: string): Promise<Invitation> =>
  client.post<Invitation>(`/tenants/${tenantId}/members`, { email, role: 'viewer' });

/** An invitation of the owner into a tenant that it does not belong to. */
async function inviteOwner({ inviter, owner }: World): Promise<Invitation> {
  await inviter.client.send('DELETE', `/tenants/${inviter.tenantId}/members/${owner.accountId}`);
  return invite(inviter, owner.email);
}

/** One entry for each operation of the description, `METHOD path`. A route without an entry fails the matrix. */
export const REQUESTS: Readonly<Record<string, RequestRecipe>> = {
  'POST /auth/login': {
    subject: 'service',
    parts: (_target, world) => ({ body: { email: world.owner.email, password: world.password } }),
  },
  'POST /auth/refresh': {
    subject: 'service',
    parts: async (_target, world) => ({ body: { refresh_token: (await world.login()).refresh_token } }),
  },
  'POST /auth/logout': {
    subject: 'service',
    parts: async (_target, world) => ({ body: { refresh_token: (await world.login()).refresh_token } }),
  },
  'GET /auth/me': { subject: 'self' },
  'POST /auth/password': {
    subject: 'self',
    parts: (_target, { password }) => ({ body: { current_password: password, new_password: password } }),
  },
  'POST /auth/api-keys': { subject: 'create', parts: () => ({ body: { name: 'Made by the matrix', scopes: [] } }) },
  'GET /auth/api-keys': { subject: 'self' },
  'DELETE /auth/api-keys/{id}': { subject: 'own', fresh: bind(freshKey) },

  'GET /auth/invitations': { subject: 'self' },
  'POST /auth/invitations/accept': {
    subject: 'own',
    fresh: async (world) => ({ invitationSecret: (await inviteOwner(world)).secret }),
    parts: ({ invitationSecret: secret }) => ({ body: { secret } }),
  },
  'POST /auth/invitations/{id}/decline': {
    subject: 'own',
    fresh: async (world) => ({ invitation: (await inviteOwner(world)).invitation_id }),
  },

  'GET /tenants': { subject: 'self' },
  'POST /tenants': {
    subject: 'service',
    parts: (_target, world) => {
      const { email, password } = newPerson(world);
      return { body: { name: world.unique('Tenant'), admin_email: email, admin_password: password } };
    },
  },
  'PATCH /tenants/{id}': { subject: 'tenant', parts: () => ({ body: { name: 'Home' } }) },
  'GET /tenants/{id}/datasets': { subject: 'tenant' },
  'GET /tenants/{id}/members': { subject: 'tenant' },
  'POST /tenants/{id}/members': {
    subject: 'tenant',
    parts: (_target, world) => ({ body: { ...newPerson(world), role: 'viewer' } }),
  },
  'PATCH /tenants/{id}/members/{account_id}': { subject: 'tenant', parts: () => ({ body: { role: 'viewer' } }) },
  'DELETE /tenants/{id}/members/{account_id}': {
    subject: 'tenant',
    fresh: async (world) => ({ account: await addMember(world) }),
  },

  'GET /tenants/{id}/invitations': { subject: 'tenant' },
  'DELETE /tenants/{id}/invitations/{invitation_id}': {
    subject: 'tenant',
    fresh: async (world) => {
      const { email } = newPerson(world);
      return { invitation: (await invite(world.owner, String(email))).invitation_id };
    },
  },

  'GET /datasets/categories/tree': { subject: 'list' },
  'POST /datasets/categories': {
    subject: 'create',
    parts: (_target, world) => ({ body: { name: world.unique('Category') } }),
  },
  'PATCH /datasets/categories/{category_id}': { subject: 'tenant', parts: () => ({ body: { name: 'Shelf' } }) },
  'DELETE /datasets/categories/{category_id}': { subject: 'tenant', fresh: bind(freshCategory) },

  'POST /datasets/': { subject: 'create', parts: (_target, world) => ({ body: { name: world.unique('Dataset') } }) },
  'GET /datasets/': { subject: 'list' },
  'GET /datasets/{id}': { subject: 'dataset' },
  'PATCH /datasets/{id}': { subject: 'dataset', parts: () => ({ body: { description: 'Changed by the matrix' } }) },
  'DELETE /datasets/{id}': { subject: 'dataset', fresh: bind(freshDataset) },
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
    fresh: bind(freshDataset),
    parts: () => ({ body: { chunking: { chunk_size: 256 } } }),
  },
  'GET /datasets/{id}/ingestion-policy/versions': { subject: 'dataset' },
  'GET /datasets/{id}/ingestion-policy/versions/{version}': { subject: 'dataset' },
  'GET /datasets/{id}/ingestion-policy/diff': { subject: 'dataset' },
  'POST /datasets/{id}/ingestion-policy/rollback': {
    subject: 'dataset',
    fresh: bind(freshDataset),
    parts: () => ({ body: { version: 1 } }),
  },
  'POST /datasets/{id}/ingestion-policy/import': {
    subject: 'dataset',
    fresh: bind(freshDataset),
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

  'POST /documents/upload': {
    subject: 'dataset',
    parts: ({ dataset }, world) => ({
      body: uploadForm({ name: 'upload.txt', content: world.unique('An upload') }, { dataset_id: dataset }),
    }),
  },
  'GET /documents/': { subject: 'list', parts: ({ dataset }) => ({ query: `?dataset_id=${dataset}` }) },
  'GET /documents/{document_id}': { subject: 'dataset' },
  'DELETE /documents/{document_id}': { subject: 'dataset', fresh: bind(freshDocument) },
  'POST /documents/{document_id}/cancel': { subject: 'dataset', fresh: bind(freshLongDocument) },
  'POST /documents/{document_id}/retry': { subject: 'dataset', fresh: bind(freshFailedDocument) },
  'POST /documents/batch/reingest': {
    subject: 'dataset',
    fresh: bind(freshDataset),
    parts: ({ dataset }) => ({ body: { dataset_id: dataset, where: { policy_version_lt: 2 } } }),
  },
  'POST /documents/batch/retry': {
    subject: 'dataset',
    fresh: bind(freshDataset),
    parts: ({ dataset }) => ({ body: { dataset_id: dataset } }),
  },
  'PATCH /documents/{document_id}': {
    subject: 'dataset',
    fresh: bind(freshDocument),
    parts: (_target, world) => ({ body: { name: world.unique('renamed'), metadata: { seen: true }, tags: ['seen'] } }),
  },
  'POST /documents/batch/update': {
    subject: 'bulk',
    fresh: bind(freshDocument),
    parts: ({ document }) => ({ body: { document_ids: [document], patch: { add_tags: ['seen by the matrix'] } } }),
  },
  'POST /documents/batch/upload': {
    subject: 'dataset',
    parts: ({ dataset }, world) => {
      const form = new FormData();
      form.append('dataset_id', dataset);
      for (const name of ['one.txt', 'two.txt']) form.append('files', new Blob([world.unique(name)]), name);
      return { body: form };
    },
  },
  'POST /documents/batch/delete': {
    subject: 'bulk',
    fresh: bind(freshDocument),
    parts: ({ document }) => ({ body: { document_ids: [document] } }),
  },
  'GET /documents/{document_id}/status': { subject: 'dataset' },
  'GET /documents/{document_id}/timeline': { subject: 'dataset' },
  'GET /documents/{document_id}/chunks': { subject: 'dataset' },
  'GET /documents/{document_id}/text': { subject: 'dataset' },
  'GET /documents/{document_id}/content': { subject: 'dataset' },

  'POST /governance/quarantine': {
    subject: 'bulk',
    fresh: bind(freshDocument),
    parts: ({ document }) => ({ body: { document_ids: [document], reason: 'Made by the matrix' } }),
  },
  'GET /governance/quarantine': { subject: 'list', parts: ({ dataset }) => ({ query: `?dataset_id=${dataset}` }) },
  'POST /governance/quarantine/release': {
    subject: 'bulk',
    fresh: bind(freshQuarantinedDocument),
    parts: ({ document }) => ({ body: { document_ids: [document] } }),
  },

  'POST /retrieval/search': {
    subject: 'dataset',
    parts: ({ dataset }) => ({ body: { query: QUESTION, dataset_ids: [dataset] } }),
  },
  'POST /retrieval/explain': {
    subject: 'dataset',
    parts: ({ dataset, document }) => ({
      body: { query: QUESTION, dataset_ids: [dataset], expected: { document_id: document } },
    }),
  },
  'GET /requests/{request_id}': { subject: 'own' },
  'POST /requests/{request_id}/replay': { subject: 'own' },
  'POST /chat/completions': {
    subject: 'dataset',
    parts: ({ dataset }) => ({ body: { messages: [{ role: 'user', content: QUESTION }], dataset_ids: [dataset] } }),
  },
  'GET /models': { subject: 'service' },
  'GET /models/{id}': { subject: 'dataset' },

  'GET /health': { subject: 'service' },
  'GET /health/ready': { subject: 'service' },
  'GET /health/details': { subject: 'service' },
  'GET /errors': { subject: 'service' },
  'GET /limits': { subject: 'service' },
  'GET /metrics': { subject: 'service' },
};
