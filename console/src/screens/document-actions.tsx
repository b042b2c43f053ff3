import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { Schema } from '../api/client';
import { useDataset } from '../frame/queries';
import { deferAction } from '../frame/deferred-actions';
import { t } from '../texts/i18n';
import { refusedWords } from '../texts/refused-words';
import { Button } from '../ui/controls';
import { ErrorNote } from '../ui/states';
import { enqueue, onArrival } from '../uploads/queue';
import { deletionsOf, sendBatch } from './document-batches';
import { documentQuery } from './document-query';
import { mayPass } from './failure-codes';

/** What counts or lists documents. */
const COUNTS = ['documents', 'facets', 'datasets'] as const;

interface ActionsProps {
  readonly detail: Schema<'DocumentDetail'>;
  readonly datasetId: string;
}

/** States in which a document takes another file. */
const TAKES_FILE: readonly Schema<'DocumentDetail'>['status'][] = ['completed', 'failed'];

/** What can be done with a document, for who may: to delete it, to give it another file, and, where it could not be read, another attempt if that may help. */
export function DocumentActions({ detail, datasetId }: ActionsProps): ReactElement | null {
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
      {/* Files of an archive come with it. */}
      {detail.archive_id === null && TAKES_FILE.includes(detail.status) && (
        <NextFile detail={detail} datasetId={datasetId} />
      )}
      <Button
        onPress={() => {
          deferAction({
            text: t('deferred.deletesOne', { name: detail.name }),
            done: t('done.delete', { count: 1 }),
            ids: [detail.id],
            run: async () => {
              const { rejected } = await sendBatch({ name: 'delete' }, [detail.id]);
              await Promise.all(COUNTS.map((name) => queries.invalidateQueries({ queryKey: [name] })));
              const [kept] = rejected;
              return kept && refusedWords(kept.code, kept.detail);
            },
            departures: deletionsOf([detail.id]),
          });
          go(`/d/${datasetId}/documents`);
        }}
      >
        {t('pick.delete')}
      </Button>
    </>
  );
}

/** A file that takes the place of the present one, or of one that could not be read: the document's next revision, under its name. */
function NextFile({ detail, datasetId }: ActionsProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const { id, name, path } = detail;
  const isFailed = detail.status === 'failed';
  useEffect(
    () =>
      onArrival((arrived) => {
        if (arrived === datasetId) void queries.invalidateQueries(documentQuery(id));
      }),
    [queries, datasetId, id],
  );
  const end = name.lastIndexOf('.');
  const take = ({ files }: HTMLInputElement): void => {
    const [chosen] = files!;
    if (chosen === undefined) return;
    const file = new File([chosen], name, { type: chosen.type });
    enqueue(datasetId, [{ file, path: path ?? undefined, isMended: true }]);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={end > 0 ? name.slice(end) : undefined}
        aria-label={t(isFailed ? 'document.mendFor' : 'document.renewFor', { name })}
        onChange={(event) => {
          take(event.target);
          // The same file may be chosen once more.
          event.target.value = '';
        }}
      />
      <Button look={isFailed ? 'first' : 'usual'} onPress={() => input.current?.click()}>
        {t(isFailed ? 'document.mend' : 'document.renew')}
      </Button>
    </>
  );
}
