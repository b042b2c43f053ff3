import { api, dataOf, inTenant, type Schema } from '../api/client';

const PAGE = 100;

/** As many sums as one request of a list takes. */
export const MOST_SUMS = 50;

/** What a dataset has of files. */
export interface Known {
  /** What an upload would be refused for as a duplicate: by sum, the place of the document that has it. */
  readonly names: ReadonlyMap<string, string>;
  /** Documents that could not be read, or were stopped, by sum and name: sent once more, such a file would be there twice. */
  readonly failed: ReadonlyMap<string, string>;
}

/** Where files go. */
export interface Place {
  readonly datasetId: string;
  /** The organisation that was chosen when they were; undefined where there was no choice. */
  readonly tenantId: string | undefined;
}

/** Two files of one content may have different names, of which one says what it is. */
export const failedKey = (sum: string, name: string): string => `${sum} ${name}`;

/** What the dataset has of these sums. Where that cannot be found out, nothing: the files are sent then, and the service says it of each. */
export async function findKnown({ datasetId, tenantId }: Place, sums: readonly string[]): Promise<Known> {
  const names = new Map<string, string>();
  const failed = new Map<string, string>();
  if (sums.length === 0) return { names, failed };
  try {
    for (let after: string | null | undefined; after !== null;) {
      const query = {
        dataset_id: datasetId,
        sha256: [...sums],
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      };
      const page: Schema<'DocumentPage'> = await dataOf(
        api.GET('/api/v1/documents/', { params: { query }, ...inTenant(tenantId) }),
      );
      for (const item of page.items) {
        if (item.archive_id !== null) continue;
        if (isDuplicate(item)) names.set(item.sha256, item.path ?? item.name);
        else failed.set(failedKey(item.sha256, item.path ?? item.name), item.id);
      }
      after = page.next;
    }
  } catch {
    names.clear();
    failed.clear();
  }
  return { names, failed };
}

/** As the service decides it: what has failed or was stopped can be sent again. A file of an archive is none by itself. */
function isDuplicate({ status }: Schema<'DocumentListItem'>): boolean {
  return status !== 'failed' && status !== 'cancelled';
}

/** Has documents read once more, instead of sending what they were made of. Gives those for which the service does it. */
export async function readAgain({ tenantId }: Place, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  try {
    const { accepted } = await dataOf(
      api.POST('/api/v1/documents/batch/retry', { body: { document_ids: [...new Set(ids)] }, ...inTenant(tenantId) }),
    );
    return new Set(accepted);
  } catch {
    // Then the files are sent.
    return new Set();
  }
}
