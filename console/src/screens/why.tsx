import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { PlaceHead } from '../frame/place-head';
import { useDataset } from '../frame/queries';
import { formatNumber, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon, type IconName } from '../ui/icon';
import { ErrorNote, Loading, Note } from '../ui/states';
import styles from './why.module.css';

type Explanation = Schema<'ExplainResponse'>;
type Stage = Schema<'ExplainStage'>;

const PICKED = 8;
const OUTCOMES: Readonly<Record<Stage['outcome'], readonly [IconName, string]>> = {
  passed: ['check', ''],
  removed: ['cross', 'out'],
  not_reached: ['dash', 'after'],
  not_used: ['dash', 'after'],
};

/** The stages of a search, and where what was expected fell out. */
export default function Why({ datasetId }: { readonly datasetId: string }): ReactElement {
  const dataset = useDataset(datasetId);
  const [search, setSearch] = useSearchParams();
  const q = search.get('q') ?? '';
  const text = search.get('text') ?? '';
  const document = search.get('document') ?? '';
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
  const choose = (expected: Readonly<Record<string, string>>): void =>
    setSearch(new URLSearchParams({ q, ...expected }));
  return (
    <>
      <PlaceHead dataset={dataset.data} tab="search" />
      <main className="body">
        <p className={`tools small quiet ${styles['crumbs']}`}>
          <Link className="link" href={`/d/${datasetId}/search?q=${encodeURIComponent(q)}`}>
            {t('tab.search')}
          </Link>
          <Icon name="right" />
          {t('why.title')}
        </p>
        <h2 className={styles['asked']}>“{q}”</h2>
        <Expected key={`${text}${document}`} datasetId={datasetId} text={text} document={document} onChoose={choose} />
        {q !== '' && (text !== '' || document !== '') && (
          <Explained datasetId={datasetId} q={q} expected={document === '' ? { text } : { document_id: document }} />
        )}
      </main>
    </>
  );
}

interface ExpectedProps {
  readonly datasetId: string;
  readonly text: string;
  readonly document: string;
  readonly onChoose: (expected: Readonly<Record<string, string>>) => void;
}

/** What should have been found: words of the passage, or a document by its name. */
function Expected({ datasetId, text, document, onChoose }: ExpectedProps): ReactElement {
  const [words, setWords] = useState(text);
  const [name, setName] = useState('');
  const documents = useQuery({
    queryKey: ['documents', datasetId, 'pick', name],
    queryFn: ({ signal }) => {
      const query = { dataset_id: datasetId, q: name, limit: PICKED };
      return dataOf(api.GET('/api/v1/documents/', { params: { query }, signal }));
    },
    enabled: name.length > 1,
  });
  return (
    <section className={styles['expected']} aria-label={t('why.expected')}>
      <h3>{t('why.expected')}</h3>
      <form
        className="tools"
        onSubmit={(event) => {
          event.preventDefault();
          if (words.trim() !== '') onChoose({ text: words.trim() });
        }}
      >
        <label className="input">
          <input
            value={words}
            maxLength={4096}
            aria-label={t('why.words')}
            placeholder={t('why.words')}
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
        <Button type="submit">{t('why.look')}</Button>
        <span className="quiet small">{t('why.or')}</span>
        <label className="input">
          <Icon name="search" />
          <input
            value={name}
            aria-label={t('why.document')}
            placeholder={document === '' ? t('why.document') : t('why.anotherDocument')}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
      </form>
      {documents.data !== undefined && name.length > 1 && (
        <ul className={styles['picks']}>
          {documents.data.items.map((row) => (
            <li key={row.id}>
              <Button look="plain" onPress={() => onChoose({ document: row.id })}>
                {row.path ?? row.name}
              </Button>
            </li>
          ))}
          {documents.data.total === 0 && <li className="quiet small">{t('why.noDocument')}</li>}
        </ul>
      )}
    </section>
  );
}

interface ExplainedProps {
  readonly datasetId: string;
  readonly q: string;
  readonly expected: Schema<'ExpectedDto'>;
}

function Explained({ datasetId, q, expected }: ExplainedProps): ReactElement {
  const explanation = useQuery({
    queryKey: ['explain', datasetId, q, expected],
    queryFn: ({ signal }) =>
      dataOf(api.POST('/api/v1/retrieval/explain', { body: { query: q, dataset_ids: [datasetId], expected }, signal })),
    staleTime: 60_000,
  });
  if (explanation.error !== null)
    return <ErrorNote error={explanation.error} onRetry={() => void explanation.refetch()} />;
  if (explanation.data === undefined) return <Loading lines={8} />;
  const { verdict, code, detail, evidence, stages } = explanation.data;
  const used = stages.filter(({ outcome }) => outcome !== 'not_used');
  const unused = stages.filter(({ outcome }) => outcome === 'not_used');
  return (
    <div className={styles['why']}>
      <div>
        <p className={styles['verdict']}>{t(`verdict.${verdict}`)}</p>
        <p>
          {detail} <span className="mono quiet">{code}</span>
        </p>
        {evidence.document !== null && (
          <p className={styles['missed']}>
            <Link className="link" href={documentAddress(datasetId, explanation.data)}>
              {evidence.document.name}
            </Link>
            {evidence.chunk !== null && (
              <span className="quiet small">
                {' '}
                {t('document.chunk', { number: formatNumber(evidence.chunk.ordinal + 1) })}
              </span>
            )}
          </p>
        )}
        <p className={styles['funnel-head']}>
          <span>{t('why.stage')}</span>
          <span className={styles['count']}>{t('why.passages')}</span>
          <span className={styles['place']}>{t('why.thisOne')}</span>
        </p>
        <ol className={styles['funnel']}>
          {used.map((stage) => (
            <StageRow key={stage.stage} stage={stage} most={Math.max(...used.map(({ list_length: n }) => n ?? 0))} />
          ))}
        </ol>
        {unused.length > 0 && (
          <p className={`small quiet ${styles['unused']}`}>
            {t('why.unused', { stages: unused.map(({ stage }) => t(`funnel.${stage}`)).join(', ') })}
          </p>
        )}
      </div>
      <Help datasetId={datasetId} q={q} explanation={explanation.data} />
    </div>
  );
}

function documentAddress(datasetId: string, { evidence }: Explanation): string {
  const place = evidence.chunk === null ? '' : `?from=${evidence.chunk.char_start}&to=${evidence.chunk.char_end}`;
  return `/d/${datasetId}/documents/${evidence.document?.document_id}${place}`;
}

function StageRow({ stage, most }: { readonly stage: Stage; readonly most: number }): ReactElement {
  const { outcome, list_length: length, rank, limit } = stage;
  const [icon, look] = OUTCOMES[outcome];
  const width = length === null || most < 2 ? 0 : (Math.log10(length + 1) / Math.log10(most + 1)) * 100;
  return (
    <li className={styles[look] ?? ''}>
      <Icon name={icon} />
      <b>{t(`funnel.${stage.stage}`)}</b>
      <span className={styles['width']}>
        <i style={{ width: `${width}%` }} />
      </span>
      <span className={styles['count']}>{length === null ? '' : formatNumber(length)}</span>
      <span className={styles['place']}>
        {rank === null
          ? t(`outcome.${outcome}`)
          : limit === null || outcome !== 'removed'
            ? t('search.rank', { rank })
            : t('why.rankOf', { rank, limit })}
      </span>
      {outcome === 'removed' && <p>{stage.detail}</p>}
    </li>
  );
}

interface HelpProps {
  readonly datasetId: string;
  readonly q: string;
  readonly explanation: Explanation;
}

/** Changes that were tried and bring it back, each a button that searches so. */
function Help({ datasetId, q, explanation }: HelpProps): ReactElement | null {
  const [, go] = useLocation();
  const { suggestions, verdict } = explanation;
  if (verdict === 'retrieved') return null;
  return (
    <aside className={styles['help']}>
      <h2>{t('why.help')}</h2>
      {suggestions.length === 0 && <Note icon="info">{t('why.noHelp')}</Note>}
      {suggestions.length > 0 && (
        <ul className="panel">
          {suggestions.map((suggestion) => (
            <li key={`${suggestion.action}${JSON.stringify(suggestion.change)}`}>
              <p>{suggestion.description}</p>
              <p className="small quiet">{t('why.tried', { rank: suggestion.rank })}</p>
              <Button onPress={() => go(changedSearch(datasetId, q, suggestion.change))}>{t('why.apply')}</Button>
            </li>
          ))}
        </ul>
      )}
      <p className="small">{t('why.verified')}</p>
    </aside>
  );
}

/** The search page with a change, which its address carries whole. */
function changedSearch(datasetId: string, q: string, change: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams({ q, change: JSON.stringify(change) });
  return `/d/${datasetId}/search?${search.toString()}`;
}
