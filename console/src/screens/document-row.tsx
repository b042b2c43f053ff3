import { memo, type ReactElement } from 'react';
import { formatBytes, t } from '../texts/i18n';
import { Dot, lookOf } from '../ui/counts';
import { shortKind } from '../ui/kind-names';
import { kindName } from '../ui/kinds';
import { failedWords } from './code-words';
import { useArchiveName } from './document-archive';
import type { Row } from './document-pages';
import { useHeldReason } from './held-reasons';
import styles from './documents.module.css';

interface RowProps {
  readonly index: number;
  /** Undefined until its page has come. */
  readonly row: Row | undefined;
  readonly top: number;
  readonly height: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** About to be deleted. */
  readonly isLeaving: boolean;
  /** When it was changed, in words that change as time passes. */
  readonly changed: string;
  /** Who only reads selects nothing. */
  readonly isWriter: boolean;
}

/** A row knows its index (`data-index`) and does nothing itself: the list takes its clicks, so that those which stay are not drawn again in scrolling. */
export const DocumentRow = memo(function DocumentRow(props: RowProps): ReactElement {
  const { index, row, top, height, isActive, isSelected, isLeaving, changed, isWriter } = props;
  const place = { height, transform: `translateY(${top}px)` };
  const names = [styles['row'], isSelected ? styles['selected'] : '', isLeaving ? styles['leaving'] : ''];
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      className={names.join(' ')}
      style={place}
    >
      {row !== undefined && (
        <>
          {isWriter && (
            <span role="gridcell" className={styles['cell-check']}>
              <input
                type="checkbox"
                tabIndex={-1}
                checked={isSelected}
                aria-label={t('documents.select', { name: row.name })}
                onChange={() => undefined}
              />
            </span>
          )}
          <NameCell row={row} />
          <StateCell row={row} />
          <span role="gridcell" className={styles['column-size']}>
            {formatBytes(row.size_bytes)}
          </span>
          <span role="gridcell" className={styles['column-changed']}>
            {changed}
          </span>
        </>
      )}
    </div>
  );
});

/** Tags that a row has room for; the document's page has all. */
const MOST_TAGS = 2;

function NameCell({ row }: { readonly row: Row }): ReactElement {
  const kind = shortKind(row.name, kindName(row.media_type));
  const archive = useArchiveName(row.archive_id);
  const inside = row.path?.slice(0, row.path.lastIndexOf('/') + 1) ?? '';
  const folder = archive === undefined ? inside : `${archive}/${inside}`;
  return (
    <span role="gridcell" className={styles['name']} title={row.path ?? row.name}>
      <span className={styles['kind']}>{kind}</span>
      <b className="cut">{row.name}</b>
      {row.tags.slice(0, MOST_TAGS).map((tag) => (
        <small key={tag} className={`cut ${styles['row-tag']}`}>
          {tag}
        </small>
      ))}
      {folder !== '' && (
        <small className="cut">
          <bdi>{folder}</bdi>
        </small>
      )}
    </span>
  );
}

/** Where it stands, in words: what it waits for, which stage, why it failed. */
function StateCell({ row }: { readonly row: Row }): ReactElement {
  const look = lookOf(row);
  const reason = useHeldReason(row);
  const text = reason === undefined || reason === '' ? wordsOf(row) : t('held.reason', { reason });
  const isReason = row.status === 'failed' || text !== wordsOf(row);
  return (
    <span role="gridcell" className={`${styles['why-cell']} state ${look}`} title={text}>
      <Dot look={look} />
      {row.status === 'processing' && (
        <span className="bar" aria-hidden="true">
          <i style={{ flexGrow: row.processing_progress }} />
          <span style={{ flexGrow: 100 - row.processing_progress }} />
        </span>
      )}
      <bdi className={isReason ? styles['reason'] : 'cut'}>{text}</bdi>
    </span>
  );
}

export function wordsOf(row: Row): string {
  if (row.status === 'failed') return failedWords(row);
  if (row.status === 'processing') return t(`stage.${row.current_stage}`);
  if (row.status === 'pending' && row.waiting_reason !== null) return waitingWords(row.waiting_reason);
  if (row.status === 'completed') {
    if (!row.searchable) return t('state.noText');
    return row.warnings.length === 0 ? t('state.completed') : t('state.withWarnings', { count: row.warnings.length });
  }
  return t(`state.${row.status}`);
}

const WAITS = [
  'queued',
  'provider_backoff',
  'budget_exhausted',
  'store_unavailable',
  'storage_low',
  'retry_backoff',
  'worker_lost',
] as const;

/** What a document waits for. */
export function waitingWords(reason: string): string {
  const known = WAITS.find((name) => name === reason);
  return known === undefined ? t('state.pending') : t(`wait.${known}`);
}
