import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { filterWords } from '../search/filter-words';
import type { SearchOptions } from '../search/search-options';
import { datasetQuery } from '../frame/queries';
import { formatNumber, t, type TextKey } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Details } from '../ui/details';
import { ReadablePassage } from '../ui/styled-text';
import { Icon, type IconName } from '../ui/icon';
import { ErrorNote, Loading, faultOf } from '../ui/states';
import { documentsAddress } from './addresses';
import { STANDINGS, type Standing } from './document-filter';
import { formatShare, noticeWords, reasonWords, refusalWords, unmetWords, widthOf } from './why-words';
import styles from './why.module.css';

type Overview = Schema<'SearchOverview'>;
type Stage = Schema<'OverviewStage'>;
type Passage = Schema<'OverviewPassage'>;

const SHOWN_LENGTH = 320;
interface OverviewProps {
  readonly datasetId: string;
  readonly q: string;
  readonly purpose: 'search' | 'chat';
  /** Whether the question holds words of earlier ones. */
  readonly isFollowUp: boolean;
  readonly options: SearchOptions;
  /** Explains one passage. */
  readonly onLook: (chunk: string) => void;
}

/** What the search did, before anything is named that it should have found. */
export function SearchOverview({ datasetId, q, purpose, isFollowUp, options, onLook }: OverviewProps): ReactElement {
  const { dataset_ids: asked } = options;
  const datasets: readonly string[] = Array.isArray(asked) ? asked.map(String) : [datasetId];
  const body = {
    ...options,
    query: q,
    dataset_ids: datasets,
    purpose,
    follow_up: isFollowUp,
  } as Schema<'SearchOverviewRequest'>;
  const overview = useQuery({
    queryKey: ['explain', 'overview', body],
    queryFn: ({ signal }) => dataOf(api.POST('/api/v1/retrieval/overview', { body, signal })),
  });
  if (faultOf(overview) !== null) return <ErrorNote error={overview.error} onRetry={() => void overview.refetch()} />;
  if (overview.data === undefined) return <Loading lines={8} />;
  const { data } = overview;
  return (
    <div className={styles['overview']}>
      <div>
        <p className={styles['verdict']} role="status">
          {verdictOf(data)}
        </p>
        <Notices overview={data} />
        <p className={styles['funnel-head']}>
          <span>{t('why.stage')}</span>
          <span className={styles['count']}>{t('why.left')}</span>
        </p>
        <ol className={`${styles['funnel']} ${styles['plain']} ${isMissed(data) ? styles['failed'] : ''}`}>
          <DocumentsRows datasets={datasets} datasetId={datasetId} />
          <StageRows overview={data} />
          <AnswerRow answer={data.answer} />
        </ol>
        <Words words={data.words} />
        <OverviewDetails body={body} overview={data} />
      </div>
      <Passages overview={data} onLook={onLook} />
    </div>
  );
}

/** Nothing came of it: that a stage left something is no success then. */
function isMissed({ answer, retrieval: { counts } }: Overview): boolean {
  return counts.returned === 0 || answer?.is_refused === true;
}

function verdictOf({ answer, retrieval: { counts } }: Overview): string {
  if (counts.returned === 0) return t('why.foundNothing');
  const found = t('why.found', { count: counts.returned });
  if (answer === null) return found;
  return answer.is_refused ? `${found} ${refusalWords(answer.code)}` : `${found} ${t('why.answers')}`;
}

/** What the service noticed, each once. */
function Notices({ overview }: { readonly overview: Overview }): ReactElement | null {
  const sentences = [...new Set(overview.retrieval.warnings.map(noticeWords))];
  if (sentences.length === 0) return null;
  return (
    <ul className={styles['notices']}>
      {sentences.map((sentence) => (
        <li key={sentence}>
          <Icon name="info" />
          {sentence}
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  readonly stage: string;
  readonly name: string;
  readonly count: number | null;
  /** What fills the bar; null for what is counted in another unit than the rows around it. */
  readonly most: number | null;
  readonly icon?: IconName;
  readonly children?: ReactNode;
}

function FunnelRow({ stage, name, count, most, icon = 'check', children }: RowProps): ReactElement {
  return (
    <li data-stage={stage} className={icon === 'cross' ? styles['fell'] : undefined}>
      <Icon name={icon} />
      <b>{name}</b>
      <span className={styles['width']}>{most !== null && <i style={{ width: widthOf(count, most) }} />}</span>
      <span className={styles['count']}>{count === null ? '' : formatNumber(count)}</span>
      {children !== undefined && <p>{children}</p>}
    </li>
  );
}

const UNFIT = [
  ['pending', 'why.waiting'],
  ['processing', 'why.underWay'],
  ['failed', 'why.failed'],
  ['quarantined', 'why.held'],
  ['without_text', 'health.withoutText'],
] as const satisfies readonly (readonly [Standing, TextKey])[];

/** The documents by what keeps them from being found, each number with its documents. */
function DocumentsRows({
  datasets,
  datasetId,
}: {
  readonly datasets: readonly string[];
  readonly datasetId: string;
}): ReactElement {
  const counted = useQueries({ queries: datasets.map((id) => datasetQuery(id)) });
  const failed = counted.find(({ error }) => error !== null);
  const all = counted.flatMap(({ data }) => data ?? []);
  if (failed !== undefined)
    return (
      <li>
        <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />
      </li>
    );
  if (counted.some(({ isPending }) => isPending))
    return (
      <li>
        <Loading />
      </li>
    );
  const count = (name: keyof Schema<'DocumentCountsDto'>): number =>
    all.reduce((sum, { document_counts: counts }) => sum + counts[name], 0);
  return (
    <FunnelRow stage="documents" name={t('why.documents')} count={count('searchable')} most={null}>
      {t('why.ofDocuments', { count: count('total') })}
      {UNFIT.filter(([name]) => count(name) > 0).map(([name, words]) => (
        <span key={name}>
          {' · '}
          {/* The list of documents is that of one dataset. */}
          {datasets.length > 1 ? (
            t(words, { count: count(name) })
          ) : (
            <Link className="link" href={documentsAddress(datasets[0] ?? datasetId, STANDINGS[name])}>
              {t(words, { count: count(name) })}
            </Link>
          )}
        </span>
      ))}
    </FunnelRow>
  );
}

function StageRows({ overview }: { readonly overview: Overview }): ReactElement {
  const { stages, filters } = overview;
  const used = stages.filter((stage) => stage.used);
  const most = Math.max(...used.map(({ list_length: length }) => length ?? 0));
  return (
    <>
      {used.map((stage) =>
        stage.stage === 'filters' && filters !== null ? (
          <FilterRow key={stage.stage} filters={filters} />
        ) : (
          <FunnelRow
            key={stage.stage}
            stage={stage.stage}
            name={t(stage.stage === 'scope' ? 'why.searchable' : `funnel.${stage.stage}`)}
            count={stage.list_length}
            most={most}
            icon={stage.list_length === 0 ? 'cross' : 'check'}
          >
            {limitWords(stage)}
          </FunnelRow>
        ),
      )}
    </>
  );
}

/** Where it ends: the stages may all leave something, and the question is refused. */
function AnswerRow({ answer }: Pick<Overview, 'answer'>): ReactElement | null {
  if (answer === null) return null;
  const { is_refused: isRefused, code } = answer;
  return (
    <FunnelRow stage="answer" name={t('why.answer')} count={null} most={null} icon={isRefused ? 'cross' : 'check'}>
      {isRefused ? refusalWords(code) : t('why.answers')}
    </FunnelRow>
  );
}

function limitWords({ stage, limit }: Stage): string | undefined {
  if (limit === null || stage === 'mmr') return undefined;
  return stage === 'threshold'
    ? t('why.least', { limit: formatShare(limit) })
    : t('why.most', { limit: formatNumber(limit) });
}

/** Which condition removes how many documents. */
function FilterRow({ filters }: { readonly filters: NonNullable<Overview['filters']> }): ReactElement {
  const { documents, documents_met: met, conditions, is_complete: isComplete } = filters;
  return (
    <li data-stage="filters">
      <Icon name={met === 0 ? 'cross' : 'check'} />
      <b>{t('funnel.filters')}</b>
      <span className={styles['filtered']}>
        {t(isComplete ? 'why.filtered' : 'why.filteredFirst', {
          met: formatNumber(met),
          documents: formatNumber(documents),
        })}
      </span>
      {conditions.length > 0 && (
        <ul>
          {conditions.map(({ pointer, condition, documents_met: each, documents_removed_alone: alone }) => (
            <li key={pointer}>
              <b>{filterWords(condition) ?? t('why.ownFilter')}</b>
              {': '}
              {t('why.removes', { count: documents - each })}
              {alone > 0 && conditions.length > 1 && `, ${t('why.removesAlone', { count: alone })}`}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The words of the question, those first that are nowhere. */
function Words({ words }: { readonly words: Overview['words'] }): ReactElement | null {
  if (words.length === 0) return null;
  const nowhere = words.filter(({ occurs }) => !occurs);
  return (
    <>
      <h2 className={styles['terms-head']}>{t('why.terms')}</h2>
      <p className="small">{nowhere.length === 0 ? t('why.allOccur') : t('why.nowhere', { count: nowhere.length })}</p>
      <ul className={`tools ${styles['terms']}`}>
        {words.map(({ word, occurs }) => (
          <li key={word} className={occurs ? '' : styles['lacks']}>
            <Icon name={occurs ? 'check' : 'cross'} />
            {word}
            <span className="hidden-text">{t(occurs ? 'why.occurs' : 'why.occursNot')}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface PassagesProps {
  readonly overview: Overview;
  readonly onLook: (chunk: string) => void;
}

/** The best of what was found, before what was left out and why. */
function Passages({ overview, onLook }: PassagesProps): ReactElement {
  const { returned, nearest } = overview;
  return (
    <div className={styles['passages']}>
      {returned.length > 0 && (
        <>
          <h2>{t('why.best')}</h2>
          <ul className="near">
            {returned.map((passage) => (
              <PassageRow key={passage.chunk_id} passage={passage} />
            ))}
          </ul>
        </>
      )}
      <h2>{t('why.nearest')}</h2>
      {nearest.length === 0 && <p className="small quiet">{t('why.noNearest')}</p>}
      <ul className="near">
        {nearest.map((passage) => (
          <PassageRow key={passage.chunk_id} passage={passage}>
            <p className={styles['because']}>{becauseOf(passage)}</p>
            <Button look="plain" onPress={() => onLook(passage.chunk_id)}>
              {t('why.whyThis')}
            </Button>
          </PassageRow>
        ))}
      </ul>
    </div>
  );
}

function becauseOf({ code, rank, unmet_conditions: unmet }: Passage): string {
  const reason = reasonWords(code ?? 'RETRIEVED', code ?? '');
  if (code === 'METADATA_FILTER' && unmet.length > 0) return `${reason} ${unmet.map(unmetWords).join('; ')}`;
  return rank === null ? reason : `${reason} ${t('why.atRank', { rank: formatNumber(rank) })}`;
}

function PassageRow({ passage, children }: { readonly passage: Passage; readonly children?: ReactNode }): ReactElement {
  const { dataset_id: dataset, document_id: document, char_start: from, char_end: to, page, text } = passage;
  return (
    <li>
      <blockquote>
        <ReadablePassage text={text} most={SHOWN_LENGTH} />
      </blockquote>
      <Link className="link small" href={`/d/${dataset}/documents/${document}?from=${from}&to=${to}`}>
        {passage.path ?? passage.document_name}
      </Link>{' '}
      {page !== null && <small>{t('place.page', { page })}</small>}
      {children}
    </li>
  );
}

interface DetailsProps {
  readonly body: Schema<'SearchOverviewRequest'>;
  readonly overview: Overview;
}

function OverviewDetails({ body, overview }: DetailsProps): ReactElement {
  const { warnings } = overview.retrieval;
  return (
    <Details>
      {warnings.map(({ code, detail }) => (
        <p key={code + detail}>
          <span className="mono">{code}</span> {detail}
        </p>
      ))}
      <p className="mono">{JSON.stringify(body)}</p>
      <p className="mono">{JSON.stringify(overview.retrieval.counts)}</p>
    </Details>
  );
}
