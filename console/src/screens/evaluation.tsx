import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { usePageTitle } from '../frame/page-title';
import { WritersPlace } from '../frame/writers-place';
import { formatWhen, t } from '../texts/i18n';
import { Dot } from '../ui/counts';
import { Details } from '../ui/details';
import { Download } from '../ui/download';
import { Icon } from '../ui/icon';
import { ErrorNote, faultOf, Loading, Note } from '../ui/states';
import { evaluationQuery } from './evaluation-query';
import { Causes, Gates, Measures } from './evaluation-figures';
import { Cases } from './evaluation-cases';
import { isGoing, stateOf, summaryWords } from './evaluation-words';
import styles from './evaluation.module.css';

type Job = Schema<'EvaluationJob'>;

const BUSY_MS = 2000;

interface EvaluationProps {
  readonly datasetId: string;
  readonly jobId: string;
}

/** What came of asking the cases of an evaluation: its measures, whether they reach what they had to, and each case. */
export default function Evaluation({ datasetId, jobId }: EvaluationProps): ReactElement {
  return (
    <WritersPlace datasetId={datasetId} tab="quality">
      {(dataset) => <EvaluationPage dataset={dataset} jobId={jobId} />}
    </WritersPlace>
  );
}

function EvaluationPage({
  dataset,
  jobId,
}: {
  readonly dataset: Schema<'Dataset'>;
  readonly jobId: string;
}): ReactElement {
  const job = useQuery({
    ...evaluationQuery(jobId),
    refetchInterval: ({ state }) => (state.data !== undefined && isGoing(state.data) ? BUSY_MS : false),
  });
  usePageTitle(job.data?.name ?? t('evaluations.title'), dataset.name);
  return (
    <div className={styles['evaluation']}>
      <p className="tools small quiet">
        <Link className="link" href={`/d/${dataset.id}/quality`}>
          {t('tab.quality')}
        </Link>
        <Icon name="right" />
        {t('evaluations.title')}
      </p>
      {faultOf(job) !== null && <ErrorNote error={job.error} onRetry={() => void job.refetch()} isPage />}
      {job.isPending && <Loading lines={8} />}
      {faultOf(job) === null && job.data !== undefined && <Shown datasetId={dataset.id} job={job.data} />}
    </div>
  );
}

function Shown({ datasetId, job }: { readonly datasetId: string; readonly job: Job }): ReactElement {
  const { look, words } = stateOf(job);
  const { summary, variants, error } = job;
  const [first] = summary?.variants ?? [];
  const facts = [
    t('evaluation.ofCases', { count: job.case_count }),
    ...(first === undefined ? [] : summaryWords(first)),
    formatWhen(job.ended_at ?? job.created_at),
  ];
  return (
    <>
      <div className="section-line">
        <h2>{job.name}</h2>
        {job.status === 'completed' && (
          <span className="push">
            <Download
              route={`api/v1/evaluations/jobs/${job.id}/report`}
              name={`${job.name}.html`}
              label={t('evaluation.report')}
            />
          </span>
        )}
      </div>
      <p className={styles['facts']}>
        <span className={`state ${look}`} role="status">
          <Dot look={look} />
          {words}
        </span>
        <span className="quiet">{facts.join(' · ')}</span>
      </p>
      {error !== null && (
        <Note kind="bad" icon="warn" title={t('evaluation.failedWhy')}>
          <Details>
            <p lang="en">{error.detail}</p>
            <p className="mono">{error.code}</p>
          </Details>
        </Note>
      )}
      {job.outdated_cases > 0 && <Remark text={t('evaluation.left', { count: job.outdated_cases })} />}
      {summary?.content_changed === true && <Remark text={t('evaluation.changed')} />}
      {summary !== null && (
        <>
          {summary.gates.length > 0 && <Gates gates={summary.gates} isOne={variants.length === 1} />}
          <Measures variants={summary.variants} />
          <Causes variants={summary.variants} />
        </>
      )}
      <Cases datasetId={datasetId} job={job} />
      <Details label={t('evaluation.options')}>
        <p className="mono" lang="en">
          {JSON.stringify(variants)}
        </p>
      </Details>
    </>
  );
}

function Remark({ text }: { readonly text: string }): ReactElement {
  return (
    <p className={`small ${styles['remark']}`}>
      <Icon name="info" />
      {text}
    </p>
  );
}
