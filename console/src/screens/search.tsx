import type { ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { WritersPlace } from '../frame/writers-place';
import { optionsOf, withOptions, type SearchOptions } from '../search/search-options';
import { useSearch } from '../search/use-search';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { SearchForm } from '../ui/search-field';
import { Empty } from '../ui/states';
import { AppliedChange } from './search-applied';
import { SearchFilters } from './search-filters';
import { SearchResults } from './search-results';
import { SearchSettings } from './search-settings';
import { SideBySide } from './search-sides';
import styles from './search.module.css';

/** Passages for words, with what each channel thought of them. The address holds the search whole. */
export default function Search({ datasetId }: { readonly datasetId: string }): ReactElement {
  return (
    <WritersPlace datasetId={datasetId} tab="search">
      {() => <SearchPage datasetId={datasetId} />}
    </WritersPlace>
  );
}

function SearchPage({ datasetId }: { readonly datasetId: string }): ReactElement {
  const [address, setAddress] = useSearchParams();
  const q = address.get('q') ?? '';
  const options = optionsOf(address);
  const compared = address.get('compare');
  const found = useSearch(datasetId, q, options);
  const other = compared === null ? undefined : optionsOf(new URLSearchParams(compared));
  const setOptions = (next: SearchOptions): void => setAddress((before) => withOptions(before, next));
  const setOther = (next: SearchOptions | undefined): void =>
    setAddress((before) => {
      const after = new URLSearchParams(before);
      if (next === undefined) after.delete('compare');
      else after.set('compare', withOptions(new URLSearchParams(), next).toString());
      return after;
    });
  const setFilters = (filters: SearchOptions['filters']): void => {
    setOptions(withFilters(options, filters));
    if (other !== undefined) setOther(withFilters(other, filters));
  };
  return (
    <>
      <SearchForm
        key={q}
        label={t('search.words')}
        q={q}
        isFirst={q === ''}
        button={() => (
          <Button look="first" type="submit">
            {t('search.go')}
          </Button>
        )}
        onSearch={(value) =>
          setAddress((before) => {
            const after = new URLSearchParams(before);
            after.set('q', value);
            for (const name of ['before', 'look']) after.delete(name);
            return after;
          })
        }
      />
      <SearchFilters datasetId={datasetId} filters={options.filters} onChange={setFilters} />
      <AppliedChange />
      {other === undefined ? (
        <>
          <SearchSettings
            datasetId={datasetId}
            options={options}
            onChange={setOptions}
            used={found.data?.retrieval.search_method}
          />
          {q === '' && (
            <div className={styles['begin']}>
              <Empty title={t('search.begin')}>
                <p>{t('search.beginWhat')}</p>
                <p className="small quiet">{t('search.beginMethods')}</p>
              </Empty>
            </div>
          )}
          {q !== '' && (
            <SearchResults
              datasetId={datasetId}
              q={q}
              options={options}
              onCompare={() => setOther(options)}
              onOptions={setOptions}
            />
          )}
        </>
      ) : (
        <SideBySide
          datasetId={datasetId}
          q={q}
          left={options}
          right={other}
          onLeft={setOptions}
          onRight={setOther}
          onTakeRight={() => {
            setOptions(other);
            setOther(undefined);
          }}
        />
      )}
    </>
  );
}

function withFilters({ filters: _former, ...rest }: SearchOptions, filters: SearchOptions['filters']): SearchOptions {
  return filters === undefined ? rest : { ...rest, filters };
}
