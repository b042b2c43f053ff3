import { useState, type ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import type { Schema } from '../api/client';
import { MoreDatasets, useFoundDatasets } from '../frame/find-dataset';
import { FirstDataset } from '../frame/first-dataset';
import { NewDataset } from '../frame/new-dataset';
import { usePageTitle } from '../frame/page-title';
import { openingOf } from '../frame/opening';
import { useDatasets, useMe } from '../frame/queries';
import { SampleDataset } from '../frame/sample-dataset';
import { formatNumber, formatWhen, t } from '../texts/i18n';
import { CountsBar, HealthSentence } from '../ui/counts';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { QuestionBox } from '../ui/question-box';
import { ErrorNote, Loading } from '../ui/states';
import styles from './start.module.css';

/** One question over everything that I may see, and my datasets below. */
export function Start(): ReactElement {
  const [, go] = useLocation();
  usePageTitle(t('frame.start'));
  return (
    <main className={styles['start']}>
      <h1>{t('start.title')}</h1>
      <QuestionBox
        label={t('start.placeholder')}
        isFirst
        onAsk={(question) => go(`/ask?q=${encodeURIComponent(question)}`)}
      />
      <Places />
    </main>
  );
}

function Places(): ReactElement {
  const datasets = useDatasets();
  const me = useMe();
  const [isMaking, make] = useState(false);
  const isWriter = me.data?.permissions.includes('datasets:write') === true;
  const items = datasets.data?.items ?? [];
  const found = useFoundDatasets(items);
  const isAll = items.length === datasets.data?.total;
  const sum = (count: (dataset: Schema<'Dataset'>) => number): string =>
    formatNumber(items.reduce((total, dataset) => total + count(dataset), 0));
  const sums = {
    total: sum(({ document_counts: counts }) => counts.total),
    ready: sum(({ document_counts: counts }) => counts.searchable),
  };
  return (
    <>
      <div className="section-line">
        <h2>{t('frame.datasets')}</h2>
        {items.length > 0 && <span className="quiet small">{t(isAll ? 'start.sum' : 'start.sumFirst', sums)}</span>}
        {isWriter && items.length > 0 && (
          <span className="push">
            <Button onPress={() => make(true)}>
              <Icon name="plus" />
              {t('dataset.new')}
            </Button>
          </span>
        )}
      </div>
      {datasets.isPending && <Loading lines={6} />}
      {datasets.error !== null && <ErrorNote error={datasets.error} onRetry={() => void datasets.refetch()} />}
      {datasets.data?.total === 0 && <FirstDataset />}
      {found.field}
      <MoreDatasets page={datasets.data} />
      {found.items.length > 0 && (
        <ul className={`${styles['places']} panel`}>
          {found.items.map((dataset) => (
            <Place key={dataset.id} dataset={dataset} />
          ))}
        </ul>
      )}
      {isWriter && items.length > 0 && isWithoutSamples(items) && <SampleDataset />}
      {isMaking && <NewDataset onClose={() => make(false)} />}
    </>
  );
}

const isWithoutSamples = (datasets: readonly Schema<'Dataset'>[]): boolean =>
  !datasets.some(({ name }) => name === t('samples.name'));

function Place({ dataset }: { readonly dataset: Schema<'Dataset'> }): ReactElement {
  return (
    <li>
      <div>
        <h3 className="cut">
          <Link href={openingOf(dataset)}>{dataset.name}</Link>
        </h3>
        <p className="cut">{dataset.description ?? t(`sight.${dataset.acl}`)}</p>
      </div>
      <CountsBar counts={dataset.document_counts} />
      <p className="say">
        <HealthSentence dataset={dataset} />
      </p>
      <span className="when">{formatWhen(dataset.updated_at)}</span>
    </li>
  );
}
