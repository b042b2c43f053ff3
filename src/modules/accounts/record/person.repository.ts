/**
 * SQL for the ids of all accounts of the person to whom `account` belongs: the account that the issuer's tokens identify, and those that
 * were joined to it. An account that was not joined to another one is a separate person.
 */
export function accountsOfPerson(account: string): string {
  const main = `(SELECT coalesce(p.joined_to, p.id) FROM accounts p WHERE p.id = ${account})`;
  return `ARRAY(SELECT ${main} UNION SELECT j.id FROM accounts j WHERE j.joined_to = ${main})`;
}
