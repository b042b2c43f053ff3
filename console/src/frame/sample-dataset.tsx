import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { Problem } from '../api/problem';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { ErrorNote } from '../ui/states';
import { enqueue } from '../uploads/queue';

const MOST_NAMES = 20;

/** Makes a dataset with sample documents, which only its owner sees, and goes there. For who may make datasets. */
export function SampleDataset(): ReactElement {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const making = useMutation({
    mutationFn: async () => {
      const { sampleFiles } = await import('../samples/samples');
      return { dataset: await makeDataset(), files: sampleFiles() };
    },
    onSuccess: async ({ dataset, files }) => {
      enqueue(dataset.id, files);
      await queries.invalidateQueries({ queryKey: ['datasets'] });
      go(`/d/${dataset.id}/documents`);
    },
  });
  return (
    <div className="samples">
      <Button isDisabled={making.isPending} onPress={() => making.mutate()}>
        {t('samples.make')}
      </Button>
      <p className="quiet small">{t('samples.what')}</p>
      {making.error !== null && <ErrorNote error={making.error} />}
    </div>
  );
}

/** Names of datasets differ, also from those that one does not see: with a number where the name is taken. */
async function makeDataset(): Promise<Schema<'Dataset'>> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? t('samples.name') : `${t('samples.name')} ${number}`;
    try {
      const body = { name, description: t('samples.about'), acl: 'only_me' } as const;
      return await dataOf(api.POST('/api/v1/datasets/', { body }));
    } catch (error) {
      const isTaken = error instanceof Problem && error.code === 'datasets.name_taken';
      if (!isTaken || number === MOST_NAMES) throw error;
    }
  }
}
