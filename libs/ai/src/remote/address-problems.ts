/** What a header can carry. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What is wrong with a provider's key, for the setting of that name; the key is not shown. */
export function keyProblems(setting: string, key: string | undefined): readonly string[] {
  if (key === undefined || SENDABLE.test(key)) return [];
  return [`${setting}: holds a character that cannot be sent, such as a line break, an ellipsis or a curly quote.`];
}

/** What is wrong with a provider's address, for the setting of that name. */
export function addressProblems(setting: string, address: string | undefined): readonly string[] {
  if (address === undefined) return [];
  const { username, password, search, hash } = new URL(address);
  const problems: string[] = [];
  if (username !== '' || password !== '')
    problems.push(`${setting}: must hold no credentials; a key has a setting of its own.`);
  if (search !== '' || hash !== '') problems.push(`${setting}: must end with its path, without ? and #.`);
  return problems;
}
