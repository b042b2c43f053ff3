import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { formatNumber, t } from '../texts/i18n';
import { Dot } from '../ui/counts';
import { More } from '../ui/rows';
import { ErrorNote, Loading } from '../ui/states';
import { whyOf } from './addresses';
import { caseSetQuery, expectedWords } from './case-set';
import { caseWords, isGoing, missesOf, noMissesWords } from './evaluation-words';
import { nextSkip } from './members';
import { reasonWords, refusalWords } from './why-words';
import styles from './evaluation.module.css';

const PAGE = 20;
const BUSY_MS = 4000;

interface CasesProps {
  readonly datasetId: string;
  readonly job: Schema<'EvaluationJob'>;
}

/** Each case with what came of it; those of which nothing relevant was found alone, where that is wanted. */
export function Cases({ datasetId, job }: CasesProps): ReactElement {
  const [isMissed, show] = useState(false);
  const list = useInfiniteQuery({
    // Once more at its end.
    queryKey: ['evaluation-results', job.id, job.status, isMissed],
    initialPageParam: 0,
    queryFn: ({ pageParam: skip, signal }) =>
      dataOf(
        api.GET('/api/v1/evaluations/jobs/{job_id}/results', {
          params: { path: { job_id: job.id }, query: { skip, limit: PAGE, misses: isMissed } },
          signal,
        }),
      ),
    getNextPageParam: nextSkip,
    refetchInterval: isGoing(job) ? BUSY_MS : false,
    placeholderData: keepPreviousData,
  });
  const { case_set_id: set, case_set_version: version } = job;
  // As it was asked; of a set that is gone, or of so old a version, nothing is said.
  const asked = useQuery({ ...caseSetQuery(set ?? '', version ?? undefined), enabled: set !== null, retry: false });
  const expected = new Map(asked.data?.cases.map((one) => [one.query, expectedWords(one)]));
  const results = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section aria-label={t('evaluation.cases')}>
      <div className="section-line">
        <h3>{t('evaluation.cases')}</h3>
        <span className="tools" role="group" aria-label={t('evaluation.which')}>
          {[false, true].map((isOnly) => (
            <button
              key={String(isOnly)}
              type="button"
              className={isOnly === isMissed ? 'chip on' : 'chip'}
              aria-pressed={isOnly === isMissed}
              onClick={() => show(isOnly)}
            >
              {t(isOnly ? 'evaluation.misses' : 'evaluation.all')}
              {job.summary !== null && (
                <b>{formatNumber(isOnly ? missesOf(job.summary) : job.case_count * job.variants.length)}</b>
              )}
            </button>
          ))}
        </span>
      </div>
      {list.error !== null && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading lines={6} />}
      {list.data !== undefined && results.length === 0 && (
        <p className="quiet small">
          {isMissed && job.status === 'completed' ? noMissesWords(job.summary) : t('evaluation.noneYet')}
        </p>
      )}
      {results.length > 0 && (
        <ul className="panel">
          {results.map((result) => (
            <CaseRow
              key={`${result.case} ${result.variant}`}
              datasetId={datasetId}
              result={result}
              expected={expected.get(result.query) ?? []}
              isOne={job.variants.length === 1}
            />
          ))}
        </ul>
      )}
      <More list={list} />
    </section>
  );
}

interface CaseRowProps {
  readonly datasetId: string;
  readonly result: Schema<'CaseResult'>;
  /** What should come of it, in words. */
  readonly expected: readonly string[];
  readonly isOne: boolean;
}

function CaseRow({ datasetId, result, expected, isOne }: CaseRowProps): ReactElement {
  const { query, variant, miss, answer } = result;
  const { isGood, words } = caseWords(result);
  const address = new URLSearchParams({ q: query });
  if (answer !== null) address.set('purpose', 'chat');
  return (
    <li>
      <div>
        <b>{query}</b>
        <p className={`small ${styles['came']}`}>
          <Dot look={isGood ? 'ready' : 'failed'} />
          {[...words, ...(isOne ? [] : [variant])].join(' · ')}
        </p>
        {expected.map((sentence) => (
          <p key={sentence} className="small quiet">
            {sentence}
          </p>
        ))}
        {miss !== null && <p className="small quiet">{reasonWords(miss.code, miss.detail)}</p>}
        {answer !== null && answer.refusal !== null && <p className="small quiet">{refusalWords(answer.refusal)}</p>}
      </div>
      {!isGood && (
        <Link className="button" href={whyOf(datasetId, address)}>
          {t('questions.why')}
        </Link>
      )}
    </li>
  );
}
