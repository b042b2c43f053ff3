import type { AccountId, DatasetId } from '#libs/common';
import type { Principal } from '#libs/tenancy';

/** A condition for a WHERE clause and the values of its placeholders, in order. */
export interface SqlCondition {
  readonly sql: string;
  readonly parameters: unknown[];
}

/**
 * The visibility rule as SQL over an alias of table `datasets`; placeholders begin at `$from`. Deleted datasets never pass. The system sees
 * all datasets of the tenant. An account sees its own, those of the whole team and those that list it. An API key sees what its account
 * sees, limited to the key's own list. Roles make no difference: not even an administrator sees an `only_me` dataset of another account.
 */
export function visibilityConditionOf(principal: Principal, alias: string, from: number): SqlCondition {
  const present = `${alias}.deleted_at IS NULL`;
  if (principal.kind === 'system') return { sql: `(${present})`, parameters: [] };
  const { sql, parameters } = sightConditionOf(principal, alias, from);
  return { sql: `(${present} AND ${sql})`, parameters };
}

/** The same regardless of deletion: whether the principal sees a dataset, or saw it before it was deleted. For reports of deletions. */
export function sightConditionOf(principal: Principal, alias: string, from: number): SqlCondition {
  if (principal.kind === 'system') return { sql: '(true)', parameters: [] };
  const account = `$${from}::uuid`;
  const seen =
    `(${alias}.owner_id = ${account} OR ${alias}.acl = 'all_team_members'` +
    ` OR (${alias}.acl = 'partial_members' AND ${account} = ANY (${alias}.partial_member_list)))`;
  const parameters: unknown[] = [principal.accountId];
  if (principal.kind === 'account' || principal.datasetIds === null) return { sql: seen, parameters };
  parameters.push(principal.datasetIds);
  return { sql: `(${seen} AND ${alias}.id = ANY ($${from + 1}::uuid[]))`, parameters };
}

const SOMEONE = '00000000-0000-0000-0000-000000000001' as AccountId;

/**
 * One condition of `visibilityConditionOf` for each kind of principal that it distinguishes, for the variants of statements that contain
 * it.
 */
export function visibilityVariantsOf(alias: string, from: number): readonly string[] {
  return somePrincipals().map((principal) => visibilityConditionOf(principal, alias, from).sql);
}

/** The same for `sightConditionOf`. */
export function sightVariantsOf(alias: string, from: number): readonly string[] {
  return somePrincipals().map((principal) => sightConditionOf(principal, alias, from).sql);
}

function somePrincipals(): readonly Principal[] {
  const permissions = new Set<never>();
  const key = {
    kind: 'api_key',
    accountId: SOMEONE,
    keyId: SOMEONE,
    datasetIds: [],
    permissions,
  } as unknown as Principal;
  const account = { kind: 'account', accountId: SOMEONE, role: 'viewer', permissions } satisfies Principal;
  return [key, account, { kind: 'system', permissions } satisfies Principal];
}

/** Whether the principal is the owner; an API key represents its account. */
export function isOwner(principal: Principal, ownerId: AccountId): boolean {
  return principal.kind !== 'system' && principal.accountId === ownerId;
}

/**
 * Whether the principal acts as an administrator of the tenant. The permission `members:manage` distinguishes administrators and owners of
 * a tenant from other members, so an API key acts as an administrator only if its role and scopes include it.
 */
export function isAdministrator(principal: Principal): boolean {
  return principal.kind === 'system' || principal.permissions.has('members:manage');
}

/** Whether an API key's own list of datasets, if it has one, holds the dataset. */
export function isWithinKey(principal: Principal, datasetId: DatasetId): boolean {
  return principal.kind !== 'api_key' || principal.datasetIds === null || principal.datasetIds.includes(datasetId);
}
