import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import type { SearchOptions } from '../search/search-options';
import { isFoundByParts } from '../search/word-parts';
import { formatNumber, t } from '../texts/i18n';
import { Details } from '../ui/details';
import { Icon, type IconName } from '../ui/icon';
import { ErrorNote, faultOf, Loading } from '../ui/states';
import type { Looked } from './why-expected';
import { HoldsForAll, type Applied } from './why-for-all';
import { Help } from './why-help';
import { farWords, reasonWords, refusalWords, removedWords, unmetWords, verdictWords, widthOf } from './why-words';
import styles from './why.module.css';

type Explanation = Schema<'ExplainResponse'>;
type Stage = Schema<'ExplainStage'>;

const OUTCOMES: Readonly<Record<Stage['outcome'], readonly [IconName, string]>> = {
  passed: ['check', ''],
  removed: ['cross', 'out'],
  not_reached: ['dash', 'after'],
  not_used: ['dash', 'after'],
};

interface ExplainedProps {
  readonly datasetId: string;
  readonly q: string;
  readonly looked: Looked;
  readonly purpose: 'search' | 'chat';
  /** Whether the question holds words of earlier ones. */
  readonly isFollowUp: boolean;
  readonly options: SearchOptions;
}

/** What became of the passage at each stage, and what would bring it back. */
export function Explained({ datasetId, q, looked, purpose, isFollowUp, options }: ExplainedProps): ReactElement {
  const body = {
    ...options,
    query: q,
    dataset_ids: options.dataset_ids ?? [datasetId],
    expected: expectedOf(looked),
    purpose,
    follow_up: isFollowUp,
  } as Schema<'ExplainRequestDto'>;
  const explanation = useQuery({
    queryKey: ['explain', body],
    queryFn: ({ signal }) => dataOf(api.POST('/api/v1/retrieval/explain', { body, signal })),
  });
  const [applied, apply] = useState<Applied>();
  return (
    <>
      {applied !== undefined && (
        <HoldsForAll
          datasetId={datasetId}
          applied={applied}
          explanation={explanation.isFetching ? undefined : explanation.data}
          onUndone={() => apply(undefined)}
        />
      )}
      {faultOf(explanation) !== null && (
        <ErrorNote error={explanation.error} onRetry={() => void explanation.refetch()} />
      )}
      {explanation.isPending && <Loading lines={8} />}
      {faultOf(explanation) === null && explanation.data !== undefined && (
        <div className={styles['why']}>
          <div>
            <Verdict datasetId={datasetId} explanation={explanation.data} />
            <Funnel stages={explanation.data.stages} evidence={explanation.data.evidence} />
            <Terms explanation={explanation.data} />
            <ServiceWords explanation={explanation.data} />
          </div>
          <Help
            datasetId={datasetId}
            q={q}
            options={options}
            explanation={explanation.data}
            purpose={purpose}
            onForAll={apply}
          />
        </div>
      )}
    </>
  );
}

function expectedOf({ text, document, chunk }: Looked): Schema<'ExpectedDto'> {
  if (chunk !== '') return { chunk_id: chunk };
  return { ...(document === '' ? {} : { document_id: document }), ...(text === '' ? {} : { text }) };
}

interface VerdictProps {
  readonly datasetId: string;
  readonly explanation: Explanation;
}

function Verdict({ datasetId, explanation }: VerdictProps): ReactElement {
  const { verdict, code, detail, evidence } = explanation;
  const conditions = evidence.unmet_conditions;
  return (
    <>
      <p className={styles['verdict']} role="status">
        {verdictWords(verdict, code)}
      </p>
      <p>{code === 'NOT_IN_CANDIDATES' ? farWords(evidence.words) : reasonWords(code, detail)}</p>
      {explanation.answer?.is_refused === true && <Refused answer={explanation.answer} />}
      {conditions.length > 0 && (
        <ul className="small">
          {conditions.map((condition) => (
            <li key={condition.pointer}>{t('why.unmet', { condition: unmetWords(condition) })}</li>
          ))}
        </ul>
      )}
      {evidence.document !== null && (
        <p className={styles['missed']}>
          <Link className="link" href={documentAddress(datasetId, explanation)}>
            {evidence.document.path ?? evidence.document.name}
          </Link>
          <span className="quiet small">
            {evidence.chunk !== null && ` ${t('document.chunk', { number: formatNumber(evidence.chunk.ordinal + 1) })}`}
            {evidence.expected_chunks > 1 && ` · ${t('why.furthest', { count: evidence.expected_chunks })}`}
          </span>
        </p>
      )}
    </>
  );
}

/** Whatever became of the passage: an answer is refused, and for want of what. */
function Refused({ answer }: { readonly answer: Schema<'ExplainedAnswer'> }): ReactElement {
  const { code, missing_words: words } = answer;
  return (
    <p className="small quiet">
      {refusalWords(code)}
      {words.length > 0 && ` · ${t('refused.missing')} ${words.join(', ')}`}
    </p>
  );
}

function documentAddress(datasetId: string, { evidence }: Explanation): string {
  const place = evidence.chunk === null ? '' : `?from=${evidence.chunk.char_start}&to=${evidence.chunk.char_end}`;
  const { document_id: id, dataset_id: home } = evidence.document!;
  return `/d/${home ?? datasetId}/documents/${id}${place}`;
}

interface FunnelProps {
  readonly stages: readonly Stage[];
  readonly evidence: Explanation['evidence'];
}

function Funnel({ stages, evidence }: FunnelProps): ReactElement | null {
  if (stages.length === 0) return null;
  const used = stages.filter(({ outcome }) => outcome !== 'not_used');
  const unused = stages.filter(({ outcome }) => outcome === 'not_used');
  // Missing in one channel is no end while another one has it.
  const passed = used.findLastIndex(({ outcome }) => outcome === 'passed');
  const most = Math.max(...used.map(({ list_length: length }) => length ?? 0));
  return (
    <>
      <p className={styles['funnel-head']}>
        <span>{t('why.stage')}</span>
        <span className={styles['count']}>{t('why.passages')}</span>
        <span className={styles['place']}>{t('why.thisOne')}</span>
      </p>
      <ol className={styles['funnel']}>
        {used.map((stage, index) => (
          <StageRow
            key={stage.stage}
            stage={stage}
            most={most}
            isEnd={stage.outcome === 'removed' && index > passed}
            isByParts={stage.stage === 'keyword' && isFoundByParts(evidence)}
          />
        ))}
      </ol>
      {unused.length > 0 && (
        <p className={`small quiet ${styles['unused']}`}>
          {t('why.unused', { stages: unused.map(({ stage }) => t(`funnel.${stage}`)).join(', ') })}
        </p>
      )}
    </>
  );
}

interface StageRowProps {
  readonly stage: Stage;
  /** The longest list of all stages. */
  readonly most: number;
  /** Here it fell out. */
  readonly isEnd: boolean;
  /** Whether it is in the list for parts of words alone. */
  readonly isByParts: boolean;
}

function StageRow({ stage, most, isEnd, isByParts }: StageRowProps): ReactElement {
  const { outcome, list_length: length, rank, limit } = stage;
  const [icon, usual] = OUTCOMES[outcome];
  const look = outcome === 'removed' && !isEnd ? 'after' : usual;
  const place =
    rank === null
      ? t(`outcome.${outcome}`)
      : limit === null || outcome !== 'removed'
        ? t('search.rank', { rank: formatNumber(rank) })
        : t('why.rankOf', { rank: formatNumber(rank), limit: formatNumber(limit) });
  return (
    <li
      className={styles[look] ?? ''}
      data-stage={stage.stage}
      data-outcome={outcome}
      data-end={isEnd ? '' : undefined}
    >
      <Icon name={icon} />
      <b>{t(`funnel.${stage.stage}`)}</b>
      <span className={styles['width']}>
        <i style={{ width: widthOf(length, most) }} />
      </span>
      <span className={styles['count']}>{length === null ? '' : formatNumber(length)}</span>
      <span className={styles['place']}>{place}</span>
      {isEnd && <p>{removedWords(stage)}</p>}
      {isByParts && outcome === 'passed' && <p>{t('why.byParts')}</p>}
    </li>
  );
}

/** The words of the question: those that stand in the passage, those that stand in others, and those that stand in none. */
function Terms({ explanation }: { readonly explanation: Explanation }): ReactElement | null {
  const { words } = explanation.evidence;
  if (words.length === 0) return null;
  return (
    <>
      <h2 className={styles['terms-head']}>{t('why.terms')}</h2>
      <ul className={`tools ${styles['terms']}`}>
        {words.map(({ word, occurs, in_chunk: isThere }) => (
          <li key={word} className={isThere ? '' : styles['lacks']}>
            <Icon name={isThere ? 'check' : occurs ? 'dash' : 'cross'} />
            {word}
            {isThere ? (
              <span className="hidden-text">{t('why.termThere')}</span>
            ) : (
              <small>{t(occurs ? 'why.termElsewhere' : 'why.occursNot')}</small>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The codes and sentences of the service, in English, to quote to those who run it. */
function ServiceWords({ explanation }: { readonly explanation: Explanation }): ReactElement {
  const { code, detail, evidence, stages, suggestions, request_id: request } = explanation;
  return (
    <Details>
      <p>
        <span className="mono">{code}</span> {detail}
      </p>
      {evidence.unmet_conditions.map((condition) => (
        <p key={condition.pointer}>
          <span className="mono">{condition.pointer}</span> {condition.detail}
        </p>
      ))}
      {stages
        .filter(({ outcome }) => outcome === 'passed' || outcome === 'removed')
        .map(({ stage, detail: sentence }) => (
          <p key={stage}>
            <span className="mono">{stage}</span> {sentence}
          </p>
        ))}
      {suggestions.map((suggestion) => (
        <p key={JSON.stringify(suggestion.change)} className="mono">
          {JSON.stringify(suggestion.change)}
        </p>
      ))}
      <p className="mono">{request}</p>
    </Details>
  );
}
