import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import type { Schema } from '../api/client';
import { dresserOf, type Dressed } from '../search/markdown-marks';
import { piecesOf, runsOf, type Layers, type Piece, type Stretch } from '../search/text-pieces';
import { formatNumber, t } from '../texts/i18n';
import type { TextFinding } from './document-findings';
import styles from './document.module.css';

type Chunk = Schema<'DocumentChunk'>;
export type TextLayers = Omit<Layers<TextFinding>, 'shared'>;

interface ChunkProps {
  readonly chunk: Chunk;
  readonly before: Chunk | undefined;
  readonly next: Chunk | undefined;
  readonly layers: TextLayers;
  readonly isMarkdown: boolean;
}

/** A chunk between its borders. What it shares with the next one is shown once, here, and shaded. */
export function ChunkText({ chunk, before, next, layers, isMarkdown }: ChunkProps): ReactElement {
  const { char_start: start, char_end: end, heading_path: headings, page, sheet, row } = chunk.position;
  const shown = { from: Math.min(end, Math.max(start, before?.position.char_end ?? 0)), to: end };
  const nextStart = next?.position.char_start ?? end;
  const shared = nextStart < end ? { from: Math.max(start, nextStart), to: end } : undefined;
  const where = [
    headings.at(-1),
    page === null ? undefined : t('place.page', { page }),
    sheet ?? undefined,
    row === null ? undefined : t('place.row', { row }),
  ].filter((part) => part !== undefined && part !== '');
  return (
    <section className={isCited(shown, layers) ? styles['cited'] : ''}>
      <header>
        <b>{t('document.chunk', { number: formatNumber(chunk.ordinal + 1) })}</b>
        <span className="cut">{where.join(', ')}</span>
      </header>
      <Prose text={chunk.text} start={start} stretch={shown} layers={{ ...layers, shared }} isMarkdown={isMarkdown} />
    </section>
  );
}

/** Text that lies in no chunk: no search finds it. */
export function BetweenChunks({
  text,
  stretch,
  layers,
  isMarkdown,
}: {
  readonly text: string;
  readonly stretch: Stretch;
  readonly layers: TextLayers;
  readonly isMarkdown: boolean;
}): ReactElement {
  const names = [styles['between'], isCited(stretch, layers) ? styles['cited'] : ''];
  return (
    <section className={names.join(' ')}>
      <header>
        <span>{t('document.inNoChunk')}</span>
      </header>
      <Prose
        text={text}
        start={stretch.from}
        stretch={stretch}
        layers={{ ...layers, shared: undefined }}
        isMarkdown={isMarkdown}
      />
    </section>
  );
}

const isCited = ({ from, to }: Stretch, { cited }: TextLayers): boolean =>
  cited !== undefined && cited.from < to && cited.to > from;

interface ProseProps {
  /** Holds the stretch; its first code unit is `start` of the canonical text. */
  readonly text: string;
  readonly start: number;
  readonly stretch: Stretch;
  readonly layers: Layers<TextFinding>;
  /** Marks of Markdown are not shown but followed; places in the text stay what they are. */
  readonly isMarkdown: boolean;
}

function Prose({ text, start, stretch, layers, isMarkdown }: ProseProps): ReactElement {
  const dress = isMarkdown ? dresserOf(text) : undefined;
  const of = ({ from, to }: Stretch): ReactNode =>
    dress === undefined ? text.slice(from - start, to - start) : dress(from - start, to - start).map(shownText);
  return (
    <p className={styles['prose']}>
      {runsOf(piecesOf(stretch, layers)).map((run) => {
        const pieces = run.map((piece) => <PieceText key={piece.from} piece={piece} text={of(piece)} />);
        const [first, last] = [run[0]!, run.at(-1)!];
        return first.isCited ? <Marked key={`cited ${first.from} ${last.to}`}>{pieces}</Marked> : pieces;
      })}
    </p>
  );
}

const shownText = ({ text, isStrong }: Dressed, nth: number): ReactNode => (isStrong ? <b key={nth}>{text}</b> : text);

function PieceText({ piece, text }: { readonly piece: Piece<TextFinding>; readonly text: ReactNode }): ReactNode {
  const { finding, hit, isLookedAt, isShared } = piece;
  const element = useRef<HTMLSpanElement>(null);
  const isFirst = hit?.from === piece.from;
  useEffect(() => {
    if (isLookedAt && isFirst) element.current?.scrollIntoView({ block: 'center' });
  }, [isLookedAt, isFirst]);
  if (finding === undefined && hit === undefined && !isShared) return text;
  const names = [
    isShared ? styles['shared'] : '',
    finding === undefined ? '' : styles['finding'],
    hit === undefined ? '' : styles['hit'],
    isLookedAt ? styles['looked-at'] : '',
  ].filter((name) => name !== '');
  const title = finding?.label ?? (isShared ? t('document.shared') : undefined);
  return (
    <span
      ref={element}
      className={names.join(' ')}
      title={title}
      data-finding={finding?.label}
      data-hit={hit === undefined ? undefined : isLookedAt ? 'here' : ''}
    >
      {text}
    </span>
  );
}

/** The first mark of a page comes into sight by itself. */
function Marked({ children }: { readonly children: ReactNode }): ReactElement {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.querySelector('mark') === mark.current) mark.current?.scrollIntoView({ block: 'center' });
  }, []);
  return <mark ref={mark}>{children}</mark>;
}
