import { useEffect, useState, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Schema } from '../api/client';
import { useSearch } from '../search/use-search';
import type { SearchOptions } from '../search/search-options';
import { formatNumber, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { Empty, ErrorNote, Loading, faultOf } from '../ui/states';
import { ApiSheet } from './api-sheet';
import { whyOf } from './addresses';
import { readyDocumentScreen, useFirstPlace } from './open-ahead';
import { channelsOf, citationOf, ResultRow } from './search-row';
import { TOP_KS } from './search-settings';
import { noticeWords } from './why-words';
import styles from './search.module.css';

interface SearchResultsProps {
  readonly datasetId: string;
  readonly q: string;
  readonly options: SearchOptions;
  readonly onCompare: () => void;
  readonly onOptions: (options: SearchOptions) => void;
}

/** The passages of one search, best first. */
export function SearchResults({ datasetId, q, options, onCompare, onOptions }: SearchResultsProps): ReactElement {
  const found = useSearch(datasetId, q, options);
  const [address] = useSearchParams();
  const [isApi, showApi] = useState(false);
  const shown = found.data?.results;
  useEffect(() => {
    if (shown !== undefined && shown.length > 0) void readyDocumentScreen(shown.map(({ position }) => position));
  }, [shown]);
  const first = shown?.[0];
  useFirstPlace(first === undefined ? undefined : citationOf(first));
  if (faultOf(found) !== null) return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Loading lines={8} />;
  const { results } = found.data;
  const channels = channelsOf(results);
  const look = address.get('look');
  const more = moreThan(found.data, options);
  return (
    <>
      <div className={styles['line']}>
        <FoundSentence answer={found.data} options={options} />
        <span className="push tools">
          {/* Where nothing was found, what stands below leads there. */}
          {found.data.results.length > 0 && (
            <Link className="link small" href={whyOf(datasetId, address)}>
              {t('search.missing')}
            </Link>
          )}
          <Button onPress={onCompare}>{t('search.compare')}</Button>
          <Button onPress={() => showApi(true)}>{t('search.api')}</Button>
        </span>
      </div>
      <Warnings answer={found.data} />
      {results.length === 0 ? (
        <NothingFound datasetId={datasetId} address={address} />
      ) : (
        <ol className={styles['results']}>
          {results.map((result, index) => (
            <ResultRow
              key={result.chunk_id}
              q={q}
              result={result}
              rank={index + 1}
              channels={channels}
              isSought={result.chunk_id === look}
            />
          ))}
        </ol>
      )}
      {more !== undefined && (
        <Button isDisabled={found.isPlaceholderData} onPress={() => onOptions({ ...options, top_k: more })}>
          {t('search.more')}
        </Button>
      )}
      {isApi && <ApiSheet datasetId={datasetId} q={q} options={options} onClose={() => showApi(false)} />}
    </>
  );
}

/** The next larger number of results, where the search may have left some out. */
function moreThan(
  { results, retrieval }: Schema<'SearchResponse'>,
  { top_k: asked }: SearchOptions,
): number | undefined {
  const count = results.length;
  const isFull = asked === undefined ? TOP_KS.includes(count) : count >= asked;
  return isFull && count < retrieval.counts.chunks_in_scope ? TOP_KS.find((number) => number > count) : undefined;
}

interface FoundProps {
  readonly answer: Schema<'SearchResponse'>;
  readonly options: SearchOptions;
}

/** "10 passages, best first; 230 were searched · 12 ms": with filters only those of the 230 that they leave, however many these are. */
export function FoundSentence({ answer, options }: FoundProps): ReactElement {
  const { results, retrieval } = answer;
  const words = options.filters === undefined ? 'search.found' : 'search.foundFiltered';
  return (
    <p className="quiet small" role="status">
      {t(words, { count: results.length, chunks: formatNumber(retrieval.counts.chunks_in_scope) })}
      {' · '}
      {formatNumber(Math.round(retrieval.timings_ms.total))}&nbsp;ms
    </p>
  );
}

export function Warnings({ answer }: { readonly answer: Schema<'SearchResponse'> }): ReactElement {
  const sentences = [...new Set(answer.retrieval.warnings.map(noticeWords))];
  return (
    <>
      {sentences.map((sentence) => (
        <p key={sentence} className="aside">
          <Icon name="warn" />
          {sentence}
        </p>
      ))}
    </>
  );
}

interface NothingFoundProps {
  readonly datasetId: string;
  readonly address: URLSearchParams;
}

export function NothingFound({ datasetId, address }: NothingFoundProps): ReactElement {
  return (
    <div className={styles['nothing']}>
      <Empty title={t('search.nothing')}>
        <p>{t('search.nothingHelp')}</p>
        <Link className="button" href={whyOf(datasetId, address)}>
          {t('refused.why')}
        </Link>
      </Empty>
    </div>
  );
}
