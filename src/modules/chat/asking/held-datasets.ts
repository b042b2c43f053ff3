import type { RequestContext } from '#libs/tenancy';
import type { DatasetAccess } from '../../datasets/index.js';

/**
 * What is answered rests on these datasets: they must be visible now, and as long as the answer takes where it is watched over.
 * @throws `datasets.not_found`
 */
export async function holdDatasets(
  ctx: RequestContext,
  access: Pick<DatasetAccess, 'requireAllVisible'>,
  datasetIds: readonly string[],
): Promise<void> {
  const check = (now: RequestContext): Promise<unknown> => access.requireAllVisible(now, datasetIds);
  await check(ctx);
  ctx.held?.require(`datasets:${datasetIds.join()}`, check);
}
