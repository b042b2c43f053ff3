import { api, dataOf, type Schema } from '../api/client';

const PAGE = 100;

/** As many sums as one request of a list takes. */
export const MOST_SUMS = 50;

/**
 * Which of these sums the dataset has already, so that an upload would be refused as a duplicate. Where that cannot be found out, none: the
 * files are sent then, and the service says it of each.
 */
export async function findKnown(datasetId: string, sums: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  if (sums.length === 0) return known;
  try {
    for (let after: string | null | undefined; after !== null;) {
      const query = {
        dataset_id: datasetId,
        sha256: [...sums],
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      };
      const page: Schema<'DocumentPage'> = await dataOf(api.GET('/api/v1/documents/', { params: { query } }));
      for (const item of page.items) if (isDuplicate(item)) known.add(item.sha256);
      after = page.next;
    }
  } catch {
    known.clear();
  }
  return known;
}

/** As the service decides it: what has failed or was stopped can be sent again, and a file of an archive is none by itself. */
function isDuplicate({ archive_id: archive, status }: Schema<'DocumentListItem'>): boolean {
  return archive === null && status !== 'failed' && status !== 'cancelled';
}
