import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { formatWhen, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { ErrorNote, Loading } from '../ui/states';
import { whyOf } from './addresses';
import { CaseSheet } from './keep-case';
import { refusalWords } from './why-words';
import styles from './quality.module.css';

type Question = Schema<'DatasetQuestion'>;

const PAGE = 10;
const MOST = 100;
const OUTCOMES = ['refused', 'rated_down'] as const;

/** The first of them, unless told otherwise. */
export const questionsQuery = (
  datasetId: string,
  query: { readonly limit: number; readonly outcome?: (typeof OUTCOMES)[number] } = { limit: PAGE },
) =>
  queryOptions({
    queryKey: ['quality', datasetId, 'questions', query],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/datasets/{id}/questions', { params: { path: { id: datasetId }, query }, signal })),
  });

/** Questions that were refused, or whose answers were rated down: one step from each to an evaluation case, to its search and to its reason. */
export function Questions({ datasetId }: { readonly datasetId: string }): ReactElement {
  const [address, setAddress] = useSearchParams();
  const [limit, setLimit] = useState(PAGE);
  const outcome = OUTCOMES.find((name) => name === address.get('outcome'));
  const query = { limit, ...(outcome === undefined ? {} : { outcome }) };
  const questions = useQuery({ ...questionsQuery(datasetId, query), placeholderData: keepPreviousData });
  return (
    <section className={styles['questions']} aria-label={t('questions.title')}>
      <div className="section-line">
        <h2>{t('questions.title')}</h2>
        <span className="tools" role="group" aria-label={t('questions.outcome')}>
          {[undefined, ...OUTCOMES].map((name) => (
            <button
              key={name ?? 'all'}
              type="button"
              className={name === outcome ? 'chip on' : 'chip'}
              aria-pressed={name === outcome}
              onClick={() => setAddress(name === undefined ? {} : { outcome: name })}
            >
              {t(`asked.${name ?? 'all'}`)}
            </button>
          ))}
        </span>
      </div>
      {questions.error !== null && <ErrorNote error={questions.error} onRetry={() => void questions.refetch()} />}
      {questions.isPending && <Loading lines={4} />}
      {questions.data?.total === 0 && <p className="quiet small">{t('questions.none')}</p>}
      {questions.data !== undefined && questions.data.total > 0 && (
        <ul className="panel">
          {questions.data.items.map((question) => (
            <QuestionRow key={question.id} datasetId={datasetId} question={question} />
          ))}
        </ul>
      )}
      {questions.data !== undefined && questions.data.total > limit && limit < MOST && (
        <Button onPress={() => setLimit(Math.min(MOST, limit + PAGE))}>
          {t('filter.others', { count: questions.data.total - limit })}
        </Button>
      )}
    </section>
  );
}

/** What a rated answer lacked goes along: what was found is no answer to why it was rated so. */
function whyOfQuestion({ rated_down: down, remarks }: Question, q: string): URLSearchParams {
  const address = new URLSearchParams({ q, purpose: 'chat' });
  if (down > 0) address.set('wanted', remarks.find(({ expected }) => expected !== null)?.expected ?? '');
  return address;
}

interface QuestionRowProps {
  readonly datasetId: string;
  readonly question: Question;
}

function QuestionRow({ datasetId, question }: QuestionRowProps): ReactElement {
  const [isKeeping, keep] = useState(false);
  const { question: words, refused, rated_down: down, case: made, remarks } = question;
  const facts = [
    refused > 0 ? t('questions.refused', { count: refused }) : undefined,
    down > 0 ? t('questions.ratedDown', { count: down }) : undefined,
    formatWhen(question.last_asked_at),
    ...question.refusal_codes.map(refusalWords),
  ].filter((fact) => fact !== undefined);
  return (
    <li>
      <div>
        {words === null ? <i className="quiet">{t('questions.hidden')}</i> : <b>{words}</b>}
        <p className="small quiet">{facts.join(' · ')}</p>
        {remarks.map(({ reason, expected, created_at: at }) => (
          <div key={at} className={`small ${styles['remark']}`}>
            {reason !== null && <p>{reason}</p>}
            {expected !== null && <p>{t('questions.expected', { answer: expected })}</p>}
          </div>
        ))}
      </div>
      {words !== null && (
        <span className="tools">
          {made !== null && <Button onPress={() => keep(true)}>{t('case.keep')}</Button>}
          <Link className="button" href={`/d/${datasetId}/search?${new URLSearchParams({ q: words }).toString()}`}>
            {t('search.go')}
          </Link>
          <Link className="button" href={whyOf(datasetId, whyOfQuestion(question, words))}>
            {t('questions.why')}
          </Link>
        </span>
      )}
      {isKeeping && made !== null && (
        <CaseSheet
          datasetId={datasetId}
          kept={{ query: made.query, expected_answer: made.expected_answer, tags: made.tags }}
          onClose={() => keep(false)}
        />
      )}
    </li>
  );
}
