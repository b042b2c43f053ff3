import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { formatWhen, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Dot } from '../ui/counts';
import { ErrorNote, Loading } from '../ui/states';
import { evaluationAddress } from './addresses';
import { CaseSetSheet } from './case-set';
import { evaluationQuery } from './evaluation-query';
import { isGoing, stateOf, summaryWords } from './evaluation-words';
import { StartEvaluation } from './start-evaluation';
import styles from './quality.module.css';

type Head = Schema<'EvaluationJobHead'>;
type CaseSet = Schema<'CaseSetHead'>;

const PAGE = 5;
const MOST = 100;
const BUSY_MS = 4000;

/** Test cases that are kept, and what came of asking them. */
export function Evaluations({ dataset }: { readonly dataset: Schema<'Dataset'> }): ReactElement {
  const [limit, setLimit] = useState(PAGE);
  const { id } = dataset;
  const sets = useQuery({
    queryKey: ['case-sets', id],
    queryFn: ({ signal }) => {
      const query = { dataset_id: id, limit: MOST, order_by: 'name' as const };
      return dataOf(api.GET('/api/v1/evaluations/case-sets', { params: { query }, signal }));
    },
  });
  const jobs = useQuery({
    queryKey: ['evaluations', id, limit],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/evaluations/jobs', { params: { query: { dataset_id: id, limit } }, signal })),
    refetchInterval: ({ state }) => (state.data?.items.some(isGoing) === true ? BUSY_MS : false),
    placeholderData: keepPreviousData,
  });
  return (
    <section className={styles['questions']} aria-label={t('evaluations.title')}>
      <div className="section-line">
        <h2>{t('evaluations.title')}</h2>
      </div>
      <p className="quiet small">
        {t(sets.data?.total === 0 && jobs.data?.total === 0 ? 'evaluations.noCases' : 'evaluations.what')}
      </p>
      {[sets, jobs].map(
        ({ error, refetch }, index) =>
          error !== null && <ErrorNote key={index} error={error} onRetry={() => void refetch()} />,
      )}
      {(sets.isPending || jobs.isPending) && <Loading lines={3} />}
      {sets.data !== undefined && sets.data.items.length > 0 && (
        <ul className="panel" aria-label={t('evaluations.sets')}>
          {sets.data.items.map((set) => (
            <SetRow key={set.id} dataset={dataset} set={set} />
          ))}
        </ul>
      )}
      {jobs.data !== undefined && jobs.data.items.length > 0 && (
        <ul className="panel">
          {jobs.data.items.map((job) => (
            <JobRow key={job.id} datasetId={id} job={job} />
          ))}
        </ul>
      )}
      {jobs.data !== undefined && jobs.data.total > limit && limit < MOST && (
        <Button onPress={() => setLimit(Math.min(MOST, limit + 4 * PAGE))}>
          {t('filter.others', { count: jobs.data.total - limit })}
        </Button>
      )}
    </section>
  );
}

/** How many of its cases an evaluation asks. */
export const askedOf = ({ case_count: all, unapproved_count: waiting, outdated_count: outdated }: CaseSet): number =>
  Math.max(0, all - waiting - outdated);

function SetRow({ dataset, set }: { readonly dataset: Schema<'Dataset'>; readonly set: CaseSet }): ReactElement {
  const [isStarting, start] = useState(false);
  const [isLooking, look] = useState(false);
  const { case_count: count, unapproved_count: waiting, outdated_count: outdated } = set;
  const facts = [
    t('case.count', { count }),
    ...(waiting > 0 ? [t('evaluations.waiting', { count: waiting })] : []),
    ...(outdated > 0 ? [t('evaluations.outdated', { count: outdated })] : []),
    formatWhen(set.updated_at),
  ];
  return (
    <li>
      <div>
        <b>{set.name}</b>
        <p className="small quiet">{facts.join(' · ')}</p>
      </div>
      {dataset.effective_permissions.includes('evaluations:run') && (
        <Button aria-label={t('evaluations.casesOf', { name: set.name })} onPress={() => look(true)}>
          {t('evaluation.cases')}
        </Button>
      )}
      {dataset.effective_permissions.includes('evaluations:run') && askedOf(set) > 0 && (
        <Button aria-label={t('evaluations.startOf', { name: set.name })} onPress={() => start(true)}>
          {t('evaluations.start')}
        </Button>
      )}
      {isLooking && <CaseSetSheet set={set} onClose={() => look(false)} />}
      {isStarting && (
        <StartEvaluation datasetId={dataset.id} set={set} count={askedOf(set)} onClose={() => start(false)} />
      )}
    </li>
  );
}

function JobRow({ datasetId, job }: { readonly datasetId: string; readonly job: Head }): ReactElement {
  // A list of evaluations has no figures.
  const detail = useQuery({ ...evaluationQuery(job.id), enabled: job.status === 'completed' });
  const [variant] = detail.data?.summary?.variants ?? [];
  const { look, words } = stateOf(job);
  const facts = [
    t('evaluation.ofCases', { count: job.case_count }),
    ...(variant === undefined ? [] : summaryWords(variant)),
    formatWhen(job.created_at),
  ];
  return (
    <li>
      <div>
        <Link className="link" href={evaluationAddress(datasetId, job.id)}>
          {job.name}
        </Link>
        <p className="small quiet">{facts.join(' · ')}</p>
      </div>
      <span className={`state ${look} ${styles['told']}`}>
        <Dot look={look} />
        {words}
      </span>
    </li>
  );
}
