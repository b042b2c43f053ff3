import type { ReactElement } from 'react';
import type { Schema } from '../api/client';
import { t } from '../texts/i18n';
import { useMedia } from '../ui/media';
import { whereOf } from './addresses';
import type { Turn } from './conversation';
import { PlaceLink } from './place-link';
import styles from './ask.module.css';

type Sourced = Pick<Turn, 'sources' | 'citations' | 'state'>;

interface SourcesProps {
  readonly turn: Sourced | undefined;
  /** The citation that is looked at. */
  readonly marker: string | undefined;
}

/** Below this width there is no room beside an answer: its sources are below it. */
const NARROW = '(width < 1200px)';

const citedOf = (turn: Sourced): readonly Schema<'ChatAnswerSource'>[] =>
  turn.sources.filter((source) => citationsOf(turn, source.marker).length > 0);

/** What an answer cites, beside it where there is room. */
export function Sources({ turn, marker }: SourcesProps): ReactElement | null {
  const isNarrow = useMedia(NARROW);
  if (isNarrow) return null;
  const cited = turn === undefined ? [] : citedOf(turn);
  const others = (turn?.sources.length ?? 0) - cited.length;
  return (
    <aside className={styles['sources']} aria-label={t('ask.sources')}>
      <h2>{t('ask.sources')}</h2>
      {cited.length === 0 && <p className="quiet small">{t('ask.noSources')}</p>}
      {cited.map((source) => (
        <SourceCard key={source.marker} turn={turn!} source={source} isHere={source.marker === marker} />
      ))}
      {others > 0 && turn?.state === 'done' && <p className="quiet small">{t('ask.notCited', { count: others })}</p>}
    </aside>
  );
}

/** What an answer cites, below it where there is no room beside it: the documents, and on demand the passages. */
export function SourcesBelow({ turn, marker }: SourcesProps & { readonly turn: Sourced }): ReactElement | null {
  const isNarrow = useMedia(NARROW);
  const cited = citedOf(turn);
  if (!isNarrow || cited.length === 0) return null;
  const names = new Set(cited.map(({ document_name: name }) => name));
  return (
    <details className={styles['below']}>
      <summary>
        <b>{t('ask.sources')}</b> <span className="quiet">{[...names].join(', ')}</span>
      </summary>
      {cited.map((source) => (
        <SourceCard key={source.marker} turn={turn} source={source} isHere={source.marker === marker} />
      ))}
    </details>
  );
}

function citationsOf(turn: Sourced, marker: string): readonly Schema<'ChatCitation'>[] {
  return turn.citations.filter((citation) => citation.marker === marker);
}

interface CardProps {
  readonly turn: Sourced;
  readonly source: Schema<'ChatAnswerSource'>;
  readonly isHere: boolean;
}

function SourceCard({ turn, source, isHere }: CardProps): ReactElement {
  const citations = citationsOf(turn, source.marker);
  const [first] = citations;
  return (
    <article className={isHere ? 'source here' : 'source'}>
      <header>
        <span className={isHere ? 'cite here' : 'cite'}>{source.marker.slice(1, -1)}</span>
        <span className="cut" title={source.path ?? source.document_name}>
          {source.document_name}
        </span>
      </header>
      <blockquote>
        {citations.map(({ id, cited_text: text }) => (
          <p key={id}>
            <mark>{text}</mark>
          </p>
        ))}
      </blockquote>
      <p className="tools source-foot">
        <small>{whereOf(source)}</small>
        {first !== undefined && (
          <PlaceLink to={first} className="link small push">
            {t('ask.open')}
          </PlaceLink>
        )}
      </p>
    </article>
  );
}
