/** What an error says in one line; several that came together (no address of a host answers) often have only a code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  const said = error.message === '' && typeof code === 'string' ? code : error.message || error.name;
  return said.split('\n', 1)[0] ?? said;
}
