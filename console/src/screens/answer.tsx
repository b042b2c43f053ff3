import { useEffect, type ReactElement, type ReactNode } from 'react';
import { t } from '../texts/i18n';
import { Icon } from '../ui/icon';
import { Note } from '../ui/states';
import type { RevisedCitation } from './addresses';
import { piecesOf, type Piece } from './answer-pieces';
import type { Turn } from './conversation';
import { readyDocumentScreen } from './open-ahead';
import { PlaceLink } from './place-link';
import { TableReading } from './table-reading';

type Answered = Pick<Turn, 'text' | 'state' | 'citations' | 'sources' | 'grounding' | 'table' | 'withheld'>;

interface AnswerProps {
  readonly turn: Answered;
  /** The citation that is looked at. */
  readonly marker: string | undefined;
  readonly onCite: (marker: string) => void;
}

/** An answer with its citations; what no source supports is marked, and said below. */
export function Answer({ turn, marker, onCite }: AnswerProps): ReactElement {
  const unsupported = turn.grounding?.unsupported_spans.length ?? 0;
  // They come before the answer.
  const { sources } = turn;
  useEffect(() => {
    if (sources.length > 0) void readyDocumentScreen(sources);
  }, [sources]);
  if (turn.withheld !== undefined)
    return (
      <Note icon="info" title={t('ask.withheld')}>
        <p>{turn.withheld.detail}</p>
      </Note>
    );
  return (
    <>
      <div className="answer">
        {turn.state === 'coming' && turn.text === '' && <p className="quiet">{t('ask.reading')}</p>}
        <p className="prose">
          {piecesOf(turn).map((piece) => shownPiece(piece, turn, marker, onCite))}
          {turn.state === 'coming' && <span className="cursor" />}
        </p>
      </div>
      {turn.table !== undefined && <TableReading table={turn.table} sources={turn.sources} />}
      {unsupported > 0 && (
        <p className="aside">
          <Icon name="warn" />
          <span>{t('ask.unsupported', { count: unsupported })}</span>
        </p>
      )}
    </>
  );
}

function shownPiece(
  piece: Piece,
  turn: Answered,
  looked: string | undefined,
  onCite: AnswerProps['onCite'],
): ReactNode {
  const { at, text, marker, href } = piece;
  const citation = turn.citations.find((one) => one.marker === marker);
  if (citation !== undefined) {
    return <CiteLink key={at} marker={marker!} citation={citation} isHere={marker === looked} onLook={onCite} />;
  }
  if (href !== undefined)
    return (
      <a key={at} href={href} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    );
  const Kind = piece.isCode ? 'code' : piece.isStrong ? 'b' : 'span';
  if (Kind === 'span' && !piece.isUnproven) return text;
  return (
    <Kind key={at} className={piece.isUnproven ? 'unproven' : undefined}>
      {text}
    </Kind>
  );
}

interface CiteProps {
  readonly marker: string;
  readonly citation: RevisedCitation;
  readonly isHere: boolean;
  readonly onLook: (marker: string) => void;
}

function CiteLink({ marker, citation, isHere, onLook }: CiteProps): ReactElement {
  return (
    <>
      {'\u2060'}
      <PlaceLink
        to={citation}
        className={isHere ? 'cite here' : 'cite'}
        aria-label={t('ask.cite', { number: marker.slice(1, -1) })}
        onLook={() => onLook(marker)}
      >
        {marker.slice(1, -1)}
      </PlaceLink>
    </>
  );
}
