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
