import { useState, type ReactElement } from 'react';
import type { Schema } from '../api/client';
import { currentLanguage, formatNumber, t } from '../texts/i18n';
import { SearchField } from '../ui/search-field';

type Dataset = Schema<'Dataset'>;

/** Above so many a list of datasets has a field that finds them by their name. */
const MANY = 20;

interface Found {
  readonly items: readonly Dataset[];
  readonly field: ReactElement | null;
}

/** The datasets whose name has what is typed into the field, which is there where there are many. */
export function useFoundDatasets(all: readonly Dataset[]): Found {
  const [text, setText] = useState('');
  const folded = (name: string): string => name.toLocaleLowerCase(currentLanguage());
  const isMany = all.length > MANY;
  const typed = isMany ? folded(text.trim()) : '';
  const items = typed === '' ? all : all.filter(({ name }) => folded(name).includes(typed));
  const field = !isMany ? null : (
    <>
      <SearchField label={t('dataset.find')} value={text} onChange={setText} />
      {items.length === 0 && <p className="quiet small">{t('dataset.noneFound')}</p>}
    </>
  );
  return { items, field };
}

/** That there are more datasets than are listed, where that is so. */
export function MoreDatasets({ page }: { readonly page: Schema<'DatasetPage'> | undefined }): ReactElement | null {
  if (page === undefined || page.items.length >= page.total) return null;
  const numbers = { count: formatNumber(page.items.length), total: formatNumber(page.total) };
  return <p className="quiet small">{t('dataset.more', numbers)}</p>;
}
