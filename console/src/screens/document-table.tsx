import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { leavingIds, soon, subscribeSoon } from '../frame/soon';
import { formatNumber, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { Empty, ErrorNote, Loading, Note } from '../ui/states';
import { DocumentRow } from './document-row';
import { PAGE, useFirstPage, useRows, type Filter } from './document-pages';
import styles from './documents.module.css';

const ROW_PX = 36;
/** On a phone a row has two lines. */
const TALL_ROW_PX = 53;
const AHEAD = 12;
const MOST_IDS = 500;

interface TableProps {
  readonly filter: Filter;
  readonly isWriter: boolean;
  readonly isBusy: boolean;
  readonly onClearFilter: () => void;
}

/** Documents in rows, of which only those in sight are in the page. Arrows move, Space selects, Shift extends, Enter opens. */
export function DocumentTable({ filter, isWriter, isBusy, onClearFilter }: TableProps): ReactElement {
  const first = useFirstPage(filter, isBusy);
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  if (first.error !== null) return <ErrorNote error={first.error} onRetry={() => void first.refetch()} />;
  if (first.data === undefined) return <Loading lines={10} />;
  if (first.data.total === 0) {
    return (
      <div className={styles['nothing']}>
        <Empty title={t('documents.noMatch')}>
          <Button onPress={onClearFilter}>{t('documents.clear')}</Button>
        </Empty>
      </div>
    );
  }
  return (
    <>
      {isWriter && <SelectionBar filter={filter} selected={selected} onDone={() => select(new Set())} />}
      <Rows
        filter={filter}
        isWriter={isWriter}
        isBusy={isBusy}
        total={first.data.total}
        selected={selected}
        onSelect={select}
      />
      {first.data.total > PAGE && (
        <p className={styles['grid-foot']}>{t('documents.count', { total: formatNumber(first.data.total) })}</p>
      )}
    </>
  );
}

interface RowsProps extends Omit<TableProps, 'onClearFilter'> {
  readonly total: number;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

function Rows({ filter, isWriter, isBusy, total, selected, onSelect }: RowsProps): ReactElement {
  const body = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [active, setActive] = useState(0);
  const [anchor, setAnchor] = useState(0);
  const [, go] = useLocation();
  const leaving = useSyncExternalStore(subscribeSoon, leavingIds);
  const height = matchMedia('(width < 640px)').matches ? TALL_ROW_PX : ROW_PX;
  useLayoutEffect(() => setMargin(body.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: total,
    estimateSize: () => height,
    overscan: AHEAD,
    scrollMargin: margin,
  });
  const items = virtual.getVirtualItems();
  const rowAt = useRows(filter, items[0]?.index ?? 0, items.at(-1)?.index ?? 0, isBusy);
  const idAt = (index: number): string | undefined => rowAt(index)?.id;
  const toggle = (index: number): void => {
    const id = idAt(index);
    if (id === undefined) return;
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setAnchor(index);
    onSelect(next);
  };
  const extend = (to: number): void => {
    const [low, high] = [Math.min(anchor, to), Math.max(anchor, to)];
    const ids = Array.from({ length: high - low + 1 }, (_, offset) => idAt(low + offset));
    onSelect(new Set([...selected, ...ids.filter((id) => id !== undefined)]));
  };
  const move = (to: number, isExtending: boolean): void => {
    const next = Math.max(0, Math.min(total - 1, to));
    setActive(next);
    virtual.scrollToIndex(next);
    if (isExtending) extend(next);
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus());
  };
  const open = (index: number): void => {
    const id = idAt(index);
    if (id !== undefined) go(`/d/${filter.datasetId}/documents/${id}`);
  };
  const press = (event: KeyboardEvent): void => {
    const by: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 20,
      PageUp: -20,
      Home: -total,
      End: total,
    };
    const step = by[event.key];
    if (step !== undefined) move(active + step, event.shiftKey);
    else if (event.key === ' ' && isWriter) toggle(active);
    else if (event.key === 'Enter') open(active);
    else if (event.key === 'Escape') onSelect(new Set());
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
      <div role="row" aria-rowindex={1} className={styles['columns']}>
        {(['name', 'state', 'size', 'changed'] as const).map((name) => (
          <span key={name} role="columnheader" className={styles[`column-${name}`]}>
            {t(`column.${name}`)}
          </span>
        ))}
      </div>
      <div ref={body} role="rowgroup" className={styles['rows']} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <DocumentRow
            key={index}
            index={index}
            row={rowAt(index)}
            top={start - margin}
            height={height}
            isActive={index === active}
            isSelected={selected.has(idAt(index) ?? '')}
            isLeaving={leaving.has(idAt(index) ?? '')}
            onOpen={() => open(index)}
            onFocus={() => setActive(index)}
            onToggle={isWriter ? (isExtending) => (isExtending ? extend(index) : toggle(index)) : undefined}
          />
        ))}
      </div>
    </div>
  );
}

interface SelectionProps {
  readonly filter: Filter;
  readonly selected: ReadonlySet<string>;
  readonly onDone: () => void;
}

type Deed = 'retry' | 'reingest' | 'delete';

function SelectionBar({ filter, selected, onDone }: SelectionProps): ReactElement | null {
  const queries = useQueryClient();
  const [result, setResult] = useState<Schema<'BulkResult'>>();
  const picked = [...selected].slice(0, MOST_IDS);
  const doing = useMutation({
    mutationFn: ({ deed, ids }: { readonly deed: Deed; readonly ids: string[] }) => dataOf(carryOut(deed, ids)),
    onSuccess: async (done) => {
      setResult(done);
      await queries.invalidateQueries({ queryKey: ['documents', filter.datasetId] });
      await queries.invalidateQueries({ queryKey: ['datasets'] });
    },
  });
  const doNow = (deed: Deed): void => {
    doing.mutate({ deed, ids: picked });
    onDone();
  };
  const remove = (): void => {
    const text = t('soon.deletes', { count: picked.length });
    soon(text, picked, () => doing.mutateAsync({ deed: 'delete', ids: picked }));
    onDone();
  };
  if (selected.size === 0) {
    return (
      <>
        {doing.error !== null && <ErrorNote error={doing.error} />}
        {result !== undefined && result.rejected.length > 0 && <Rejected result={result} />}
      </>
    );
  }
  return (
    <div className={styles['pick']} role="toolbar" aria-label={t('pick.label')}>
      <b>{t('pick.count', { count: selected.size })}</b>
      <Button look="plain" onPress={() => doNow('retry')} isDisabled={doing.isPending}>
        <Icon name="retry" />
        {t('pick.retry')}
      </Button>
      <Button look="plain" onPress={() => doNow('reingest')} isDisabled={doing.isPending}>
        {t('pick.reingest')}
      </Button>
      <Button look="danger" onPress={remove} isDisabled={doing.isPending}>
        <Icon name="trash" />
        {t('pick.delete')}
      </Button>
      <span className="push" />
      <Button look="plain" square aria-label={t('pick.clear')} onPress={onDone}>
        <Icon name="cross" />
      </Button>
    </div>
  );
}

function carryOut(deed: Deed, ids: string[]): Promise<{ data?: Schema<'BulkResult'> }> {
  const body = { document_ids: ids };
  if (deed === 'retry') return api.POST('/api/v1/documents/batch/retry', { body });
  if (deed === 'reingest') return api.POST('/api/v1/documents/batch/reingest', { body });
  return api.POST('/api/v1/documents/batch/delete', { body });
}

function Rejected({ result }: { readonly result: Schema<'BulkResult'> }): ReactElement {
  const reasons = [...new Set(result.rejected.map(({ detail }) => detail))];
  return (
    <Note
      icon="info"
      kind="warn"
      title={t('pick.rejected', { count: result.rejected.length, done: result.accepted.length })}
    >
      {reasons.slice(0, 5).map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </Note>
  );
}
