import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { Schema } from '../api/client';
import { useDataset } from '../frame/queries';
import { soon } from '../frame/soon';
import { t } from '../texts/i18n';
import { refusedWords } from '../texts/refused-words';
import { Button } from '../ui/controls';
import { ErrorNote } from '../ui/states';
import { sendBatch } from './document-batches';
import { documentQuery } from './document-query';
import { mayPass } from './failure-codes';

/** What counts or lists documents. */
const COUNTS = ['documents', 'facets', 'datasets'] as const;

interface ActsProps {
  readonly detail: Schema<'DocumentDetail'>;
  readonly datasetId: string;
}

/** What can be done with a document, for who may: to delete it, and another attempt where it could not be read and that may help. */
export function DocumentActs({ detail, datasetId }: ActsProps): ReactElement | null {
  const dataset = useDataset(datasetId);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const retry = useMutation({
    mutationFn: () => sendBatch({ name: 'retry' }, [detail.id]),
    onSettled: () => queries.invalidateQueries(documentQuery(detail.id)),
  });
  if (dataset.data?.effective_permissions.includes('documents:write') !== true) return null;
  const [refused] = retry.data?.rejected ?? [];
  return (
    <>
      {retry.error !== null && <ErrorNote error={retry.error} />}
      {refused !== undefined && (
        <span className="quiet small" role="status">
          {refusedWords(refused.code, refused.detail)}
        </span>
      )}
      {detail.status === 'failed' && mayPass(detail.error?.code) && (
        <Button onPress={() => retry.mutate()} isDisabled={retry.isPending}>
          {t('pick.retry')}
        </Button>
      )}
      <Button
        onPress={() => {
          soon(t('soon.deletesOne', { name: detail.name }), t('done.delete', { count: 1 }), [detail.id], async () => {
            const { rejected } = await sendBatch({ name: 'delete' }, [detail.id]);
            await Promise.all(COUNTS.map((name) => queries.invalidateQueries({ queryKey: [name] })));
            const [kept] = rejected;
            return kept && refusedWords(kept.code, kept.detail);
          });
          go(`/d/${datasetId}/documents`);
        }}
      >
        {t('pick.delete')}
      </Button>
    </>
  );
}
