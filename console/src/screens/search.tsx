import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { PlaceHead } from '../frame/place-head';
import { useDataset } from '../frame/queries';
import { formatNumber, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { Empty, ErrorNote, Loading } from '../ui/states';
import { placeAddress, whyAddress } from './addresses';
import styles from './search.module.css';

type Result = Schema<'SearchResult'>;

const METHODS = ['hybrid', 'keyword', 'vector'] as const;
type Method = (typeof METHODS)[number];

type Change = Partial<Schema<'SearchRequestDto'>>;

/** The change of a search that an address carries; what is no object is no change. The service refuses what it does not know. */
function changeOf(text: string | null): Change {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    // Somebody has shortened the address: the search runs unchanged.
    return {};
  }
}

const wordsOf = (change: Change): string =>
  Object.entries(change)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

/** Passages for words, with what each channel thought of them. The address holds the search. */
export default function Search({ datasetId }: { readonly datasetId: string }): ReactElement {
  const dataset = useDataset(datasetId);
  const [search, setSearch] = useSearchParams();
  const q = search.get('q') ?? '';
  const method = METHODS.find((name) => name === search.get('method')) ?? 'hybrid';
  const changed = changeOf(search.get('change'));
  if (dataset.error !== null)
    return (
      <main className="body">
        <ErrorNote error={dataset.error} onRetry={() => void dataset.refetch()} />
      </main>
    );
  if (dataset.data === undefined)
    return (
      <main className="body">
        <Loading lines={8} />
      </main>
    );
  const change = (next: Readonly<Record<string, string>>): void =>
    setSearch((before) => new URLSearchParams({ ...Object.fromEntries(before), ...next }));
  return (
    <>
      <PlaceHead dataset={dataset.data} tab="search" />
      <main className="body">
        <SearchField key={q} q={q} onSearch={(value) => change({ q: value })} />
        <div className="tools" role="group" aria-label={t('search.method')}>
          {METHODS.map((name) => (
            <button
              key={name}
              type="button"
              className={name === method ? 'chip on' : 'chip'}
              aria-pressed={name === method}
              onClick={() => change({ method: name })}
            >
              {t(`method.${name}`)}
            </button>
          ))}
          {Object.keys(changed).length > 0 && (
            <button type="button" className="chip on" onClick={() => change({ change: '' })}>
              <span className="mono">{wordsOf(changed)}</span>
              <Icon name="cross" />
              <span className="hidden-text">{t('search.unchange')}</span>
            </button>
          )}
        </div>
        {q !== '' && <Results datasetId={datasetId} q={q} method={method} change={changed} />}
      </main>
    </>
  );
}

function SearchField({ q, onSearch }: { readonly q: string; readonly onSearch: (q: string) => void }): ReactElement {
  const [text, setText] = useState(q);
  return (
    <form
      role="search"
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onSearch(text.trim());
      }}
    >
      <label className="input">
        <Icon name="search" />
        <input
          type="search"
          value={text}
          maxLength={4096}
          autoFocus
          aria-label={t('search.words')}
          placeholder={t('search.words')}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button look="first" type="submit">
        {t('tab.search')}
      </Button>
    </form>
  );
}

interface ResultsProps {
  readonly datasetId: string;
  readonly q: string;
  readonly method: Method;
  readonly change: Change;
}

function Results({ datasetId, q, method, change }: ResultsProps): ReactElement {
  const found = useQuery({
    queryKey: ['search', datasetId, q, method, change],
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/api/v1/retrieval/search', {
          body: {
            query: q,
            dataset_ids: [datasetId],
            search_method: method,
            include: ['text', 'highlights'],
            ...change,
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  if (found.error !== null) return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Loading lines={8} />;
  const { results, retrieval } = found.data;
  if (results.length === 0) {
    return (
      <div className={styles['results']}>
        <Empty title={t('search.nothing')}>
          <Link className="button" href={whyAddress(datasetId, q)}>
            {t('refused.why')}
          </Link>
        </Empty>
      </div>
    );
  }
  return (
    <>
      <p className={`quiet small ${styles['line']}`}>
        {t('search.found', { count: results.length, chunks: formatNumber(retrieval.counts.chunks_in_scope) })}
        {' · '}
        {formatNumber(Math.round(retrieval.timings_ms.total))} ms
        <Link className="link push" href={whyAddress(datasetId, q)}>
          {t('search.missing')}
        </Link>
      </p>
      {retrieval.warnings.map(({ code, detail }) => (
        <p key={code} className="aside">
          <Icon name="warn" />
          {detail}
        </p>
      ))}
      <ol className={styles['results']}>
        {results.map((result, index) => (
          <ResultRow key={result.chunk_id} result={result} rank={index + 1} />
        ))}
      </ol>
    </>
  );
}

function ResultRow({ result, rank }: { readonly result: Result; readonly rank: number }): ReactElement {
  const { position, document_name: name, path, scores, ranks, score } = result;
  const address = placeAddress({
    ...result,
    source_char_start: position.char_start,
    source_char_end: position.char_end,
    page: position.page,
  });
  return (
    <li>
      <span className={styles['rank']}>{rank}</span>
      <div>
        <p className={styles['where']}>
          <Link className="cut" href={address} title={path ?? name}>
            {name}
          </Link>
          <small>
            {[
              position.heading_path.at(-1),
              position.page === null ? undefined : t('place.page', { page: position.page }),
            ]
              .filter((part) => part !== undefined)
              .join(', ')}
          </small>
        </p>
        <blockquote>
          <Highlighted result={result} />
        </blockquote>
      </div>
      <dl className={styles['channels']}>
        {(['keyword', 'vector'] as const).map((channel) => (
          <div key={channel}>
            <dt>{t(`method.${channel}`)}</dt>
            <dd>
              <span className="bar" aria-hidden="true">
                <i style={{ flexGrow: scores[channel] === null ? 0 : 1 / (ranks[channel] ?? 100) + 0.02 }} />
                <span style={{ flexGrow: 1 - (scores[channel] === null ? 0 : 1 / (ranks[channel] ?? 100)) }} />
              </span>
              {ranks[channel] === null ? t('search.notIn') : t('search.rank', { rank: ranks[channel] })}
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('search.score')}</dt>
          <dd>{score.toFixed(3)}</dd>
        </div>
      </dl>
    </li>
  );
}

/** The passage with the words of the search marked. Offsets are those of the canonical text. */
function Highlighted({ result }: { readonly result: Result }): ReactElement {
  const { text = '', highlights = [], position } = result;
  const spans = highlights
    .flatMap(({ matches }) => matches)
    .map(({ char_start: start, char_end: end }) => [start - position.char_start, end - position.char_start] as const)
    .filter(([start, end]) => start >= 0 && end <= text.length && end > start)
    .toSorted(([a], [b]) => a - b);
  let at = 0;
  return (
    <>
      {spans.map(([start, end]) => {
        if (start < at) return null;
        const before = text.slice(at, start);
        at = end;
        return (
          <span key={start}>
            {before}
            <mark>{text.slice(start, end)}</mark>
          </span>
        );
      })}
      {text.slice(at)}
    </>
  );
}
