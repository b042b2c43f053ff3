import { useState, type ReactElement, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { ErrorNote } from '../ui/states';
import { placeAddress, whereOf, whyAddress } from './addresses';
import type { Turn } from './conversation';

interface TurnProps {
  readonly turn: Turn;
  /** Id of the dataset, or `''` for all. */
  readonly place: string;
  /** The citation that is looked at. */
  readonly marker: string | undefined;
  readonly onCite: (marker: string) => void;
  readonly onAgain: () => void;
}

const NEAREST = 3;
const NEAREST_LENGTH = 320;

export function TurnView({ turn, place, marker, onCite, onAgain }: TurnProps): ReactElement {
  return (
    <article className="turn" aria-busy={turn.state === 'coming'}>
      <h2 className="asked">{turn.question}</h2>
      {turn.refusal === undefined ? (
        <Answer turn={turn} marker={marker} onCite={onCite} />
      ) : (
        <Refused turn={turn} place={place} />
      )}
      {turn.state === 'failed' && <ErrorNote error={turn.error} onRetry={onAgain} />}
      {turn.state === 'stopped' && <p className="aside">{t('ask.stopped')}</p>}
      {turn.state !== 'coming' && turn.state !== 'failed' && <Acts turn={turn} onAgain={onAgain} />}
    </article>
  );
}

function Answer({ turn, marker, onCite }: Pick<TurnProps, 'turn' | 'marker' | 'onCite'>): ReactElement {
  const unsupported = turn.grounding?.unsupported_spans.length ?? 0;
  return (
    <>
      <div className="answer" aria-live="polite">
        {turn.state === 'coming' && turn.text === '' && <p className="quiet">{t('ask.reading')}</p>}
        <p className="prose">
          {piecesOf(turn, marker, onCite)}
          {turn.state === 'coming' && <span className="cursor" />}
        </p>
      </div>
      {unsupported > 0 && (
        <p className="aside">
          <Icon name="warn" />
          <span>{t('ask.unsupported', { count: unsupported })}</span>
        </p>
      )}
    </>
  );
}

/** The text in pieces: markers become buttons that open their place, what no source supports is underlined. */
function piecesOf(turn: Turn, marker: string | undefined, onCite: (marker: string) => void): ReactNode[] {
  const spans = turn.grounding?.unsupported_spans ?? [];
  const pieces: ReactNode[] = [];
  const put = (from: number, to: number): void => {
    if (to <= from) return;
    const isUnproven = spans.some(({ start, end }) => from >= start && to <= end);
    const text = turn.text.slice(from, to);
    pieces.push(
      isUnproven ? (
        <span key={from} className="unproven">
          {text}
        </span>
      ) : (
        text
      ),
    );
  };
  const cuts = (from: number, to: number): void => {
    const borders = spans.flatMap(({ start, end }) => [start, end]).filter((border) => border > from && border < to);
    const all = [from, ...borders.toSorted((a, b) => a - b), to];
    for (const [index, border] of all.entries()) put(border, all[index + 1] ?? border);
  };
  let at = 0;
  for (const match of turn.text.matchAll(/\[\d+\]/g)) {
    const [found] = match;
    const citation = turn.citations.find((one) => one.marker === found);
    if (citation === undefined) continue;
    cuts(at, match.index);
    pieces.push(
      <CiteLink
        key={match.index}
        marker={found}
        href={placeAddress(citation)}
        isHere={found === marker}
        onLook={onCite}
      />,
    );
    at = match.index + found.length;
  }
  cuts(at, turn.text.length);
  return pieces;
}

interface CiteProps {
  readonly marker: string;
  readonly href: string;
  readonly isHere: boolean;
  readonly onLook: (marker: string) => void;
}

function CiteLink({ marker, href, isHere, onLook }: CiteProps): ReactElement {
  return (
    <>
      {'\u2060'}
      <Link
        href={href}
        className={isHere ? 'cite here' : 'cite'}
        aria-label={t('ask.cite', { number: marker.slice(1, -1) })}
        onMouseEnter={() => onLook(marker)}
        onFocus={() => onLook(marker)}
      >
        {marker.slice(1, -1)}
      </Link>
    </>
  );
}

function Refused({ turn, place }: Pick<TurnProps, 'turn' | 'place'>): ReactElement {
  const refusal = turn.refusal!;
  const dataset = place === '' ? turn.sources[0]?.dataset_id : place;
  return (
    <div className="refused">
      <p>
        <b>{t('refused.title')}</b> {refusal.message}
      </p>
      {refusal.missing_words.length > 0 && (
        <p className="looked">
          {t('refused.missing')}
          {refusal.missing_words.map((word) => (
            <span key={word} className="missing">
              {word}
            </span>
          ))}
        </p>
      )}
      {turn.sources.length > 0 && (
        <>
          <h3>{t('refused.nearest')}</h3>
          <ul className="near">
            {turn.sources.slice(0, NEAREST).map((source) => (
              <li key={source.marker}>
                <blockquote>{shortened(source.text)}</blockquote>
                <Link className="link small" href={nearAddress(source)}>
                  {source.document_name}
                </Link>{' '}
                <small>{whereOf(source)}</small>
              </li>
            ))}
          </ul>
        </>
      )}
      {dataset !== undefined && (
        <p className="note-acts">
          <Link className="button" href={whyAddress(dataset, turn.question)}>
            {t('refused.why')}
          </Link>
        </p>
      )}
    </div>
  );
}

const shortened = (text: string): string =>
  text.length > NEAREST_LENGTH ? `${text.slice(0, NEAREST_LENGTH)} …` : text;

const nearAddress = (source: Turn['sources'][number]): string =>
  placeAddress({ ...source, source_char_start: source.char_start, source_char_end: source.char_end });

function Acts({ turn, onAgain }: { readonly turn: Turn; readonly onAgain: () => void }): ReactElement {
  const [isCopied, setCopied] = useState(false);
  const [location] = useLocation();
  const sources = turn.citations.map(({ marker, document_name: name, page }) =>
    page === null ? `${marker} ${name}` : `${marker} ${name}, ${t('place.page', { page })}`,
  );
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText([turn.question, '', turn.text, '', ...new Set(sources)].join('\n'));
    setCopied(true);
  };
  return (
    <div className="acts" key={location}>
      {turn.text !== '' && (
        <Button look="plain" onPress={() => void copy()}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          {t(isCopied ? 'ask.copied' : 'ask.copy')}
        </Button>
      )}
      <Button look="plain" onPress={onAgain}>
        <Icon name="retry" />
        {t('ask.again')}
      </Button>
    </div>
  );
}
