import { useQueryClient } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import { useLocation } from 'wouter';
import { deferredIds, subscribeDeferred } from '../frame/deferred-actions';
import { formatNumber, formatWhen, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { useMedia } from '../ui/media';
import { Empty, ErrorNote, Loading, faultOf } from '../ui/states';
import { subscribeTrayHeight, trayHeight } from '../uploads/tray-height';
import type { DocumentQuery, Order } from './document-filter';
import { PAGE, rowsBetween, useFirstPage, useRows } from './document-pages';
import { DocumentRow } from './document-row';
import { SelectionBar } from './document-selection';
import styles from './documents.module.css';

const ROW_PX = 36;
/** On a phone a row has two lines. */
const TALL_ROW_PX = 53;
const AHEAD = 12;
/** Heights of what stays above the rows while they scroll: the head of the console on a narrow window, and the selection. */
const HEAD_PX = 48;
const SELECTION_PX = 36;
/** On a phone the selection is below the rows, in three lines where all its buttons are there. */
const SELECTION_BELOW_PX = 160;

interface TableProps {
  readonly query: DocumentQuery;
  readonly isWriter: boolean;
  readonly isBusy: boolean;
  /** What holds for those that are listed, in words. */
  readonly conditions: readonly string[];
  /** How many there are without any condition. */
  readonly all: number;
  readonly onClearFilter: () => void;
  readonly onSort: (order: Order) => void;
}

interface Choice {
  readonly selected: ReadonlySet<string>;
  readonly select: (selected: ReadonlySet<string>) => void;
  /** Selects the rows from `first` to `last` too, also those that have not been fetched. */
  readonly add: (first: number, last: number) => void;
  readonly error: unknown;
}

function useChoice(query: DocumentQuery): Choice {
  const queries = useQueryClient();
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<unknown>(null);
  const add = async (first: number, last: number): Promise<void> => {
    setError(null);
    try {
      const rows = await rowsBetween(queries, query, first, last);
      select((before) => new Set([...before, ...rows.map(({ id }) => id)]));
    } catch (failure) {
      setError(failure);
    }
  };
  return { selected, select, add: (first, last) => void add(first, last), error };
}

/** Documents in rows, of which only those in sight are in the page. Arrows move, Space selects, Shift extends, Enter opens. */
export function DocumentTable(props: TableProps): ReactElement {
  const { query, isWriter, isBusy, conditions, all, onClearFilter, onSort } = props;
  const first = useFirstPage(query, isBusy);
  const choice = useChoice(query);
  if (faultOf(first) !== null) return <ErrorNote error={first.error} onRetry={() => void first.refetch()} />;
  if (first.data === undefined) return <Loading lines={10} />;
  const { total } = first.data;
  return (
    <>
      {choice.error !== null && <ErrorNote error={choice.error} />}
      {isWriter && (
        <SelectionBar
          datasetId={query.dataset_id}
          selected={choice.selected}
          total={total}
          onAll={() => choice.add(0, total - 1)}
          onDone={() => choice.select(new Set())}
        />
      )}
      {total === 0 ? (
        <div className={styles['nothing']}>
          <Empty title={t('documents.noMatch')}>
            <p>{t('documents.noMatchFor', { conditions: conditions.join(' · ') })}</p>
            <p>{t('documents.without', { count: all })}</p>
            <Button onPress={onClearFilter}>{t('documents.clear')}</Button>
          </Empty>
        </div>
      ) : (
        <Rows
          key={query.order_by}
          query={query}
          isWriter={isWriter}
          isBusy={isBusy}
          total={total}
          choice={choice}
          onSort={onSort}
        />
      )}
      {total > PAGE && <p className={styles['grid-foot']}>{t('documents.count', { total: formatNumber(total) })}</p>}
    </>
  );
}

interface RowsProps extends Omit<TableProps, 'onClearFilter' | 'conditions' | 'all'> {
  readonly total: number;
  readonly choice: Choice;
}

/** How far below the beginning of the page it stands, also when something above it opens or closes. */
function useTop(of: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = of.current!;
    const measure = (): void => setTop(Math.round(element.getBoundingClientRect().top + scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    for (let above = element.parentElement; above !== null; above = above.parentElement) observer.observe(above);
    return () => observer.disconnect();
  }, [of]);
  return top;
}

/** How the rows are sorted by a column, if they are. */
function sortOf(order: Order | undefined, column: string): 'ascending' | 'descending' | undefined {
  if (column === 'name') return order === 'name' ? 'ascending' : order === '-name' ? 'descending' : undefined;
  return column === 'changed' && order === '-updated_at' ? 'descending' : undefined;
}

/** What a press on the head of a column sorts by. */
function nextOrder(order: Order | undefined, column: 'name' | 'changed'): Order {
  if (column === 'name') return order === 'name' ? '-name' : 'name';
  return order === '-updated_at' ? '-created_at' : '-updated_at';
}

interface HeadsProps {
  readonly order: Order | undefined;
  readonly onSort: TableProps['onSort'];
}

/** The heads of the columns, of which two sort the rows. */
function Heads({ order, onSort }: HeadsProps): ReactElement {
  return (
    <div role="row" aria-rowindex={1} className={styles['columns']}>
      {(['name', 'state', 'size', 'changed'] as const).map((name) => (
        <span key={name} role="columnheader" className={styles[`column-${name}`]} aria-sort={sortOf(order, name)}>
          {name === 'name' || name === 'changed' ? (
            // By the keyboard the choice above the list does the same.
            <button type="button" tabIndex={-1} onClick={() => onSort(nextOrder(order, name))}>
              {t(`column.${name}`)}
              {sortOf(order, name) !== undefined && <Icon name={sortOf(order, name) === 'ascending' ? 'up' : 'down'} />}
            </button>
          ) : (
            t(`column.${name}`)
          )}
        </span>
      ))}
    </div>
  );
}

/** The row that an element is in. */
function indexOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row === null ? undefined : Number(row.dataset['index']);
}

/** How many rows a key goes on; beyond the ends it stays there. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 20,
  PageUp: -20,
  Home: -Infinity,
  End: Infinity,
};

function whenOf(row: { readonly updated_at: string } | undefined): string {
  return row === undefined ? '' : formatWhen(row.updated_at);
}

/** Gives the focus to the row of a number once it is in the page: some renders later, where it is far away. */
function useFocusOfRow(body: RefObject<HTMLElement | null>): (index: number) => void {
  const wanted = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (row === undefined || row === null) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });
  return (index) => void (wanted.current = index);
}

function Rows({ query, isWriter, isBusy, total, choice: { selected, select, add }, onSort }: RowsProps): ReactElement {
  const body = useRef<HTMLDivElement>(null);
  const margin = useTop(body);
  const [active, setActive] = useState(0);
  const [anchor, setAnchor] = useState(0);
  const focus = useFocusOfRow(body);
  const [, go] = useLocation();
  const leaving = useSyncExternalStore(subscribeDeferred, deferredIds);
  const isPhone = useMedia('(width < 640px)');
  const height = isPhone ? TALL_ROW_PX : ROW_PX;
  const head = useMedia('(width < 1000px)') ? HEAD_PX : 0;
  const virtual = useWindowVirtualizer({
    count: total,
    estimateSize: () => height,
    overscan: AHEAD,
    scrollMargin: margin,
    scrollPaddingEnd:
      useSyncExternalStore(subscribeTrayHeight, trayHeight) + (selected.size > 0 && isPhone ? SELECTION_BELOW_PX : 0),
    scrollPaddingStart: head + (selected.size > 0 && !isPhone ? SELECTION_PX : 0),
  });
  // Turned, a phone may have room for another height.
  useLayoutEffect(() => virtual.measure(), [virtual, height]);
  const items = virtual.getVirtualItems();
  /** Where Tab enters: the active row, or the first in sight where that one was scrolled away. */
  const entry = items.some(({ index }) => index === active) ? active : items[0]?.index;
  const rowAt = useRows(query, items[0]?.index ?? 0, items.at(-1)?.index ?? 0, isBusy);
  const idAt = (index: number): string | undefined => rowAt(index)?.id;
  const toggle = (index: number): void => {
    const id = idAt(index);
    if (id === undefined) return;
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setAnchor(index);
    select(next);
  };
  const extend = (to: number): void => add(Math.min(anchor, to), Math.max(anchor, to));
  const move = (to: number, isExtending: boolean): void => {
    const next = Math.max(0, Math.min(total - 1, to));
    setActive(next);
    virtual.scrollToIndex(next);
    if (isExtending) extend(next);
    else setAnchor(next);
    focus(next);
  };
  const open = (index: number): void => {
    const id = idAt(index);
    if (id !== undefined) go(`/d/${query.dataset_id}/documents/${id}`);
  };
  const click = ({ target, shiftKey }: MouseEvent): void => {
    const index = indexOf(target);
    if (index === undefined) return;
    const isBox = target instanceof Element && target.closest(`.${styles['cell-check']}`) !== null;
    if (!isBox) open(index);
    else if (shiftKey) extend(index);
    else toggle(index);
  };
  const press = (event: KeyboardEvent): void => {
    // The head of a column that was clicked has keys of its own.
    if (event.target instanceof Element && event.target.closest('[role="columnheader"]') !== null) return;
    const step = STEPS[event.key];
    if (step !== undefined) move(active + step, event.shiftKey);
    else if (event.key === ' ' && isWriter) toggle(active);
    else if (event.key === 'Enter') open(active);
    else if (event.key === 'Escape') select(new Set());
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && isWriter) add(0, total - 1);
    else return;
    event.preventDefault();
  };
  return (
    <div
      className={styles['grid']}
      role="grid"
      aria-label={t('tab.documents')}
      aria-rowcount={total + 1}
      aria-multiselectable={isWriter}
      onKeyDown={press}
    >
      <Heads order={query.order_by} onSort={onSort} />
      <div
        ref={body}
        role="rowgroup"
        className={styles['rows']}
        style={{ height: virtual.getTotalSize() }}
        onClick={click}
        onFocus={({ target }) => {
          const index = indexOf(target);
          if (index !== undefined) setActive(index);
        }}
      >
        {items.map(({ index, start }) => (
          <DocumentRow
            key={index}
            index={index}
            row={rowAt(index)}
            top={start - margin}
            height={height}
            isActive={index === entry}
            isSelected={selected.has(idAt(index) ?? '')}
            isLeaving={leaving.has(idAt(index) ?? '')}
            changed={whenOf(rowAt(index))}
            isWriter={isWriter}
          />
        ))}
      </div>
    </div>
  );
}
