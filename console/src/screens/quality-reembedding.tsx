import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { formatNumber, t } from '../texts/i18n';
import { ErrorNote, Note, faultOf } from '../ui/states';

const BUSY_MS = 2000;

/** The last re-embedding while it runs, and where it failed. */
export function Reembedding({ dataset }: { readonly dataset: Schema<'Dataset'> }): ReactElement | null {
  const list = useQuery({
    queryKey: ['reembeddings', dataset.id],
    queryFn: ({ signal }) => {
      const params = { path: { id: dataset.id }, query: { limit: 1 } };
      return dataOf(api.GET('/api/v1/datasets/{id}/reembeddings', { params, signal }));
    },
    refetchInterval: ({ state }) => (isRunning(state.data?.items[0]) ? BUSY_MS : false),
  });
  if (faultOf(list) !== null) return <ErrorNote error={list.error} onRetry={() => void list.refetch()} />;
  const last = list.data?.items[0];
  if (last === undefined || last.status === 'completed' || last.status === 'rolled_back') return null;
  const numbers = { done: formatNumber(last.documents_done), all: formatNumber(last.documents) };
  return (
    <Note
      kind={last.status === 'failed' ? 'bad' : 'plain'}
      icon={last.status === 'failed' ? 'warn' : 'clock'}
      title={t(last.status === 'failed' ? 'reembedding.failed' : 'reembedding.running', numbers)}
    >
      {last.error !== null && <p>{last.error}</p>}
    </Note>
  );
}

const isRunning = (last: Schema<'Reembedding'> | undefined): boolean =>
  last?.status === 'pending' || last?.status === 'running';
