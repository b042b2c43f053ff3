import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { t } from '../texts/i18n';
import { ErrorPage, faultOf, Loading, Note } from '../ui/states';
import { PlaceHead, type Tab } from './place-head';
import { useDataset } from './queries';

interface WritersPlaceProps {
  readonly datasetId: string;
  readonly tab: Tab;
  /** Of the page, where it is not that of the tab. */
  readonly title?: string;
  readonly children: (dataset: Schema<'Dataset'>) => ReactNode;
}

/** A tab of a dataset for those who may write to it. Who only reads, and has the address from somebody, reads why it is not theirs. */
export function WritersPlace({ datasetId, tab, title, children }: WritersPlaceProps): ReactElement {
  const dataset = useDataset(datasetId);
  if (faultOf(dataset) !== null) return <ErrorPage error={dataset.error} onRetry={() => void dataset.refetch()} />;
  if (dataset.data === undefined)
    return (
      <main className="body">
        <Loading lines={8} />
      </main>
    );
  const isWriter = dataset.data.effective_permissions.includes('documents:write');
  return (
    <>
      <PlaceHead dataset={dataset.data} tab={tab} {...(title === undefined ? {} : { title })} />
      <main className="body">
        {isWriter ? (
          children(dataset.data)
        ) : (
          <Note icon="info" title={t('writers.title')}>
            <p>{t('writers.why')}</p>
            <p className="note-actions tools">
              <Link className="button" href={`/d/${datasetId}/ask`}>
                {t('tab.ask')}
              </Link>
              <Link className="button" href={`/d/${datasetId}/documents`}>
                {t('tab.documents')}
              </Link>
            </p>
          </Note>
        )}
      </main>
    </>
  );
}
