import { api, dataOf, type Schema } from '../api/client';

type Policy = Schema<'IngestionPolicy'>;

/**
 * Writes a changed copy of a dataset's ingestion policy as its next version, and answers the version before. Where somebody else has written one
 * meanwhile, it is refused (412) rather than overwritten.
 */
export async function writePolicy(
  datasetId: string,
  comment: string,
  change: (policy: Policy) => Policy,
): Promise<{ readonly former: number }> {
  const path = { id: datasetId };
  const { data, response } = await api.GET('/api/v1/datasets/{id}/ingestion-policy', { params: { path } });
  const { policy, version } = data!;
  const tag = response.headers.get('ETag');
  const header = tag === null ? {} : { 'If-Match': tag };
  await dataOf(
    api.PUT('/api/v1/datasets/{id}/ingestion-policy', {
      params: { path, query: { comment }, header },
      body: change(policy),
    }),
  );
  return { former: version };
}
