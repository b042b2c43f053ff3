import { randomBytes } from 'node:crypto';
import { ApiClient } from '../support/api-client.js';
import { makeKey, signToken, unsignedToken, type World } from './world.js';

const VIEWER = ['datasets:read', 'documents:read', 'retrieval:search', 'chat:complete', 'tables:query'];
const EDITOR = [
  ...VIEWER,
  'datasets:write',
  'documents:write',
  'policies:write',
  'scans:run',
  'kg:run',
  'evaluations:run',
];
const OWNER = [
  ...EDITOR,
  'governance:read',
  'governance:write',
  'audit:read',
  'conversations:review',
  'webhooks:manage',
  'members:manage',
  'tenant:observability',
  'tenant:manage',
];
const FIRST_ADMINISTRATOR = [...OWNER, 'platform:tenants'];

/** Someone who is not to do what the owner does. None of them may see the owner's dataset. */
export interface Caller {
  readonly name: string;
  /** Whether the service should know who it is. */
  readonly isKnown: boolean;
  readonly kind: 'account' | 'api_key';
  /** What it holds in the tenant that it acts in, by the table of roles of the contract. */
  readonly permissions: readonly string[];
  /** The tenant that it acts in: the owner's, its own, or one that it does not belong to. */
  readonly place: 'home' | 'elsewhere' | 'nowhere';
  /** Acts for the owner's account. */
  readonly isOwner: boolean;
  readonly client: ApiClient;
}

type Traits = Partial<Omit<Caller, 'name' | 'client'>>;

/** The names of all callers: tests are made of them before a service runs. */
export const CALLERS = [
  'nobody',
  'a tenant header alone',
  'a forged token',
  'an unsigned token',
  'an expired token',
  'a forged token beside a good API key',
  'an unknown API key',
  'the API key of a removed account',
  'a removed account',
  'the owner of another tenant',
  'an API key of another tenant',
  'an editor of the tenant',
  'a viewer of the tenant',
  'an API key without scopes',
  'an API key for another dataset',
  'the owner in another tenant',
  "the owner's API key in another tenant",
] as const;

/** Everyone of `CALLERS` with a credential. */
export async function makeCallers(world: World): Promise<readonly Caller[]> {
  const list = [...(await makeUnknown(world)), ...(await makeKnown(world))];
  return CALLERS.map((name) => {
    const caller = list.find((candidate) => candidate.name === name);
    if (caller === undefined) throw new Error(`Nobody is "${name}".`);
    return caller;
  });
}

async function makeUnknown(world: World): Promise<Caller[]> {
  const { owner, leaverKey } = world;
  const unknown = (name: (typeof CALLERS)[number], headers: Record<string, string>): Caller =>
    make(world, name, headers, { isKnown: false });
  const forged = await signToken(owner.accountId, 3600, randomBytes(32).toString('hex'));
  const good = (await makeKey(owner, EDITOR)).secret;
  const garbage = `kb_${randomBytes(16).toString('hex')}_${randomBytes(32).toString('base64url')}`;
  return [
    unknown('nobody', {}),
    unknown('a tenant header alone', { 'X-Tenant-ID': owner.tenantId }),
    unknown('a forged token', { Authorization: `Bearer ${forged}` }),
    unknown('an unsigned token', { Authorization: `Bearer ${await unsignedToken(owner.accountId)}` }),
    unknown('an expired token', { Authorization: `Bearer ${await signToken(owner.accountId, -600)}` }),
    unknown('a forged token beside a good API key', { Authorization: `Bearer ${forged}`, 'X-API-Key': good }),
    unknown('an unknown API key', { 'X-API-Key': garbage }),
    unknown('the API key of a removed account', { 'X-API-Key': leaverKey }),
  ];
}

async function makeKnown(world: World): Promise<Caller[]> {
  const { owner, foreigner, colleague, viewer, leaver } = world;
  const key = async (of: typeof owner, scopes: readonly string[], more = {}): Promise<Record<string, string>> => ({
    'X-API-Key': (await makeKey(of, scopes, more)).secret,
  });
  const away = { 'X-Tenant-ID': foreigner.tenantId };
  const account = { kind: 'account' } as const;
  const apiKey = { kind: 'api_key' } as const;
  return [
    make(world, 'a removed account', leaver.client, { ...account, place: 'nowhere' }),
    make(world, 'the owner of another tenant', foreigner.client, {
      ...account,
      permissions: OWNER,
      place: 'elsewhere',
    }),
    make(world, 'an API key of another tenant', await key(foreigner, OWNER), {
      ...apiKey,
      permissions: OWNER,
      place: 'elsewhere',
    }),
    make(world, 'an editor of the tenant', colleague.client, { ...account, permissions: EDITOR }),
    make(world, 'a viewer of the tenant', viewer.client, { ...account, permissions: VIEWER }),
    make(world, 'an API key without scopes', await key(owner, []), { ...apiKey, isOwner: true }),
    make(world, 'an API key for another dataset', await key(owner, OWNER, { dataset_ids: [world.otherDataset] }), {
      ...apiKey,
      permissions: OWNER,
      isOwner: true,
    }),
    make(world, 'the owner in another tenant', owner.client.with(away), {
      ...account,
      permissions: FIRST_ADMINISTRATOR,
      place: 'nowhere',
      isOwner: true,
    }),
    make(
      world,
      "the owner's API key in another tenant",
      { ...(await key(owner, OWNER)), ...away },
      {
        ...apiKey,
        place: 'nowhere',
        isOwner: true,
      },
    ),
  ];
}

function make(
  world: World,
  name: (typeof CALLERS)[number],
  credential: ApiClient | Readonly<Record<string, string>>,
  traits: Traits,
): Caller {
  return {
    name,
    isKnown: true,
    kind: 'account',
    permissions: [],
    place: 'home',
    isOwner: false,
    client: credential instanceof ApiClient ? credential : new ApiClient(world.anonymous.url, credential),
    ...traits,
  };
}
