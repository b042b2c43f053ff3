import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import type { Schema } from '../api/client';
import { excerptOf, spansOf, unwrapped } from '../search/excerpt';
import { styledReaderOf } from '../search/markdown-marks';
import { formatNumber, formatScore, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { StyledText } from '../ui/styled-text';
import type { RevisedCitation } from './addresses';
import { KeepCase } from './keep-case';
import { PlaceLink } from './place-link';
import styles from './search.module.css';

export type Result = Schema<'SearchResult'>;
export type Channel = 'keyword' | 'vector' | 'kg' | 'rerank';

const CHANNELS: readonly Channel[] = ['keyword', 'vector', 'kg', 'rerank'];

/** The channels that had something to say of these results. */
export function channelsOf(results: readonly Result[]): readonly Channel[] {
  return CHANNELS.filter((channel) => results.some(({ scores }) => scores[channel] !== null));
}

/** The passage as a place of its document. */
export const citationOf = (result: Result): RevisedCitation => ({
  ...result,
  source_char_start: result.position.char_start,
  source_char_end: result.position.char_end,
  page: result.position.page,
});

interface ResultRowProps {
  readonly q: string;
  readonly result: Result;
  readonly rank: number;
  readonly channels: readonly Channel[];
  /** What somebody looked for, and has come back by a change of the search. */
  readonly isSought?: boolean;
}

export function ResultRow({ q, result, rank, channels, isSought = false }: ResultRowProps): ReactElement {
  const [isKeeping, keep] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSought) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSought]);
  return (
    <li ref={row} className={isSought ? styles['sought'] : undefined} data-chunk={result.chunk_id}>
      <span className={styles['rank']}>{formatNumber(rank)}</span>
      <div>
        <Where result={result}>{isSought && <span className={styles['tag']}>{t('search.sought')}</span>}</Where>
        <Passage result={result}>
          <Button look="plain" onPress={() => keep(true)}>
            {t('case.keep')}
          </Button>
        </Passage>
      </div>
      <Scores result={result} channels={channels} />
      {isKeeping && <KeepCase q={q} result={result} onClose={() => keep(false)} />}
    </li>
  );
}

/** Document, folder (names may be there twice), heading and page, which lead to the place. */
export function Where({ result, children }: { readonly result: Result; readonly children?: ReactNode }): ReactElement {
  const { position, document_name: name, path } = result;
  const folder = path?.slice(0, path.lastIndexOf('/') + 1);
  const parts = [folder === '' ? undefined : folder, position.heading_path.at(-1)].filter((part) => part !== undefined);
  const at = [
    position.page === null ? undefined : t('place.page', { page: position.page }),
    position.row === null ? undefined : t('place.row', { row: position.row }),
  ].filter((part) => part !== undefined);
  return (
    <p className={styles['where']}>
      <PlaceLink to={citationOf(result)} className="cut" title={path ?? name}>
        {name}
      </PlaceLink>
      <small className={styles['place']}>
        <span className="cut">{parts.join(', ')}</span>
        {at.length > 0 && <span>{[...(parts.length > 0 ? [''] : []), ...at].join(', ')}</span>}
      </small>
      {children}
    </p>
  );
}

interface PassageProps {
  readonly result: Result;
  readonly most?: number;
  /** Further buttons below it. */
  readonly children?: ReactNode;
}

const MOST_SHOWN = 480;

/** The passage with the words of the search marked; a long one from its first marked sentence on, until all of it is asked for. */
export function Passage({ result, most = MOST_SHOWN, children }: PassageProps): ReactElement {
  const [isWhole, showWhole] = useState(false);
  const text = unwrapped(result.text ?? '');
  const spans = spansOf(result);
  const { start, end } = isWhole ? { start: 0, end: text.length } : excerptOf(text, spans, most);
  return (
    <>
      <blockquote>
        {start > 0 && '… '}
        <Marked text={text} start={start} end={end} spans={spans} />
        {end < text.length && ' …'}
      </blockquote>
      <p className="actions">
        {(isWhole || start > 0 || end < text.length) && (
          <Button look="plain" aria-expanded={isWhole} onPress={() => showWhole(!isWhole)}>
            {t(isWhole ? 'search.less' : 'search.whole')}
          </Button>
        )}
        {children}
      </p>
    </>
  );
}

interface MarkedProps {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly spans: ReturnType<typeof spansOf>;
}

const BLANK_LINES = /\n\s*\n/g;

function Marked({ text, start, end, spans }: MarkedProps): ReactElement {
  const readStyled = styledReaderOf(text);
  const read = (from: number, to: number): ReactElement => (
    <StyledText
      pieces={readStyled(from, to).map((piece) => ({ ...piece, text: piece.text.replaceAll(BLANK_LINES, '\n') }))}
    />
  );
  const shown = spans.filter((span) => span.start >= start && span.end <= end);
  return (
    <>
      {shown.map((span, index) => (
        <span key={span.start}>
          {read(shown[index - 1]?.end ?? start, span.start)}
          <mark>{read(span.start, span.end)}</mark>
        </span>
      ))}
      {read(shown.at(-1)?.end ?? start, end)}
    </>
  );
}

interface ScoresProps {
  readonly result: Result;
  readonly channels: readonly Channel[];
}

/** What each channel thought of it, and the score that counts, all from 0 to 1 as the service gives them. */
export function Scores({ result: { scores, ranks, score }, channels }: ScoresProps): ReactElement {
  return (
    <dl className={styles['channels']}>
      {channels.map((channel) => (
        <Score key={channel} label={t(`channel.${channel}`)} value={scores[channel]} rank={ranks[channel]} />
      ))}
      <Score label={t('search.score')} value={score} isFinal />
    </dl>
  );
}

interface ScoreProps {
  readonly label: string;
  readonly value: number | null;
  readonly rank?: number | null;
  readonly isFinal?: boolean;
}

function Score({ label, value, rank, isFinal = false }: ScoreProps): ReactElement {
  const share = Math.min(1, Math.max(0, value ?? 0));
  return (
    <div className={isFinal ? styles['final'] : undefined}>
      <dt>{label}</dt>
      <dd>
        <span className="bar" aria-hidden="true">
          {value !== null && <i style={{ flexGrow: share }} />}
          <span style={{ flexGrow: 1 - share }} />
        </span>
        {value === null ? t('search.notIn') : formatScore(value)}
        {typeof rank === 'number' && <small>{t('search.rank', { rank: formatNumber(rank) })}</small>}
      </dd>
    </div>
  );
}
