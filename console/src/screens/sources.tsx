import type { ReactElement } from 'react';
import type { Schema } from '../api/client';
import { t, type TextKey } from '../texts/i18n';
import { useMedia } from '../ui/media';
import { passageOf, whereOf } from './addresses';
import { numbersOf } from './answer-pieces';
import type { Turn } from './conversation';
import { PlaceLink } from './place-link';
import { CitedPassage, SourcePassage } from './source-passage';
import styles from './ask.module.css';

type Sourced = Pick<Turn, 'question' | 'text' | 'sources' | 'citations' | 'grounding' | 'state' | 'refusal'>;

interface SourcesProps {
  readonly turn: Sourced | undefined;
  /** The citation that is looked at. */
  readonly marker: string | undefined;
  /** Of several answers that are shown, the question of this one is said. */
  readonly isOneOfMany?: boolean;
}

/** Below this width there is no room beside an answer: its sources are below it. */
const NARROW = '(width < 1200px)';

/** Those that are cited or not, in the order of their numbers. */
function sourcesOf(turn: Sourced, areCited: boolean): readonly Numbered[] {
  const numbers = numbersOf(turn);
  return turn.sources
    .filter(({ marker }) => citationsOf(turn, marker).length > 0 === areCited)
    .map((source) => ({ source, number: numbers.get(source.marker)! }))
    .toSorted((one, other) => one.number - other.number);
}

interface Numbered {
  readonly source: Schema<'ChatAnswerSource'>;
  readonly number: number;
}

/** What an answer cites, beside it where there is room. */
export function Sources({ turn, marker, isOneOfMany = false }: SourcesProps): ReactElement | null {
  const isNarrow = useMedia(NARROW);
  if (isNarrow) return null;
  const cited = turn === undefined ? [] : sourcesOf(turn, true);
  return (
    <aside className={styles['sources']} aria-label={t('ask.sources')}>
      <h2>{t('ask.sources')}</h2>
      {isOneOfMany && turn !== undefined && (
        <p className="quiet small cut" title={turn.question}>
          {turn.question}
        </p>
      )}
      {cited.length === 0 && <p className="quiet small">{t(noneWords(turn))}</p>}
      {cited.map((one) => (
        <SourceCard key={one.number} turn={turn!} {...one} isHere={one.source.marker === marker} />
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
  const others = sourcesOf(turn, false);
  // Those of a refusal stand in it.
  if (others.length === 0 || turn.refusal !== undefined) return null;
  return (
    <details className={styles['below']}>
      <summary className="quiet small">{t('ask.notCited', { count: others.length })}</summary>
      {others.map((one) => (
        <SourceCard key={one.number} turn={turn} {...one} isHere={false} />
      ))}
    </details>
  );
}

/** What an answer cites, below it where there is no room beside it: the documents, and on demand the passages. */
export function SourcesBelow({ turn, marker }: SourcesProps & { readonly turn: Sourced }): ReactElement | null {
  const isNarrow = useMedia(NARROW);
  const cited = sourcesOf(turn, true);
  if (!isNarrow || cited.length === 0) return null;
  const names = new Set(cited.map(({ source }) => source.document_name));
  return (
    <details className={styles['below']}>
      <summary>
        <b>{t('ask.sources')}</b> <span className="quiet">{[...names].join(', ')}</span>
      </summary>
      {cited.map((one) => (
        <SourceCard key={one.number} turn={turn} {...one} isHere={one.source.marker === marker} />
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

interface CardProps extends Numbered {
  readonly turn: Sourced;
  readonly isHere: boolean;
}

function SourceCard({ turn, source, number, isHere }: CardProps): ReactElement {
  const citations = citationsOf(turn, source.marker);
  const [first] = citations;
  return (
    <article className={isHere ? 'source here' : 'source'}>
      <header>
        <span className={isHere ? 'cite here' : 'cite'}>{number}</span>
        <span className="cut" title={source.path ?? source.document_name}>
          {source.document_name}
        </span>
      </header>
      <blockquote>
        {first === undefined && <SourcePassage passage={source.text} source={source} most={MOST_SHOWN} />}
        {citations.map(({ id, cited_text: text }) => (
          <CitedPassage key={id} passage={text} source={source} />
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
