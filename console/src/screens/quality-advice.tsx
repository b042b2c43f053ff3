import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { t } from '../texts/i18n';
import { Icon } from '../ui/icon';
import { documentsAddress } from './addresses';
import { mayPassAny } from './failure-codes';
import { ActionButton } from './quality-action-button';
import { cutOtherwise, readAgain, reembed, retryFailed } from './quality-actions';
import styles from './quality.module.css';

interface AdviceProps {
  readonly dataset: Schema<'Dataset'>;
  readonly facets: Schema<'DocumentFacets'>;
  readonly health: Schema<'DatasetHealth'>;
}

/** What the service advises, the most urgent first, each with the button that carries it out where the console can. */
export function Advice({ dataset, facets, health }: AdviceProps): ReactElement | null {
  const advice = health.advice ?? [];
  if (advice.length === 0) return null;
  return (
    <section className={styles['advice']} aria-label={t('advice.title')}>
      <h2>{t('advice.title')}</h2>
      <ul className="panel">
        {advice.map(({ code, detail }) => (
          <li key={code}>
            <Icon name={OFFERS.includes(code) ? 'info' : 'warn'} />
            <div>
              <b>{isKnown(code) ? t(`advised.${code}`) : code}</b>
              {isKnown(code) && (
                <p className="small">
                  {t(code === 'FAILED_DOCUMENTS' && !mayPassAny(facets) ? 'advice.inFile' : `advisedWhy.${code}`)}
                </p>
              )}
              <details className="small quiet" open={!isKnown(code)}>
                <summary>{t('details')}</summary>
                {detail} <span className="mono">{code}</span>
              </details>
            </div>
            <Remedy code={code} dataset={dataset} facets={facets} health={health} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Nothing is wrong: something better is offered. */
const OFFERS: readonly string[] = [
  'EMBEDDING_DEFAULT_CHANGED',
  'CHUNKS_LONGER_THAN_MODEL',
  'SCORE_THRESHOLD_RESCALED',
  'CHUNKING_DEFAULT_CHANGED',
];

const KNOWN = [
  'INDEX_INCOMPLETE',
  'INDEX_UNKNOWN',
  'FAILED_DOCUMENTS',
  'DOCUMENTS_WITHOUT_CHUNKS',
  'EMBEDDING_MODEL_MISSING',
  'EMBEDDING_DEFAULT_CHANGED',
  'STALE_EMBEDDING',
  'CHUNKS_LONGER_THAN_MODEL',
  'CHUNKS_FIT_ANOTHER_MODEL',
  'SCORE_THRESHOLD_RESCALED',
  'STALE_POLICY',
  'CHUNKING_DEFAULT_CHANGED',
] as const;
type Known = (typeof KNOWN)[number];
const isKnown = (code: string): code is Known => KNOWN.some((name) => name === code);

interface RemedyProps extends AdviceProps {
  readonly code: string;
}

function Remedy({ code, dataset, facets, health }: RemedyProps): ReactElement {
  const { id, ingestion_policy_version: version, effective_permissions: permissions } = dataset;
  const failed = dataset.document_counts.failed;
  const stale = health.stale?.policy ?? 0;
  const mayWritePolicy = permissions.includes('policies:write');
  if (code === 'FAILED_DOCUMENTS' && !mayPassAny(facets))
    return (
      <Link className="button" href={documentsAddress(id, { state: 'failed' })}>
        {t('advice.show')}
      </Link>
    );
  if (code === 'FAILED_DOCUMENTS')
    return (
      <ActionButton
        label={t('trouble.retryAll')}
        what={t('trouble.retryWhat', { count: failed })}
        run={() => retryFailed(id)}
      />
    );
  if (code === 'DOCUMENTS_WITHOUT_CHUNKS')
    return (
      <Link className="button" href={documentsAddress(id, { state: 'completed', searchable: 'false' })}>
        {t('advice.show')}
      </Link>
    );
  if (code === 'STALE_EMBEDDING' || code === 'EMBEDDING_DEFAULT_CHANGED' || code === 'SCORE_THRESHOLD_RESCALED')
    return <ActionButton label={t('advice.reembed')} what={t('advice.reembedWhat')} run={() => reembed(id)} />;
  if (code === 'STALE_POLICY')
    return (
      <ActionButton
        label={t('pick.reingest')}
        what={t('advice.readAgainWhat', { count: stale })}
        run={() => readAgain(id, version)}
      />
    );
  if (code === 'CHUNKS_FIT_ANOTHER_MODEL')
    return (
      <ActionButton
        label={t('pick.reingest')}
        what={t('advice.readAgainWhat', { count: dataset.document_counts.completed })}
        run={() => readAgain(id)}
      />
    );
  if (mayWritePolicy && code === 'CHUNKING_DEFAULT_CHANGED')
    return (
      <ActionButton
        label={t('advice.section')}
        what={t('advice.policyWhat')}
        run={() => cutOtherwise(id, { strategy: 'section' })}
      />
    );
  if (mayWritePolicy && code === 'CHUNKS_LONGER_THAN_MODEL')
    return (
      <ActionButton
        label={t('advice.fit')}
        what={t('advice.policyWhat')}
        run={() => cutOtherwise(id, { fit_model: true })}
      />
    );
  return <span className="small quiet">{t('advice.operator')}</span>;
}
