import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { t } from '../texts/i18n';
import { Empty, ErrorNote, faultOf, Loading } from '../ui/states';
import { documentQuery } from './document-query';
import styles from './document.module.css';

type Detail = Schema<'DocumentDetail'>;

const MOST_FILES = 100;
const BUSY: readonly Detail['status'][] = ['pending', 'processing'];

/** What the archive that a document comes from is called. Undefined until that is known, and where it comes from none. */
export function useArchiveName(archiveId: string | null): string | undefined {
  const archive = useQuery({ ...documentQuery(archiveId ?? ''), enabled: archiveId !== null, staleTime: Infinity });
  return archive.data?.name;
}

/** The way to the archive that a document comes from. */
export function ArchiveLink({ detail: { dataset_id: dataset, archive_id: id } }: { readonly detail: Detail }) {
  const name = useArchiveName(id);
  if (id === null || name === undefined) return null;
  return (
    <Link className="link" href={`/d/${dataset}/documents/${id}`}>
      {name}
    </Link>
  );
}

/** In place of the text of what was read and has none: the files of an archive, which are documents of their own, or that there is nothing. */
export function NoText({ detail: { id, dataset_id: dataset, status } }: { readonly detail: Detail }): ReactElement {
  const files = useQuery({
    queryKey: ['documents', dataset, 'files', id],
    queryFn: ({ signal }) => {
      const query = { dataset_id: dataset, archive_id: id, limit: MOST_FILES, order_by: 'name' as const };
      return dataOf(api.GET('/api/v1/documents/', { params: { query }, signal }));
    },
  });
  if (faultOf(files) !== null) return <ErrorNote error={files.error} onRetry={() => void files.refetch()} />;
  if (files.data === undefined) return <Loading />;
  const { items, total } = files.data;
  if (total === 0)
    return (
      <Empty title={t(BUSY.includes(status) ? 'document.noText' : 'state.noText')}>
        <p>{t(BUSY.includes(status) ? 'document.noTextYet' : 'document.noTextWhy')}</p>
      </Empty>
    );
  return (
    <Empty title={t('document.archive', { count: total })}>
      <p>{t('document.archiveWhy')}</p>
      <ul className={styles['files']}>
        {items.map((file) => (
          <li key={file.id}>
            <Link className="link" href={`/d/${dataset}/documents/${file.id}`}>
              {file.path ?? file.name}
            </Link>
          </li>
        ))}
        {total > items.length && <li>{t('pick.andMore', { count: total - items.length })}</li>}
      </ul>
    </Empty>
  );
}
