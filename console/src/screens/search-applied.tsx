import type { ReactElement } from 'react';
import { useSearchParams } from 'wouter';
import { changesOf, type Change } from '../search/option-changes';
import { optionsOf, withOptions } from '../search/search-options';
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
        <Button onPress={() => back('undo')}>{t('soon.undo')}</Button>
        <Button onPress={() => back('compare')}>{t('applied.compare')}</Button>
      </span>
    </div>
  );
}

/** "Results: as the dataset has it → 14" */
export function Changes({ changes }: { readonly changes: readonly Change[] }): ReactElement {
  return (
    <ul className={styles['changes']}>
      {changes.map(({ option, before, after }) => (
        <li key={option}>
          {optionName(option)} {valueWords(option, before)} <Icon name="right" /> <b>{valueWords(option, after)}</b>
        </li>
      ))}
    </ul>
  );
}
