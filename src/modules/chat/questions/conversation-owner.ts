import type { AccountId, ApiKeyId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';

/** Owner of a conversation. */
export interface ConversationOwner {
  readonly accountId: AccountId;
  /** Null: the account's own. An API key has its own, which its account does not see. */
  readonly apiKeyId: ApiKeyId | null;
}

/** Whose conversations the caller has. */
export function conversationOwnerOf({ principal }: RequestContext): ConversationOwner {
  switch (principal.kind) {
    case 'account':
      return { accountId: principal.accountId, apiKeyId: null };
    case 'api_key':
      return { accountId: principal.accountId, apiKeyId: principal.keyId };
    case 'system':
      throw new TypeError('The service itself has no conversations.');
  }
}

/** That a row of the alias is the owner's, whose account is `$from` and whose key is the placeholder behind it. */
export function ownedBy(alias: string, from: number): string {
  return `${alias}.account_id = $${from}::uuid AND ${alias}.api_key_id IS NOT DISTINCT FROM $${from + 1}::uuid`;
}
