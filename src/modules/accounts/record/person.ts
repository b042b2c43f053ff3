/**
 * SQL for the ids of all accounts of who holds the account that `account` names: the one that its issuer's tokens name, and those that
 * were joined to it. An account that no one has joined to another is a person of its own.
 */
export function accountsOfPerson(account: string): string {
  const main = `(SELECT coalesce(p.joined_to, p.id) FROM accounts p WHERE p.id = ${account})`;
  return `ARRAY(SELECT ${main} UNION SELECT j.id FROM accounts j WHERE j.joined_to = ${main})`;
}
