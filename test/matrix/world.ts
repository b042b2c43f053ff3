import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { until } from '#testing/until';
import { ApiClient } from '../support/api-client.js';
import type { ServiceProcess } from '../support/service-process.js';
import { SessionClient } from './session-client.js';
import { UNHEARD_WEBHOOK } from './unheard-webhook.js';

/** Is in the name, the document and the text of what only its owner may see. */
export const SECRET = 'magnolia-vault';

export const SIGNING_KEY = randomBytes(32).toString('hex');
const ISSUER = 'knowledge-base';
const AUDIENCE = 'knowledge-base-api';

/** Ids that a request names. */
export interface Target {
  readonly tenant: string;
  readonly dataset: string;
  readonly document: string;
  readonly category: string;
  readonly apiKey: string;
  readonly session: string;
  readonly account: string;
  readonly invitation: string;
  readonly invitationSecret: string;
  readonly purge: string;
  /** Id of a search that the owner made. */
  readonly request: string;
  readonly reembedding: string;
  readonly webhook: string;
  /** A delivery of the webhook. */
  readonly delivery: string;
  readonly caseSet: string;
  /** An evaluation that is completed. */
  readonly evaluation: string;
  /** A conversation of the owner with a turn about the dataset. */
  readonly conversation: string;
  /** The turn of the conversation. */
  readonly turn: string;
  /** The link to its answer. */
  readonly sharedAnswer: string;
  /** An object of a package of another team, made by its recipe. */
  readonly own?: string;
}

export interface Someone {
  readonly email: string;
  readonly accountId: string;
  readonly tenantId: string;
  readonly client: ApiClient;
}

/** Everybody and everything that the cells of the matrix are about. All people have the same password. */
export class World {
  private made = 0;

  constructor(
    readonly anonymous: ApiClient,
    readonly password: string,
    /** First administrator; owner of the home tenant and of everything in `target`. */
    readonly owner: Someone,
    /** Owner of another tenant. */
    readonly foreigner: Someone,
    /** An editor of the home tenant. */
    readonly colleague: Someone,
    readonly viewer: Someone,
    /** Owner of a third tenant, which invites the owner. */
    readonly inviter: Someone,
    /** Was an editor of the home tenant. */
    readonly leaver: Someone,
    readonly leaverKey: string,
    /** Shared objects of the owner; the dataset is `only_me`. */
    readonly target: Target,
    /** Another dataset of the owner. */
    readonly otherDataset: string,
  ) {}

  /** A text that no other call gave. */
  unique(word: string): string {
    return `${word}-${++this.made}`;
  }

  async login(): Promise<{ access_token: string; refresh_token: string }> {
    return this.anonymous.post('/auth/login', { email: this.owner.email, password: this.password });
  }
}

/** Settings that the service of a world needs. */
export const WORLD_SETTINGS = { AUTH_JWT_KEY: SIGNING_KEY };

export async function makeWorld(service: ServiceProcess): Promise<World> {
  const anonymous = new ApiClient(service.url);
  const { email, password } = service.admin;
  const owner = await whoIs(await SessionClient.open(anonymous, email, password), email);
  const foreigner = await addTenant(owner, password, 'elsewhere@example.com');
  const inviter = await addTenant(owner, password, 'inviter@example.com');
  const colleague = await addMember(owner, password, 'colleague@example.com', 'editor');
  const viewer = await addMember(owner, password, 'viewer@example.com', 'viewer');
  const leaver = await addMember(owner, password, 'leaver@example.com', 'editor');
  const leaverKey = await makeKey(leaver, ['datasets:read', 'documents:read', 'retrieval:search']);
  await owner.client.delete(`/tenants/${owner.tenantId}/members/${leaver.accountId}`);
  const { target, otherDataset } = await makeTarget(owner, viewer.accountId);
  return new World(
    anonymous,
    password,
    owner,
    foreigner,
    colleague,
    viewer,
    inviter,
    leaver,
    leaverKey.secret,
    target,
    otherDataset,
  );
}

async function makeTarget(owner: Someone, account: string): Promise<{ target: Target; otherDataset: string }> {
  const { client, tenantId: tenant } = owner;
  const { id: category } = await client.post<{ id: string }>('/datasets/categories', { name: 'Shelf' });
  const dataset = await client.createDataset(`The ${SECRET}`, { category_ids: [category] });
  const otherDataset = await client.createDataset('Another dataset');
  const file = { name: `${SECRET}.txt`, content: `The ${SECRET} has the colour magenta. Its door opens at nine.` };
  const { id: document } = await client.upload(dataset, file);
  const { status } = await client.pollUntilTerminal(document);
  if (status !== 'completed') throw new Error(`The document of the matrix is ${status}.`);
  const { id: apiKey } = await makeKey(owner, []);
  const { purge_id: purge } = await client.post<{ purge_id: string }>(`/datasets/${dataset}/purge`, {});
  const reembedding = await reembed(client, dataset);
  const { request_id: request } = await client.search(`Where is the ${SECRET}?`, [dataset]);
  const { invitation, invitationSecret } = await inviteSomebody(owner);
  const { id: webhook } = await client.post<{ id: string }>('/webhooks', UNHEARD_WEBHOOK);
  const { id: delivery } = await client.post<{ id: string }>(`/webhooks/${webhook}/test`, {});
  const target = {
    tenant,
    dataset,
    document,
    category,
    apiKey,
    // Made by the recipe: sessions end in the course of the matrix.
    session: '01900000-0000-7000-8000-000000000045',
    account,
    invitation,
    invitationSecret,
    purge,
    reembedding,
    ...(await evaluate(client, dataset, document)),
    request,
    ...(await converse(client, dataset)),
    webhook,
    delivery,
  };
  return { target, otherDataset };
}

async function inviteSomebody({ client, tenantId }: Someone): Promise<Pick<Target, 'invitation' | 'invitationSecret'>> {
  const wanted = { email: 'invited@example.com', role: 'viewer' };
  const made = await client.post<{ invitation_id: string; secret: string }>(`/tenants/${tenantId}/members`, wanted);
  return { invitation: made.invitation_id, invitationSecret: made.secret };
}

/** A re-embedding that has come to its end, so that nothing changes by itself while the matrix looks. */
async function reembed(client: ApiClient, dataset: string): Promise<string> {
  const path = `/datasets/${dataset}/reembeddings`;
  const { reembedding_id: id } = await client.post<{ reembedding_id: string }>(path, {});
  const isDone = async (): Promise<boolean> =>
    (await client.get<{ status: string }>(`${path}/${id}`)).status === 'completed';
  await until(isDone, { what: 'the re-embedding of the matrix', withinMs: 60_000, everyMs: 50 });
  return id;
}

/** A conversation with a turn about the dataset, whose answer is shared. */
export async function converse(
  client: ApiClient,
  dataset: string,
): Promise<Pick<Target, 'conversation' | 'turn' | 'sharedAnswer'>> {
  const { id } = await client.post<{ id: string }>('/conversations', { title: `About the ${SECRET}` });
  const messages = [{ role: 'user', content: `Which colour does the ${SECRET} have?` }];
  const { conversation } = await client.post<{ conversation: { turn_id: string } }>('/chat/completions', {
    messages,
    dataset_ids: [dataset],
    conversation_id: id,
  });
  const turn = conversation.turn_id;
  const { id: sharedAnswer } = await client.post<{ id: string }>(`/conversations/${id}/turns/${turn}/share`, {});
  return { conversation: id, turn, sharedAnswer };
}

/** A case set, and an evaluation of it that has come to its end. */
async function evaluate(
  client: ApiClient,
  dataset: string,
  document: string,
): Promise<Pick<Target, 'caseSet' | 'evaluation'>> {
  const cases = [{ query: `Where is the ${SECRET}?`, relevant: [{ document_id: document }] }];
  const body = { name: `Cases of the ${SECRET}`, dataset_ids: [dataset], cases };
  const { id: caseSet } = await client.post<{ id: string }>('/evaluations/case-sets', body);
  const wanted = { name: `Evaluation of the ${SECRET}`, dataset_ids: [dataset], case_set_id: caseSet };
  const { id: evaluation } = await client.post<{ id: string }>('/evaluations/jobs', wanted);
  const isDone = async (): Promise<boolean> =>
    (await client.get<{ status: string }>(`/evaluations/jobs/${evaluation}`)).status === 'completed';
  await until(isDone, { what: 'the evaluation of the matrix', withinMs: 60_000, everyMs: 50 });
  return { caseSet, evaluation };
}

async function whoIs(client: ApiClient, email: string): Promise<Someone> {
  const me = await client.get<{ account: { id: string }; tenant_id: string }>('/auth/me');
  return { email, accountId: me.account.id, tenantId: me.tenant_id, client };
}

async function addMember(owner: Someone, password: string, email: string, role: string): Promise<Someone> {
  await owner.client.post(`/tenants/${owner.tenantId}/members`, { email, role, password });
  return whoIs(await SessionClient.open(new ApiClient(owner.client.url), email, password), email);
}

async function addTenant(owner: Someone, password: string, email: string): Promise<Someone> {
  await owner.client.post('/tenants', { name: 'Elsewhere', admin_email: email, admin_password: password });
  return whoIs(await SessionClient.open(new ApiClient(owner.client.url), email, password), email);
}

/** An API key of this person. */
export function makeKey(
  person: Someone,
  scopes: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ id: string; secret: string }> {
  return person.client.post('/auth/api-keys', { name: 'Key', scopes, ...more });
}

/** An access token of the account that says all that the service's own ones say, for `seconds` from now. */
export function signToken(accountId: string, seconds: number, key = SIGNING_KEY): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(accountId)
    .setJti(randomBytes(8).toString('hex'))
    .setIssuedAt(now - 7200)
    .setExpirationTime(now + seconds)
    .sign(Buffer.from(key, 'utf8'));
}

/** The same claims without a signature. */
export async function unsignedToken(accountId: string): Promise<string> {
  const [, claims] = (await signToken(accountId, 3600)).split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  return `${header}.${claims}.`;
}
