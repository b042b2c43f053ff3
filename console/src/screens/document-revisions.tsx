import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { useMe } from '../frame/queries';
import { formatBytes, formatNumber, formatWhen, t } from '../texts/i18n';
import { Details } from '../ui/details';
import { kindName } from '../ui/kinds';
import { ErrorNote, Note } from '../ui/states';
import styles from './document.module.css';

type Detail = Schema<'DocumentDetail'>;

/** The revisions that are kept of a document, the newest first. There are never many. */
export function useRevisions({
  id,
  revision,
  updated_at: changed,
}: Detail): UseQueryResult<Schema<'DocumentRevisionPage'>, Error> {
  return useQuery({
    queryKey: ['revisions', id, revision, changed],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/documents/{document_id}/revisions', { params: { path: { document_id: id } }, signal })),
    staleTime: Infinity,
  });
}

/** Which revision text, chunks and file are of, once that is known. */
export function useShownRevision(detail: Detail): number | undefined {
  return useRevisions(detail).data?.items.find(({ shown }) => shown)?.revision;
}

/** Says that what is seen is not the latest. */
export function FormerRevision({ detail }: { readonly detail: Detail }): ReactElement | null {
  const shown = useShownRevision(detail);
  if (shown === undefined || shown === detail.revision) return null;
  const values = { shown: formatNumber(shown), latest: formatNumber(detail.revision) };
  return (
    <Note kind="warn" icon="info">
      <p>{t(detail.status === 'failed' ? 'revision.latestFailed' : 'revision.latestComes', values)}</p>
    </Note>
  );
}

export function Revisions({ detail }: { readonly detail: Detail }): ReactElement {
  const revisions = useRevisions(detail);
  const me = useMe();
  const isOnly = revisions.data?.items.length === 1;
  return (
    <section>
      <h2>{t('revision.all')}</h2>
      {revisions.error !== null && <ErrorNote error={revisions.error} />}
      <ol className={styles['revisions']}>
        {revisions.data?.items.map((revision) => (
          <li key={revision.revision}>
            <span>
              <b>{t('document.revision', { revision: formatNumber(revision.revision) })}</b>
              {!isOnly && revision.shown && <small>{t('revision.shown')}</small>}
              {!isOnly && revision.latest && <small>{t('revision.latest')}</small>}
            </span>
            <span className="quiet">
              {[
                formatWhen(revision.created_at),
                formatBytes(revision.size_bytes),
                kindName(revision.media_type),
                revision.created_by !== null && revision.created_by === me.data?.account.id ? t('revision.mine') : '',
              ]
                .filter((part) => part !== '')
                .join(', ')}
            </span>
            <Details>
              <p className="mono">{revision.media_type}</p>
              <p className="mono">{t('revision.digest', { digest: revision.sha256 })}</p>
            </Details>
          </li>
        ))}
      </ol>
      {/* The service reads no other one. */}
      {!isOnly && revisions.data !== undefined && <p className="quiet small">{t('revision.onlyShown')}</p>}
    </section>
  );
}
