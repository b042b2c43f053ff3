import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { formatNumber, t, type TextKey } from '../texts/i18n';
import { Dot, type Look } from '../ui/counts';
import { Button } from '../ui/controls';
import { FacetChips } from '../ui/facet-chips';
import { kindName } from '../ui/kinds';
import { Icon } from '../ui/icon';
import { SearchField } from '../ui/search-field';
import { ErrorNote } from '../ui/states';
import { failureWords, remarkWords } from './code-words';
import {
  furtherOf,
  ORDERS,
  queryOf,
  type DocumentFilter,
  type DocumentQuery,
  type FacetName,
  standingOf,
  STATES,
  withoutStanding,
  type Order,
  type Standing,
} from './document-filter';
import { waitingWords } from './document-row';
import styles from './documents.module.css';

type Facets = Schema<'DocumentFacets'>;
type Counts = Schema<'DocumentCountsDto'>;
type Values = readonly Schema<'FacetCount'>[];

const CHIPS: readonly (readonly [Standing, TextKey, Look | undefined])[] = [
  ['total', 'documents.all', undefined],
  ['searchable', 'state.completed', 'ready'],
  ['processing', 'state.processing', 'working'],
  ['pending', 'state.pending', 'waiting'],
  ['failed', 'state.failed', 'failed'],
  ['quarantined', 'state.quarantined', 'held'],
  ['cancelled', 'state.cancelled', 'stopped'],
  ['without_text', 'filter.withoutText', 'stopped'],
];
const TYPING_MS = 250;

interface FiltersProps {
  readonly datasetId: string;
  /** Of the whole dataset, by state. */
  readonly counts: Counts;
  readonly filter: DocumentFilter;
  readonly order: Order;
  readonly onChange: (name: FacetName | 'q', value: string) => void;
  readonly onStand: (standing: Standing) => void;
  readonly onSort: (order: Order) => void;
}

/** What the list is filtered by, as chips with the number of documents that each would leave. */
export function DocumentFilters(props: FiltersProps): ReactElement {
  const { datasetId, counts, filter, order, onChange, onStand, onSort } = props;
  const [isOpen, open] = useState(false);
  const facets = useFacets(queryOf(datasetId, filter));
  const further = furtherOf(filter);
  return (
    <>
      <div className={styles['sift']}>
        <StandingChips datasetId={datasetId} counts={counts} filter={filter} onStand={onStand} />
        <div className={styles['narrow']}>
          <Button look="plain" aria-expanded={isOpen} onPress={() => open(!isOpen)}>
            <Icon name={isOpen ? 'down' : 'right'} />
            {t('filter.more')}
            {further.length > 0 && <small className={styles['badge']}>{formatNumber(further.length)}</small>}
          </Button>
          <SortChoice order={order} onSort={onSort} />
          <NameFilter value={filter.q} onChange={(value) => onChange('q', value)} />
        </div>
      </div>
      {facets.error !== null && <ErrorNote error={facets.error} onRetry={() => void facets.refetch()} />}
      {isOpen && <Panel datasetId={datasetId} filter={filter} facets={facets.data} onChange={onChange} />}
      {!isOpen && further.length > 0 && (
        <div className={`tools ${styles['chosen']}`} role="group" aria-label={t('filter.all')}>
          {further.map(([name, value]) => (
            <button key={name} type="button" className="chip on" title={value} onClick={() => onChange(name, '')}>
              <span className="cut">{valueName(name, value)}</span>
              <Icon name="cross" />
              <span className="hidden-text">{t('search.unchange')}</span>
            </button>
          ))}
        </div>
      )}
    </>
  );
}

/** The conditions of a filter in words, as their chips have them. */
export function conditionsOf(filter: DocumentFilter): readonly string[] {
  const standing = standingOf(filter);
  const chip = CHIPS.find(([name]) => name !== 'total' && name === standing);
  return [
    ...(chip === undefined ? [] : [t(chip[1])]),
    ...furtherOf(filter).map(([name, value]) => valueName(name, value)),
    ...(filter.q === '' ? [] : [t('filter.named', { text: filter.q })]),
  ];
}

const ORDER_NAMES: Readonly<Record<Order, TextKey>> = {
  '-created_at': 'order.newest',
  '-updated_at': 'order.changed',
  name: 'order.name',
  '-name': 'order.nameFalling',
};

function SortChoice({ order, onSort }: Pick<FiltersProps, 'order' | 'onSort'>): ReactElement {
  return (
    <span className={styles['order']}>
      <Icon name="order" />
      <select
        className="input"
        aria-label={t('order.label')}
        value={order}
        onChange={(event) => onSort(ORDERS.find((one) => one === event.target.value) ?? ORDERS[0])}
      >
        {ORDERS.map((one) => (
          <option key={one} value={one}>
            {t(ORDER_NAMES[one])}
          </option>
        ))}
      </select>
    </span>
  );
}

function useFacets(query: DocumentQuery, isAsked = true) {
  return useQuery({
    queryKey: ['facets', query.dataset_id, query],
    enabled: isAsked,
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/documents/facets', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Counts by standing within the other conditions. */
function countsIn(all: Facets, read: Facets | undefined, ofAll: Counts): Partial<Counts> {
  return {
    ...Object.fromEntries(all.status.map(({ value, count }) => [value, count])),
    total: all.status.reduce((sum, { count }) => sum + count, 0),
    searchable: all.searchable.find(({ value }) => value === 'true')?.count ?? 0,
    without_text:
      read === undefined ? ofAll.without_text : (read.searchable.find(({ value }) => value === 'false')?.count ?? 0),
  };
}

function StandingChips({
  datasetId,
  counts: ofAll,
  filter,
  onStand,
}: Pick<FiltersProps, 'datasetId' | 'counts' | 'filter' | 'onStand'>): ReactElement {
  const chosen = standingOf(filter);
  const others = withoutStanding(filter);
  const all = useFacets(queryOf(datasetId, others));
  // No facet tells which of those that were read have no text.
  const read = useFacets(
    queryOf(datasetId, { ...others, chosen: { ...others.chosen, state: 'completed' } }),
    ofAll.without_text > 0,
  );
  const counts = all.data === undefined ? ofAll : countsIn(all.data, read.data, ofAll);
  return (
    <div className="tools" role="group" aria-label={t('documents.filters')}>
      {CHIPS.filter(([name]) => name === 'total' || (counts[name] ?? 0) > 0 || name === chosen).map(
        ([name, key, look]) => (
          <button
            key={name}
            type="button"
            className={chosen === name ? 'chip on' : 'chip'}
            aria-pressed={chosen === name}
            onClick={() => onStand(name === chosen ? 'total' : name)}
          >
            {look !== undefined && look !== 'ready' && <Dot look={look} />}
            {t(key)} <b>{formatNumber(counts[name] ?? 0)}</b>
          </button>
        ),
      )}
    </div>
  );
}

interface PanelProps extends Pick<FiltersProps, 'datasetId' | 'filter' | 'onChange'> {
  readonly facets: Facets | undefined;
}

/** All that documents can be told apart by, as far as there is something to choose. */
function Panel({ datasetId, filter, facets, onChange }: PanelProps): ReactElement {
  const outdated = useFacets(queryOf(datasetId, { ...filter, chosen: { ...filter.chosen, outdated: 'true' } }));
  const groups: readonly (readonly [FacetName, TextKey, Values])[] = [
    ['type', 'filter.kind', facets?.media_type ?? []],
    ['tag', 'document.tags', facets?.tag ?? []],
    ['error_code', 'state.failed', facets?.error_code ?? []],
    ['warning_code', 'filter.remark', facets?.warning_code ?? []],
    ['waiting_reason', 'state.pending', facets?.waiting_reason ?? []],
    ['searchable', 'tab.search', facets?.searchable ?? []],
    ['outdated', 'filter.policy', outdatedIn(outdated.data)],
  ];
  return (
    <div className={styles['panel']} role="group" aria-label={t('filter.all')}>
      {groups
        .filter(([name, , values]) => values.length > 0 || filter.chosen[name] !== undefined)
        .map(([name, key, values]) => {
          const chosen = filter.chosen[name];
          return (
            <div key={name} role="group" aria-label={t(key)}>
              <span>{t(key)}</span>
              <div className="tools">
                <FacetChips
                  counts={values}
                  chosen={chosen === undefined ? [] : [chosen]}
                  nameOf={(value) => valueName(name, value)}
                  onToggle={(value) => onChange(name, value === chosen ? '' : value)}
                />
              </div>
            </div>
          );
        })}
    </div>
  );
}

function outdatedIn(facets: Facets | undefined): Values {
  return facets === undefined || facets.total === 0 ? [] : [{ value: 'true', count: facets.total }];
}

/** What people call a value of a facet; a code that is not known here stays as it is. */
function valueName(name: FacetName, value: string): string {
  if (name === 'type') return kindName(value);
  if (name === 'waiting_reason') return waitingWords(value);
  if (name === 'state') return stateName(value);
  if (name === 'searchable') return t(value === 'true' ? 'state.completed' : 'filter.hidden');
  if (name === 'outdated') return t(value === 'true' ? 'trouble.outdated' : 'filter.present');
  if (name === 'error_code') return failureWords(value) ?? value;
  if (name === 'warning_code') return remarkWords(value) ?? value;
  return value;
}

/** What was read may be without text, so that it is not called searchable here. */
function stateName(value: string): string {
  const known = STATES.find((state) => state === value);
  return known === undefined || known === 'completed' ? t('filter.read') : t(`state.${known}`);
}

interface NameFilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A part of a name; the address follows when the typing pauses. */
function NameFilter({ value, onChange }: NameFilterProps): ReactElement {
  const [text, setText] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    // Another one than was typed here: the filters were taken away, or somebody went back.
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = text.trim();
      onChange(told.current);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  });
  return <SearchField label={t('documents.name')} value={text} onChange={setText} />;
}
