import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { t } from '../texts/i18n';
import { placeAddress, whereOf } from './addresses';
import type { Turn } from './conversation';
import { useOpenAhead } from './open-ahead';
import styles from './ask.module.css';

type Sourced = Pick<Turn, 'sources' | 'citations' | 'state'>;

interface SourcesProps {
  readonly turn: Sourced | undefined;
  /** The citation that is looked at. */
  readonly marker: string | undefined;
}

/** What an answer cites, beside it. */
export function Sources({ turn, marker }: SourcesProps): ReactElement {
  const cited = (turn?.sources ?? []).filter((source) => citationsOf(turn!, source.marker).length > 0);
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
  const openAhead = useOpenAhead();
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
          <Link
            className="link small push"
            href={placeAddress(first)}
            onMouseEnter={() => openAhead(first)}
            onFocus={() => openAhead(first)}
          >
            {t('ask.open')}
          </Link>
        )}
      </p>
    </article>
  );
}
