import { useEffect, type ReactElement, type ReactNode } from 'react';
import { t } from '../texts/i18n';
import { Icon } from '../ui/icon';
import { Note } from '../ui/states';
import type { RevisedCitation } from './addresses';
import { numbersOf, piecesOf, type Piece } from './answer-pieces';
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
  const numbers = numbersOf(turn);
  useEffect(() => {
    if (sources.length > 0) void readyDocumentScreen(sources);
  }, [sources]);
  if (turn.withheld !== undefined)
    return (
      <Note icon="info" title={t('ask.withheld')}>
        <p>{t(`withheldWhy.${turn.withheld.code}`)}</p>
      </Note>
    );
  return (
    <>
      <div className="answer">
        {turn.state === 'coming' && turn.text === '' && <p className="quiet">{t('ask.reading')}</p>}
        <p className="prose">
          {piecesOf(turn).map((piece) => shownPiece(piece, { turn, numbers, looked: marker, onCite }))}
          {turn.state === 'coming' && <span className="cursor" />}
        </p>
      </div>
      {turn.table !== undefined && <TableReading table={turn.table} sources={turn.sources} numbers={numbers} />}
      {unsupported > 0 && (
        <p className="aside">
          <Icon name="warn" />
          <span>{t('ask.unsupported', { count: unsupported })}</span>
        </p>
      )}
    </>
  );
}

interface ShownIn extends Pick<AnswerProps, 'onCite'> {
  readonly turn: Answered;
  readonly numbers: ReadonlyMap<string, number>;
  /** The citation that is looked at. */
  readonly looked: string | undefined;
}

function shownPiece(piece: Piece, { turn, numbers, looked, onCite }: ShownIn): ReactNode {
  const { at, text, marker, href } = piece;
  if (marker !== undefined) {
    const number = numbers.get(marker)!;
    const citation = turn.citations.find((one) => one.marker === marker);
    const isHere = marker === looked;
    if (citation === undefined) return <Cite key={at} number={number} />;
    return <CiteLink key={at} number={number} citation={citation} isHere={isHere} onLook={() => onCite(marker)} />;
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

/** The number of a source before it is known whether the answer may cite it. */
const Cite = ({ number }: { readonly number: number }): ReactElement => (
  <>
    {'\u2060'}
    <span className="cite">{number}</span>
  </>
);

interface CiteProps {
  readonly number: number;
  readonly citation: RevisedCitation;
  readonly isHere: boolean;
  readonly onLook: () => void;
}

function CiteLink({ number, citation, isHere, onLook }: CiteProps): ReactElement {
  return (
    <>
      {'\u2060'}
      <PlaceLink
        to={citation}
        className={isHere ? 'cite here' : 'cite'}
        aria-label={t('ask.cite', { number })}
        onLook={onLook}
      >
        {number}
      </PlaceLink>
    </>
  );
}
