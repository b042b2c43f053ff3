import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState, type ReactElement, type ReactNode } from 'react';
import { t } from '../texts/i18n';
import { Button } from './controls';
import { Icon } from './icon';
import styles from './rows.module.css';

/** Things below each other with what can be done to each: members, keys, sessions. */
export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <ul className={styles['rows']} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  readonly title: string;
  /** What else there is to know of it; empty parts are left out. */
  readonly about: readonly (string | undefined)[];
  readonly children?: ReactNode;
}

export function Row({ title, about, children }: RowProps): ReactElement {
  const parts = about.filter((part) => part !== undefined && part !== '');
  return (
    <li>
      <div className={styles['what']}>
        <b className="cut" title={title}>
          {title}
        </b>
        {parts.length > 0 && <small>{parts.join(' · ')}</small>}
      </div>
      <div className={styles['actions']}>{children}</div>
    </li>
  );
}

/** Fetches the next page of a long list. */
export function More({
  list,
}: {
  readonly list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>;
}): ReactElement | null {
  if (!list.hasNextPage) return null;
  return (
    <p className={styles['more']}>
      <Button isDisabled={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
        {t('rows.more')}
      </Button>
    </p>
  );
}

/** A secret that is shown this once. Where there is no clipboard, as without TLS, it is selected to be copied by hand. */
export function ShownOnce({ label, value }: { readonly label: string; readonly value: string }): ReactElement {
  const [field, setField] = useState<HTMLInputElement | null>(null);
  const [state, setState] = useState<'shown' | 'copied' | 'selected'>('shown');
  const copy = async (): Promise<void> => {
    field?.select();
    const clipboard = navigator.clipboard as Clipboard | undefined;
    const isCopied =
      (await clipboard?.writeText(value).then(
        () => true,
        () => false,
      )) === true;
    setState(isCopied ? 'copied' : 'selected');
  };
  return (
    <div className="field">
      <label>
        {label}
        <span className={styles['shown']}>
          <input
            ref={setField}
            className="input"
            value={value}
            readOnly
            spellCheck={false}
            onFocus={(event) => event.target.select()}
          />
        </span>
      </label>
      <p className="tools" role="status">
        <Button look="first" autoFocus onPress={() => void copy()}>
          <Icon name={state === 'copied' ? 'check' : 'copy'} />
          {t(state === 'copied' ? 'once.copied' : 'once.copy')}
        </Button>
        {state === 'selected' && <span className="small quiet">{t('once.selected')}</span>}
      </p>
    </div>
  );
}
