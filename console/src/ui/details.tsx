import type { ReactElement, ReactNode } from 'react';
import { t } from '../texts/i18n';
import styles from './details.module.css';

/** What programmers and operators need: codes, raw values, the service's own sentences. Closed at first. */
export function Details({ label, children }: { readonly label?: string; readonly children: ReactNode }): ReactElement {
  return (
    <details className={styles['details']}>
      <summary>{label ?? t('details')}</summary>
      <div className={styles['inside']}>{children}</div>
    </details>
  );
}
