import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState, type KeyboardEvent, type ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { fetchWholeText, MOST_CHARACTERS } from '../api/canonical-text';
import type { Schema } from '../api/client';
import { hitsInMarkdown, hitsOf, MOST_HITS, type Stretch } from '../search/text-pieces';
import { formatNumber, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import styles from './document.module.css';
import { setOf } from './document-prose';

const NONE: readonly Stretch[] = [];

/** A search within the text of a document. */
export interface Find {
  readonly words: string;
  readonly setWords: (words: string) => void;
  readonly hits: readonly Stretch[];
  /** Number of the hit that is looked at, from 0. */
  readonly at: number;
  readonly step: (by: 1 | -1) => void;
  readonly isSearching: boolean;
  /** Only the beginning was searched: the text is too long. */
  readonly isCut: boolean;
  readonly error: Error | null;
}

/** The words stand in the address (`find`); the text is fetched whole when there are some. */
export function useFind({ id, revision, updated_at: changed, media_type: type }: Schema<'DocumentDetail'>): Find {
  const [search, setSearch] = useSearchParams();
  const words = search.get('find') ?? '';
  const wanted = useDeferredValue(words.trim());
  const text = useQuery({
    queryKey: ['text', id, revision, changed],
    queryFn: ({ signal }) => fetchWholeText(id, signal),
    enabled: wanted !== '',
    staleTime: Infinity,
  });
  const hits = useMemo(() => {
    if (text.data === undefined) return NONE;
    return setOf(type) === 'markdown' ? hitsInMarkdown(text.data, wanted) : hitsOf(text.data, wanted);
  }, [text.data, wanted, type]);
  const [position, setPosition] = useState({ words: '', at: 0 });
  const at = position.words === wanted && position.at < hits.length ? position.at : 0;
  return {
    words,
    setWords: (next) =>
      setSearch(
        (former) => {
          const { find: _, ...others } = Object.fromEntries(former);
          return next === '' ? others : { ...others, find: next };
        },
        { replace: true },
      ),
    hits,
    at,
    step: (by) => setPosition({ words: wanted, at: hits.length === 0 ? 0 : (at + by + hits.length) % hits.length }),
    isSearching: wanted !== '' && text.isPending,
    isCut: (text.data?.length ?? 0) >= MOST_CHARACTERS,
    error: text.error,
  };
}

/** Enter goes to the next place, with Shift to the one before, Escape ends the search. Ctrl and F stay the browser's. */
export function FindBar({ find }: { readonly find: Find }): ReactElement {
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && find.words !== '') find.setWords('');
    else return;
    event.preventDefault();
  };
  return (
    <search className={styles['find']}>
      <label className="input">
        <Icon name="search" />
        <input
          type="search"
          value={find.words}
          aria-label={t('find.label')}
          placeholder={t('find.label')}
          onChange={(event) => find.setWords(event.target.value)}
          onKeyDown={press}
        />
      </label>
      {find.words.trim() !== '' && (
        <>
          <span className="quiet" role="status">
            {countOf(find)}
          </span>
          <StepButton find={find} by={-1} />
          <StepButton find={find} by={1} />
        </>
      )}
    </search>
  );
}

function StepButton({ find, by }: { readonly find: Find; readonly by: 1 | -1 }): ReactElement {
  return (
    <Button
      look="plain"
      square
      aria-label={t(by === 1 ? 'find.next' : 'find.before')}
      isDisabled={find.hits.length === 0}
      onPress={() => find.step(by)}
    >
      <span className={by === 1 ? undefined : styles['turned']}>
        <Icon name="down" />
      </span>
    </Button>
  );
}

function countOf({ hits, at, isSearching }: Find): string {
  if (isSearching) return t('find.searching');
  if (hits.length === 0) return t('find.none');
  const total = `${formatNumber(hits.length)}${hits.length === MOST_HITS ? '+' : ''}`;
  return t('find.position', { at: formatNumber(at + 1), total });
}
