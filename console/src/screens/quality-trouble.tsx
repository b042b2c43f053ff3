import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { formatNumber, t } from '../texts/i18n';
import { retryFailed } from './quality-actions';
import { ActionButton } from './quality-action-button';
import { documentsAddress, type DocumentsFilter } from './addresses';
import { failureWords, remarkWords } from './code-words';
import { waitingWords } from './document-row';
import { mayPassAny } from './failure-codes';
import styles from './quality.module.css';

type Facets = Schema<'DocumentFacets'>;

interface TroubleProps {
  readonly dataset: Schema<'Dataset'>;
  readonly facets: Facets;
  /** Of the completed documents alone. */
  readonly completed: Facets;
  readonly health: Schema<'DatasetHealth'>;
}

/** Documents that need a look, by what is the matter. Each number leads to just these documents. */
export function Trouble({ dataset, facets, completed, health }: TroubleProps): ReactElement {
  const { id } = dataset;
  const outdated = health.stale?.policy ?? 0;
  const countOf = (counts: readonly Schema<'FacetCount'>[], value: string): number =>
    counts.find((one) => one.value === value)?.count ?? 0;
  const failed = countOf(facets.status, 'failed');
  const quarantined = countOf(facets.status, 'quarantined');
  const processing = countOf(facets.status, 'processing');
  const isAdvised = health.advice?.some(({ code }) => code === 'FAILED_DOCUMENTS') === true;
  const unsearchable = countOf(completed.searchable, 'false');
  return (
    <div className={styles['troubles']}>
      <Part
        title={t('trouble.failed')}
        none={t('trouble.noneFailed')}
        action={
          mayPassAny(facets) &&
          !isAdvised && (
            <ActionButton
              label={t('trouble.retryAll')}
              what={t('trouble.retryWhat', { count: failed })}
              run={() => retryFailed(id)}
            />
          )
        }
      >
        {facets.error_code.map(({ value, count }) => (
          <Row key={value} datasetId={id} filter={{ state: 'failed', error_code: value }} count={count}>
            {failureWords(value) ?? <span className="mono">{value}</span>}
          </Row>
        ))}
      </Part>
      <Part title={t('trouble.waiting')} none={t('trouble.noneWaiting')}>
        {processing > 0 && (
          <Row datasetId={id} filter={{ state: 'processing' }} count={processing}>
            {t('state.processing')}
          </Row>
        )}
        {facets.waiting_reason.map(({ value, count }) => (
          <Row key={value} datasetId={id} filter={{ waiting_reason: value }} count={count}>
            {waitingWords(value)}
          </Row>
        ))}
      </Part>
      <Part title={t('trouble.hidden')} none={t('trouble.noneHidden')}>
        {unsearchable > 0 && (
          <Row datasetId={id} filter={{ state: 'completed', searchable: 'false' }} count={unsearchable}>
            {t('state.noText')}
          </Row>
        )}
        {quarantined > 0 && (
          <Row datasetId={id} filter={{ state: 'quarantined' }} count={quarantined}>
            {t('state.quarantined')}
          </Row>
        )}
      </Part>
      <Part title={t('trouble.stale')} none={t('trouble.noneStale')}>
        {outdated > 0 && (
          <Row datasetId={id} filter={{ outdated: 'true' }} count={outdated}>
            {t('trouble.outdated')}
          </Row>
        )}
      </Part>
      <Part title={t('trouble.remarks')} none={t('trouble.noneRemarks')}>
        {facets.warning_code.map(({ value, count }) => (
          <Row key={value} datasetId={id} filter={{ warning_code: value }} count={count}>
            {remarkWords(value) ?? <span className="mono">{value}</span>}
          </Row>
        ))}
      </Part>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  /** What is said where there is nothing. */
  readonly none: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function Part({ title, none, action, children }: PartProps): ReactElement {
  const hasRows = [children].flat(2).some((child) => child !== false && child !== null);
  return (
    <section className="panel">
      <header>
        <h2>{title}</h2>
        {action}
      </header>
      {hasRows ? <ul>{children}</ul> : <p className="quiet small">{none}</p>}
    </section>
  );
}

interface RowProps {
  readonly datasetId: string;
  readonly filter: DocumentsFilter;
  readonly count: number;
  readonly children: ReactNode;
}

export function Row({ datasetId, filter, count, children }: RowProps): ReactElement {
  return (
    <li>
      <Link href={documentsAddress(datasetId, filter)}>
        <span>{children}</span>
        <b>{formatNumber(count)}</b>
      </Link>
    </li>
  );
}
