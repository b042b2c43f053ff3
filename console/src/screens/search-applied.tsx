import type { ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { changesOf, valuesOf, type Change } from '../search/option-changes';
import { usualValue, type Purpose } from '../search/usual-options';
import { optionsOf, withOptions, type SearchOptions } from '../search/search-options';
import { optionName, valueWords } from '../search/option-words';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import styles from './search.module.css';

/** Says what a suggestion has changed, and takes it back. The address keeps the options that were before it. */
export function AppliedChange(): ReactElement | null {
  const [address, setAddress] = useSearchParams();
  const former = address.get('before');
  if (former === null) return null;
  const before = new URLSearchParams(former);
  const changes = changesOf(optionsOf(before), optionsOf(address));
  const back = (name: 'undo' | 'compare'): void =>
    setAddress((present) => {
      const next = withOptions(present, name === 'undo' ? optionsOf(before) : optionsOf(present));
      if (name === 'undo') next.delete('look');
      next.delete('before');
      if (name === 'undo') return next;
      const both = withOptions(next, optionsOf(before));
      both.set('compare', withOptions(new URLSearchParams(), optionsOf(present)).toString());
      return both;
    });
  return (
    <div className={`note ${styles['applied']}`} role="status">
      <Icon name="info" />
      <div>
        <b>{t('applied.title')}</b>
        <Changes changes={changes} />
      </div>
      <span className="push tools">
        <Button onPress={() => back('undo')}>{t('deferred.undo')}</Button>
        <Button onPress={() => back('compare')}>{t('applied.compare')}</Button>
      </span>
    </div>
  );
}

interface ChangesProps {
  readonly changes: readonly Change[];
  /** What the dataset has, where the changes are of one search and it is known. */
  readonly own?: SearchOptions | undefined;
  /** The changes are of what the dataset has: what it does not say is the default. */
  readonly isOfDataset?: boolean;
  readonly purpose?: Purpose;
}

/** "Results: as the dataset has it → 14" */
export function Changes({ changes, own, isOfDataset = false, purpose = 'search' }: ChangesProps): ReactElement {
  const set = valuesOf(own ?? {});
  const wordsOf = (option: string, value: string | undefined): string => {
    if (value !== undefined || option === 'filters') return valueWords(option, value);
    const inDataset = set.get(option);
    if (inDataset !== undefined) return t('setting.asSetTo', { value: valueWords(option, inDataset) });
    // Until it is known what the dataset has, that may be anything.
    if (own === undefined && !isOfDataset) return valueWords(option, value);
    const usual = usualValue(option, purpose);
    return usual === undefined ? t('setting.default') : t('setting.defaultOf', { value: valueWords(option, usual) });
  };
  return (
    <ul className={styles['changes']}>
      {changes.map(({ option, before, after }) => (
        <li key={option}>
          {optionName(option)} {wordsOf(option, before)} <Icon name="right" /> <b>{wordsOf(option, after)}</b>
        </li>
      ))}
    </ul>
  );
}
