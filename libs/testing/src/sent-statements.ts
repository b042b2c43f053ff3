import { AsyncLocalStorage } from 'node:async_hooks';
import { Client } from 'pg';

const noted = new AsyncLocalStorage<string[]>();
let isNoting = false;

/** Runs `work` and gives the texts that it sent to the database, in their order; what others send at the same time is left out. */
export async function sentStatementsOf(work: () => Promise<unknown>): Promise<string[]> {
  noteStatements();
  const sent: string[] = [];
  await noted.run(sent, work);
  return sent;
}

function noteStatements(): void {
  if (isNoting) return;
  isNoting = true;
  const { query } = Client.prototype;
  Client.prototype.query = function noting(this: Client, ...parameters: unknown[]) {
    const [first] = parameters as [string | { readonly text: string }];
    noted.getStore()?.push(typeof first === 'string' ? first : first.text);
    return Reflect.apply(query, this, parameters) as never;
  };
}
