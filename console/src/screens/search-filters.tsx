import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { filterWords } from '../search/filter-words';
import { countFields, fieldsOf, filterOf, NO_FIELDS, type FilterFields } from '../search/search-filters';
import type { SearchOptions } from '../search/search-options';
import { formatNumber, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { FacetChips } from '../ui/facet-chips';
import { kindName } from '../ui/kinds';
import { Icon } from '../ui/icon';
import { ErrorNote, faultOf } from '../ui/states';
import styles from './search.module.css';

interface SearchFiltersProps {
  readonly datasetId: string;
  readonly filters: SearchOptions['filters'];
  readonly onChange: (filters: SearchOptions['filters']) => void;
}

/** Which documents are searched: their tags and kinds as chips with their numbers, folder, days and metadata beside them. */
export function SearchFilters({ datasetId, filters, onChange }: SearchFiltersProps): ReactElement {
  const fields = fieldsOf(filters);
  if (fields === undefined) return <ForeignFilter filters={filters} onChange={onChange} />;
  const change = (part: Partial<FilterFields>): void => onChange(filterOf({ ...fields, ...part }));
  return <Fields datasetId={datasetId} fields={fields} onChange={change} />;
}

/** A filter that somebody has written or a suggestion has brought, and that the controls cannot say. */
function ForeignFilter({ filters, onChange }: Pick<SearchFiltersProps, 'filters' | 'onChange'>): ReactElement {
  return (
    <div className="tools">
      <button type="button" className="chip on" onClick={() => onChange(undefined)}>
        <span className={`cut ${styles['foreign']}`}>{filterWords(filters) ?? t('why.ownFilter')}</span>
        <Icon name="cross" />
        <span className="hidden-text">{t('filter.clear')}</span>
      </button>
    </div>
  );
}

interface FieldsProps {
  readonly datasetId: string;
  readonly fields: FilterFields;
  readonly onChange: (part: Partial<FilterFields>) => void;
}

function Fields({ datasetId, fields, onChange }: FieldsProps): ReactElement {
  const count = countFields(fields);
  const further = count - fields.tags.length - fields.types.length;
  const [isOpen, open] = useState(further > 0);
  const facets = useQuery({
    queryKey: ['facets', datasetId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/documents/facets', { params: { query: { dataset_id: datasetId } }, signal })),
  });
  if (faultOf(facets) !== null) return <ErrorNote error={facets.error} onRetry={() => void facets.refetch()} />;
  const toggled = (list: readonly string[], value: string): readonly string[] =>
    list.includes(value) ? list.filter((one) => one !== value) : [...list, value];
  return (
    <div className={styles['filters']} role="group" aria-label={t('filter.all')}>
      <div className="tools">
        <FacetChips
          counts={facets.data?.tag ?? []}
          chosen={fields.tags}
          icon="tag"
          onToggle={(tag) => onChange({ tags: toggled(fields.tags, tag) })}
        />
        <FacetChips
          counts={kindsOf(facets.data)}
          chosen={fields.types}
          nameOf={kindName}
          onToggle={(type) => onChange({ types: toggled(fields.types, type) })}
        />
        <Button look="plain" aria-expanded={isOpen} onPress={() => open(!isOpen)}>
          <Icon name={isOpen ? 'down' : 'right'} />
          {t('filter.more')}
          {further > 0 && <small className={styles['badge']}>{formatNumber(further)}</small>}
        </Button>
        {count > 0 && (
          <Button look="plain" onPress={() => onChange(NO_FIELDS)}>
            <Icon name="cross" />
            {t('filter.clear')}
          </Button>
        )}
      </div>
      {isOpen && <Further key={JSON.stringify(fields)} fields={fields} onChange={onChange} />}
    </div>
  );
}

/** One kind alone sifts nothing. */
function kindsOf(facets: Schema<'DocumentFacets'> | undefined): readonly Schema<'FacetCount'>[] {
  const kinds = facets?.media_type ?? [];
  return kinds.length > 1 ? kinds : [];
}

interface FurtherProps {
  readonly fields: FilterFields;
  readonly onChange: (part: Partial<FilterFields>) => void;
}

function Further({ fields, onChange }: FurtherProps): ReactElement {
  const [path, setPath] = useState(fields.path);
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const hasPair = name.trim() !== '' && value.trim() !== '' && !name.includes(':');
  const apply = (): void =>
    onChange({
      path: path.trim(),
      metadata: hasPair ? [...fields.metadata, { name: name.trim(), value: value.trim() }] : fields.metadata,
    });
  return (
    <form
      className={styles['choices']}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <label className={styles['choice']}>
        <span>{t('filter.path')}</span>
        <input
          className="input"
          value={path}
          placeholder={t('filter.pathExample')}
          onChange={(event) => setPath(event.target.value)}
        />
      </label>
      {(['since', 'until'] as const).map((bound) => (
        <label key={bound} className={styles['choice']}>
          <span>{t(`filter.${bound}`)}</span>
          <input
            className="input"
            type="date"
            value={fields[bound]}
            onChange={(event) => onChange({ [bound]: event.target.value })}
          />
        </label>
      ))}
      <label className={styles['choice']}>
        <span>{t('filter.metadata')}</span>
        <span className={styles['pair']}>
          <input
            className="input"
            value={name}
            aria-label={t('filter.metadataName')}
            placeholder={t('filter.name')}
            onChange={(event) => setName(event.target.value)}
          />
          <input
            className="input"
            value={value}
            aria-label={t('filter.metadataValue')}
            placeholder={t('filter.value')}
            onChange={(event) => setValue(event.target.value)}
          />
        </span>
      </label>
      <Button type="submit">{t('filter.apply')}</Button>
      {fields.metadata.map((pair) => (
        <button
          key={`${pair.name}:${pair.value}`}
          type="button"
          className="chip on"
          onClick={() => onChange({ metadata: fields.metadata.filter((one) => one !== pair) })}
        >
          {pair.name}: {pair.value}
          <Icon name="cross" />
          <span className="hidden-text">{t('search.unchange')}</span>
        </button>
      ))}
    </form>
  );
}
