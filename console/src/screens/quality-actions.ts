import { api, dataOf, type Schema } from '../api/client';
import { writePolicy } from '../frame/policy';
import { t } from '../texts/i18n';
import { refusedWords } from '../texts/refused-words';

/** What an action has brought, in words. */
export type Outcome = Promise<string>;

const outcomeOf = ({ accepted, rejected }: Schema<'BulkResult'>): string =>
  rejected.length === 0
    ? t('qualityAction.accepted', { count: accepted.length })
    : t('qualityAction.partly', {
        count: accepted.length,
        refused: rejected.length,
        reason: refusedWords(rejected[0]!.code, rejected[0]!.detail),
      });

/** Begins another attempt on each failed document. */
export async function retryFailed(datasetId: string): Outcome {
  return outcomeOf(await dataOf(api.POST('/api/v1/documents/batch/retry', { body: { dataset_id: datasetId } })));
}

/** Reads documents again: all, or those of policy versions before the given one. */
export async function readAgain(datasetId: string, before?: number): Outcome {
  const where = before === undefined ? {} : { where: { policy_version_lt: before } };
  const body = { dataset_id: datasetId, ...where };
  return outcomeOf(await dataOf(api.POST('/api/v1/documents/batch/reingest', { body })));
}

/** Makes vectors of the model that the dataset is to have. */
export async function reembed(datasetId: string): Outcome {
  const params = { path: { id: datasetId } };
  const { documents } = await dataOf(api.POST('/api/v1/datasets/{id}/reembeddings', { params }));
  return t('qualityAction.reembedding', { count: documents });
}

/** Writes a version of the policy that cuts otherwise. No document is read again by it. */
export async function cutOtherwise(datasetId: string, chunking: Readonly<Record<string, unknown>>): Outcome {
  await writePolicy(datasetId, t('qualityAction.comment'), (policy) => ({
    ...policy,
    chunking: { ...policy.chunking, ...chunking },
  }));
  return t('qualityAction.policy');
}
