import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { formatNumber, t } from '../texts/i18n';

type Counts = Schema<'DocumentCountsDto'>;

/** What a person tells apart: how it looks, and its sign. */
export type Look = 'ready' | 'working' | 'waiting' | 'failed' | 'held' | 'stopped';

const LOOK_OF: Readonly<Record<Schema<'DocumentListItem'>['status'], Look>> = {
  completed: 'ready',
  processing: 'working',
  pending: 'waiting',
  failed: 'failed',
  quarantined: 'held',
  cancelled: 'stopped',
};

/** What was read and has nothing that a search finds does not look as what is found. */
export function lookOf({ status, searchable }: Pick<Schema<'DocumentListItem'>, 'status' | 'searchable'>): Look {
  return status === 'completed' && !searchable ? 'stopped' : LOOK_OF[status];
}

/** Parts in the order in which they are shown. */
function partsOf(counts: Counts): readonly (readonly [Look, number])[] {
  const { completed, without_text: empty, processing, pending, failed, quarantined, cancelled } = counts;
  const parts: readonly (readonly [Look, number])[] = [
    ['ready', completed - empty],
    ['stopped', empty],
    ['working', processing],
    ['waiting', pending + cancelled],
    ['failed', failed],
    ['held', quarantined],
  ];
  return parts.filter(([, count]) => count > 0);
}

/** A bar of documents by state. Its sentence says the same, so it is hidden from screen readers. */
export function CountsBar({ counts }: { readonly counts: Counts }): ReactElement {
  return (
    <span className="bar" aria-hidden="true">
      {partsOf(counts).map(([look, count]) => (
        <i key={look} className={look} style={{ flexGrow: count }} />
      ))}
    </span>
  );
}

/** The sign of a dataset, which is hollow where nothing is in it: one broken file among many that are read is no broken dataset. */
export function signOf({ completed, failed, quarantined, processing, pending, total }: Counts): Look {
  if (total === 0) return 'stopped';
  if (failed > completed) return 'failed';
  if (quarantined > 0) return 'held';
  return processing + pending > 0 ? 'working' : 'ready';
}

export function Dot({ look }: { readonly look: Look }): ReactElement {
  return <span className={look === 'ready' ? 'dot' : `dot ${look}`} aria-hidden="true" />;
}

/** "412 of 420 searchable, 5 failed, 3 quarantined"; each number leads to its documents. */
export function HealthSentence({ dataset }: { readonly dataset: Schema<'Dataset'> }): ReactElement {
  const { searchable, without_text: empty, processing, pending, failed, quarantined, total } = dataset.document_counts;
  if (total === 0) return <>{t('health.empty')}</>;
  if (searchable === total && processing + pending === 0) return <>{t('health.all', { count: total })}</>;
  const numbers = { ready: formatNumber(searchable), total: formatNumber(total) };
  const leads = (filter: string): string => `/d/${dataset.id}/documents?${filter}`;
  return (
    <>
      <Link href={leads('searchable=true')}>{t('health.some', numbers)}</Link>
      {pending > 0 && (
        <>
          {', '}
          <Link href={leads('state=pending')}>{t('health.waiting', { count: pending })}</Link>
        </>
      )}
      {processing > 0 && (
        <>
          {', '}
          <Link href={leads('state=processing')}>{t('health.underWay', { count: processing })}</Link>
        </>
      )}
      {failed > 0 && (
        <>
          {', '}
          <Link className="failed" href={leads('state=failed')}>
            {t('health.failed', { count: failed })}
          </Link>
        </>
      )}
      {quarantined > 0 && (
        <>
          {', '}
          <Link className="held" href={leads('state=quarantined')}>
            {t('health.held', { count: quarantined })}
          </Link>
        </>
      )}
      {empty > 0 && (
        <>
          {', '}
          <Link href={leads('state=completed&searchable=false')}>{t('health.withoutText', { count: empty })}</Link>
        </>
      )}
    </>
  );
}
