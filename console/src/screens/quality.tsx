import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { WritersPlace } from '../frame/writers-place';
import { formatNumber, formatWhen, t } from '../texts/i18n';
import { ErrorNote, Loading } from '../ui/states';
import { Advice } from './quality-advice';
import { Evaluations } from './quality-evaluations';
import { Reembedding } from './quality-reembedding';
import { Questions, questionsQuery } from './quality-questions';
import { Trouble } from './quality-trouble';
import styles from './quality.module.css';

/** While something is under way, its numbers change. */
const BUSY_MS = 4000;
const CALM_MS = 30_000;

/** What of a dataset is not as it should be, each number with its rows and each advice with its button. */
export default function Quality({ datasetId }: { readonly datasetId: string }): ReactElement {
  return (
    <WritersPlace datasetId={datasetId} tab="quality">
      {(dataset) => <QualityPage dataset={dataset} />}
    </WritersPlace>
  );
}

function QualityPage({ dataset }: { readonly dataset: Schema<'Dataset'> }): ReactElement {
  const { pending, processing } = dataset.document_counts;
  const interval = pending + processing > 0 ? BUSY_MS : CALM_MS;
  const path = { id: dataset.id };
  const health = useQuery({
    queryKey: ['quality', dataset.id, 'health'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/datasets/{id}/health', { params: { path }, signal })),
    refetchInterval: interval,
  });
  const facets = useQuery({
    queryKey: ['quality', dataset.id, 'facets'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/documents/facets', { params: { query: { dataset_id: dataset.id } }, signal })),
    refetchInterval: interval,
  });
  const completed = useQuery({
    queryKey: ['quality', dataset.id, 'completed'],
    queryFn: ({ signal }) => {
      const query = { dataset_id: dataset.id, status: 'completed' } as const;
      return dataOf(api.GET('/api/v1/documents/facets', { params: { query }, signal }));
    },
    refetchInterval: interval,
  });
  const questions = useQuery(questionsQuery(dataset.id));
  for (const { error, refetch } of [health, facets, completed])
    if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (health.data === undefined || facets.data === undefined || completed.data === undefined)
    return <Loading lines={10} />;
  return (
    <div className={styles['quality']}>
      <Verdict health={health.data} datasetId={dataset.id} questions={questions.data?.total ?? 0} />
      <Reembedding dataset={dataset} />
      <Advice dataset={dataset} facets={facets.data} health={health.data} />
      <Trouble dataset={dataset} facets={facets.data} completed={completed.data} health={health.data} />
      <Questions datasetId={dataset.id} />
      <Evaluations dataset={dataset} />
    </div>
  );
}

interface VerdictProps {
  readonly health: Schema<'DatasetHealth'>;
  readonly datasetId: string;
  /** Number of questions that were refused, or whose answers were rated down. */
  readonly questions: number;
}

function Verdict({ health, datasetId, questions }: VerdictProps): ReactElement {
  const { status, chunk_count: chunks, index, last_ingestion_at: last } = health;
  return (
    <>
      <h2 className={styles['verdict']}>
        {status === 'healthy' && questions > 0
          ? t('quality.healthyAsked', { count: questions })
          : t(`quality.${status}`)}
      </h2>
      {status === 'empty' ? (
        <p className="quiet">
          {t('quality.emptyHelp')}{' '}
          <Link className="link" href={`/d/${datasetId}/documents`}>
            {t('tab.documents')}
          </Link>
        </p>
      ) : (
        <p className="quiet">
          {[
            t('quality.passages', { count: chunks ?? 0 }),
            ...indexWords(index),
            ...(typeof last === 'string' ? [t('quality.last', { when: formatWhen(last) })] : []),
          ].join(' · ')}
        </p>
      )}
    </>
  );
}

/** Of the index only what is wrong with it. */
function indexWords(index: Schema<'DatasetHealth'>['index']): readonly string[] {
  const stored = index?.stored_rows ?? null;
  if (stored === null) return [t('quality.indexUnknown')];
  const expected = index?.expected_rows ?? 0;
  // While documents are read, or read again, it may hold more than is shown: nothing lacks then.
  if (stored >= expected) return [];
  return [t('quality.index', { stored: formatNumber(stored), expected: formatNumber(expected) })];
}
