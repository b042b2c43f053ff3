import { Fragment, useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { styledReaderOf } from '../search/markdown-marks';
import { markdownBlocksOf } from '../search/markdown-tables';
import { blocksOf, headRowsOf, isNumber, tabledBlocksOf, type SheetBlock } from '../search/sheet-rows';
import { piecesOf, runsOf, type Layers, type Piece, type Stretch } from '../search/text-pieces';
import { t } from '../texts/i18n';
import { StyledText } from '../ui/styled-text';
import type { TextFinding } from './document-findings';
import styles from './document.module.css';

/** How the text of a document is set: with the marks of Markdown followed, as the table of a sheet, as prose with tables, or as it is written. */
export type TextSet = 'markdown' | 'sheet' | 'tabled' | 'plain';

const SETS: Readonly<Record<string, TextSet>> = {
  'text/markdown': 'markdown',
  'text/csv': 'sheet',
  'text/tab-separated-values': 'sheet',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'sheet',
  'application/vnd.ms-excel': 'sheet',
  'application/vnd.oasis.opendocument.spreadsheet': 'sheet',
  'application/vnd.oasis.opendocument.spreadsheet-flat-xml': 'sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'tabled',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'tabled',
  'application/vnd.oasis.opendocument.text': 'tabled',
  'application/vnd.oasis.opendocument.text-flat-xml': 'tabled',
  'application/vnd.oasis.opendocument.presentation': 'tabled',
  'application/vnd.oasis.opendocument.presentation-flat-xml': 'tabled',
  'application/pdf': 'tabled',
  'application/epub+zip': 'tabled',
  'message/rfc822': 'tabled',
  'application/mbox': 'tabled',
  'multipart/related': 'tabled',
  'text/html': 'tabled',
};

/** In a text of another kind a number sign is a number sign, and a bar a bar. */
export const setOf = (mediaType: string): TextSet => SETS[mediaType] ?? 'plain';

interface ProseProps {
  /** Holds the stretch; its first code unit is `start` of the canonical text. */
  readonly text: string;
  readonly start: number;
  readonly stretch: Stretch;
  readonly layers: Layers<TextFinding>;
  readonly set: TextSet;
  /** Names of the columns, where the text begins with rows that go on with a table. */
  readonly columns?: readonly string[] | undefined;
}

/** A stretch of the canonical text and what lies over it; places in the text stay what they are. */
export function Prose({ text, start, stretch, layers, set, columns }: ProseProps): ReactElement {
  const readStyled = set === 'markdown' ? styledReaderOf(text) : undefined;
  const of = ({ from, to }: Stretch): ReactNode =>
    readStyled === undefined ? (
      text.slice(from - start, to - start)
    ) : (
      <StyledText pieces={readStyled(from - start, to - start)} />
    );
  return (
    <>
      {blocksIn(text, start, stretch, set).map((block, nth) =>
        'rows' in block ? (
          <SheetRows
            key={block.from}
            {...block}
            columns={nth === 0 ? columns : undefined}
            text={text}
            start={start}
            layers={layers}
            of={of}
          />
        ) : (
          <Line key={block.from} stretch={block} layers={layers} of={of} />
        ),
      )}
    </>
  );
}

/** What it is set as, in order. */
export function blocksIn(text: string, start: number, stretch: Stretch, set: TextSet): readonly SheetBlock[] {
  if (set === 'plain') return [stretch];
  if (set === 'markdown') return markdownBlocksOf(text, start, stretch);
  const shown = text.slice(stretch.from - start, stretch.to - start);
  return set === 'sheet' ? blocksOf(shown, stretch.from) : tabledBlocksOf(shown, stretch.from);
}

interface LineProps {
  readonly stretch: Stretch;
  readonly layers: Layers<TextFinding>;
  readonly of: (stretch: Stretch) => ReactNode;
}

const Line = (props: LineProps): ReactElement => (
  <p className={styles['prose']}>
    <Marks {...props} />
  </p>
);

function Marks({ stretch, layers, of }: LineProps): ReactElement {
  return (
    <>
      {runsOf(piecesOf(stretch, layers)).map((run) => {
        const pieces = run.map((piece) => <PieceText key={piece.from} piece={piece} text={of(piece)} />);
        const [first, last] = [run[0]!, run.at(-1)!];
        const key = `${first.from} ${last.to}`;
        return first.isCited ? <Marked key={key}>{pieces}</Marked> : <Fragment key={key}>{pieces}</Fragment>;
      })}
    </>
  );
}

interface RowsProps extends Omit<LineProps, 'stretch'> {
  /** Holds the rows; its first code unit is `start` of the canonical text. */
  readonly text: string;
  readonly start: number;
  readonly rows: readonly (readonly Stretch[])[];
  readonly hasHeads: boolean;
  /** Names of the columns that stand in another part of the text. */
  readonly columns: readonly string[] | undefined;
}

/** From so many columns on no cell is broken for room: the table can be moved. */
const MANY_COLUMNS = 7;

function SheetRows({ text, start, rows, hasHeads, columns, layers, of }: RowsProps): ReactElement {
  const words = (cell: Stretch): string => text.slice(cell.from - start, cell.to - start);
  const headRows = hasHeads ? headRowsOf(rows.map((row) => row.map(words))) : 0;
  const others = rows.slice(headRows);
  // Numbers stand below each other at their ends.
  const isAtEnd = (cell: Stretch | undefined): boolean => cell !== undefined && isNumber(words(cell));
  const classOf = (cell: Stretch | undefined): string | undefined => (isAtEnd(cell) ? styles['number'] : undefined);
  // A column's name stands as its values do.
  const headClass = (nth: number): string | undefined => classOf(others[0]?.[nth]);
  return (
    <Scrolled>
      <table className={(rows[0]?.length ?? 0) >= MANY_COLUMNS ? styles['wide'] : undefined}>
        {headRows > 0 && (
          <thead>
            {rows.slice(0, headRows).map((heads) => (
              <tr key={heads[0]!.from}>
                {heads.map((cell, nth) => (
                  <th key={cell.from} className={headClass(nth)}>
                    <Marks stretch={cell} layers={layers} of={of} />
                  </th>
                ))}
              </tr>
            ))}
          </thead>
        )}
        {columns !== undefined && (
          <thead>
            <tr>
              {columns.map((name, nth) => (
                <th key={nth} className={headClass(nth)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {others.map((row) => (
            <tr key={row[0]!.from}>
              {row.map((cell) => (
                <td key={cell.from} className={classOf(cell)}>
                  <Marks stretch={cell} layers={layers} of={of} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

/** The first column stays in sight where as many of its width have room. */
const LEAST_COLUMNS = 3;

/** A table that may be wider than its place: a stop of the keyboard, which moves it by arrows, only where it is. */
function Scrolled({ children }: { readonly children: ReactNode }): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  // It fades out at its end, while there is more of it.
  const [hasMore, setMore] = useState(false);
  // What a row is about stays in sight.
  const [isNamed, setNamed] = useState(false);
  useEffect(() => {
    const element = frame.current!;
    const measure = (): void => {
      setWide(element.scrollWidth > element.clientWidth);
      const first = element.querySelector('td')?.offsetWidth ?? 0;
      setNamed(element.scrollWidth > element.clientWidth && first * LEAST_COLUMNS < element.clientWidth);
      setMore(element.scrollWidth - element.clientWidth - Math.abs(element.scrollLeft) > 1);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const names = [styles['sheet-rows'], hasMore ? styles['more'] : '', isNamed ? styles['named'] : ''];
  const stop = isWide ? { tabIndex: 0, role: 'group', 'aria-label': t('document.wideTable') } : {};
  return (
    <div ref={frame} className={names.filter((name) => name !== '').join(' ')} {...stop}>
      {children}
    </div>
  );
}

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
