import { useState, type ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { countMoves, directionOf, movesOf, type Direction, type Move } from '../search/moved-places';
import type { SearchOptions } from '../search/search-options';
import { useSearch } from '../search/use-search';
import { formatNumber, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { ErrorNote, Loading, faultOf } from '../ui/states';
import { FoundSentence, NothingFound, Warnings } from './search-results';
import { channelsOf, Passage, Scores, Where, type Result } from './search-row';
import { SearchSettings } from './search-settings';
import styles from './search-sides.module.css';

type Side = 'left' | 'right';

interface SideBySideProps {
  readonly datasetId: string;
  readonly q: string;
  readonly left: SearchOptions;
  readonly right: SearchOptions;
  readonly onLeft: (options: SearchOptions) => void;
  readonly onRight: (options: SearchOptions | undefined) => void;
  readonly onTakeRight: () => void;
}

/** One question, two settings: what rose, what fell, what came and went. */
export function SideBySide({ datasetId, q, left, right, onLeft, onRight, onTakeRight }: SideBySideProps): ReactElement {
  const before = useSearch(datasetId, q, left);
  const after = useSearch(datasetId, q, right);
  const [lit, light] = useState<string>();
  const ids = (results: readonly Result[] = []): readonly string[] => results.map(({ chunk_id: id }) => id);
  const moves = movesOf(ids(before.data?.results), ids(after.data?.results));
  const columns = { datasetId, q, moves, lit, onLight: light };
  return (
    <>
      <div className={`section-line ${styles['head']}`}>
        {JSON.stringify(left) === JSON.stringify(right) ? (
          <p className="small" role="status">
            {t('sides.equal')}
          </p>
        ) : (
          <MovesSentence moves={before.data === undefined || after.data === undefined ? undefined : moves} />
        )}
        <span className="push tools">
          <Button onPress={onTakeRight}>{t('sides.take')}</Button>
          <Button onPress={() => onRight(undefined)}>{t('sides.end')}</Button>
        </span>
      </div>
      <div className={styles['sides']}>
        <section aria-label={t('sides.left')}>
          <h2>{t('sides.left')}</h2>
          <SearchSettings
            datasetId={datasetId}
            options={left}
            onChange={onLeft}
            used={before.data?.retrieval.search_method}
            isSide
          />
          <Column {...columns} side="left" options={left} found={before} />
        </section>
        <section aria-label={t('sides.right')}>
          <h2>{t('sides.right')}</h2>
          <SearchSettings
            datasetId={datasetId}
            options={right}
            onChange={onRight}
            used={after.data?.retrieval.search_method}
            isSide
          />
          <Column {...columns} side="right" options={right} found={after} />
        </section>
      </div>
    </>
  );
}

const COUNTED: readonly Direction[] = ['rose', 'fell', 'new', 'gone', 'same'];

function MovesSentence({ moves }: { readonly moves: ReadonlyMap<string, Move> | undefined }): ReactElement {
  if (moves === undefined) return <p className="quiet small">{t('state.loading')}</p>;
  const counts = countMoves(moves);
  const parts = COUNTED.filter((direction) => counts[direction] > 0);
  return (
    <p className="small" role="status">
      {parts.map((direction) => t(`moves.${direction}`, { count: counts[direction] })).join(', ')}
    </p>
  );
}

interface ColumnProps {
  readonly datasetId: string;
  readonly q: string;
  readonly side: Side;
  readonly options: SearchOptions;
  readonly found: ReturnType<typeof useSearch>;
  readonly moves: ReadonlyMap<string, Move>;
  readonly lit: string | undefined;
  readonly onLight: (id: string | undefined) => void;
}

function Column({ datasetId, q, side, options, found, moves, lit, onLight }: ColumnProps): ReactElement | null {
  const [address] = useSearchParams();
  if (q === '') return null;
  if (faultOf(found) !== null) return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Loading lines={8} />;
  const { results } = found.data;
  const channels = channelsOf(results);
  return (
    <>
      <FoundSentence answer={found.data} options={options} />
      <Warnings answer={found.data} />
      {results.length === 0 && <NothingFound datasetId={datasetId} address={address} />}
      <ol className={styles['rows']}>
        {results.map((result, index) => (
          <li
            key={result.chunk_id}
            id={rowId(side, result.chunk_id)}
            tabIndex={-1}
            className={result.chunk_id === lit ? styles['lit'] : undefined}
            onMouseEnter={() => onLight(result.chunk_id)}
            onMouseLeave={() => onLight(undefined)}
            onFocus={() => onLight(result.chunk_id)}
            onBlur={() => onLight(undefined)}
          >
            <span className={styles['rank']}>{formatNumber(index + 1)}</span>
            <div>
              <Where result={result}>
                <MoveMark side={side} id={result.chunk_id} move={moves.get(result.chunk_id)!} />
              </Where>
              <Passage result={result} most={200} />
              <Scores result={result} channels={channels} />
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

const rowId = (side: Side, id: string): string => `${side}-${id}`;
const ARROWS: Readonly<Record<Direction, string>> = { rose: '▲', fell: '▼', same: '=', new: '+', gone: '–' };

interface MoveMarkProps {
  readonly side: Side;
  readonly id: string;
  readonly move: Move;
}

/** What became of a row in the other list; leads there where it is in it. */
function MoveMark({ side, id, move }: MoveMarkProps): ReactElement {
  const direction = directionOf(move);
  const other = side === 'left' ? move.right : move.left;
  const look = `${styles['mark']} ${styles[direction]}`;
  if (other === undefined)
    return (
      <span className={look}>
        <span aria-hidden="true">{ARROWS[direction]}</span> {t(side === 'left' ? 'moves.isGone' : 'moves.isNew')}
      </span>
    );
  const place = formatNumber(other);
  return (
    <button
      type="button"
      className={look}
      onClick={() => {
        const row = document.getElementById(rowId(side === 'left' ? 'right' : 'left', id));
        row?.scrollIntoView({ block: 'nearest' });
        row?.focus({ preventScroll: true });
      }}
    >
      <span aria-hidden="true">{ARROWS[direction]}</span>{' '}
      {t(direction === 'same' ? 'moves.isSame' : side === 'left' ? 'moves.isNow' : 'moves.was', { place })}
    </button>
  );
}
