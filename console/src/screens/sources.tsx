import type { ReactElement } from 'react';
import type { Schema } from '../api/client';
import { readableOf } from '../search/markdown-marks';
import { t, type TextKey } from '../texts/i18n';
import { ReadablePassage } from '../ui/dressed-text';
import { useMedia } from '../ui/media';
import { passageOf, whereOf } from './addresses';
import type { Turn } from './conversation';
import { PlaceLink } from './place-link';
import styles from './ask.module.css';

type Sourced = Pick<Turn, 'question' | 'sources' | 'citations' | 'state' | 'refusal'>;

interface SourcesProps {
  readonly turn: Sourced | undefined;
  /** The citation that is looked at. */
  readonly marker: string | undefined;
  /** Of several answers that are shown, the question of this one is said. */
  readonly isOneOfMany?: boolean;
}

/** Below this width there is no room beside an answer: its sources are below it. */
const NARROW = '(width < 1200px)';

const citedOf = (turn: Sourced): readonly Schema<'ChatAnswerSource'>[] =>
  turn.sources.filter((source) => citationsOf(turn, source.marker).length > 0);

/** What an answer cites, beside it where there is room. */
export function Sources({ turn, marker, isOneOfMany = false }: SourcesProps): ReactElement | null {
  const isNarrow = useMedia(NARROW);
  if (isNarrow) return null;
  const cited = turn === undefined ? [] : citedOf(turn);
  return (
    <aside className={styles['sources']} aria-label={t('ask.sources')}>
      <h2>{t('ask.sources')}</h2>
      {isOneOfMany && turn !== undefined && (
        <p className="quiet small cut" title={turn.question}>
          {turn.question}
        </p>
      )}
      {cited.length === 0 && <p className="quiet small">{t(noneWords(turn))}</p>}
      {cited.map((source) => (
        <SourceCard key={source.marker} turn={turn!} source={source} isHere={source.marker === marker} />
      ))}
      {turn?.state === 'done' && <NotCited key={turn.question} turn={turn} />}
    </aside>
  );
}

function noneWords(turn: Sourced | undefined): TextKey {
  if (turn?.state === 'coming') return 'ask.reading';
  return turn?.refusal !== undefined && turn.sources.length > 0 ? 'ask.onlyNear' : 'ask.noSources';
}

/** The passages that were found beside those that are cited. */
function NotCited({ turn }: { readonly turn: Sourced }): ReactElement | null {
  const others = turn.sources.filter((source) => citationsOf(turn, source.marker).length === 0);
  // Those of a refusal stand in it.
  if (others.length === 0 || turn.refusal !== undefined) return null;
  return (
    <details className={styles['below']}>
      <summary className="quiet small">{t('ask.notCited', { count: others.length })}</summary>
      {others.map((source) => (
        <SourceCard key={source.marker} turn={turn} source={source} isHere={false} />
      ))}
    </details>
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
      {turn.state === 'done' && <NotCited turn={turn} />}
    </details>
  );
}

function citationsOf(turn: Sourced, marker: string): readonly Schema<'ChatCitation'>[] {
  return turn.citations.filter((citation) => citation.marker === marker);
}

/** So much is shown of a passage that is not cited. */
const MOST_SHOWN = 320;

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
        {first === undefined && <ReadablePassage text={source.text} most={MOST_SHOWN} />}
        {citations.map(({ id, cited_text: text }) => (
          <p key={id}>
            <mark>{readableOf(text)}</mark>
          </p>
        ))}
      </blockquote>
      <p className="tools source-foot">
        <small>{whereOf(first ?? source)}</small>
        <PlaceLink to={first ?? passageOf(source)} className="link small push">
          {t('ask.open')}
        </PlaceLink>
      </p>
    </article>
  );
}
