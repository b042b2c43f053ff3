import { useSyncExternalStore, type ReactElement } from 'react';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Note } from '../ui/states';
import { forgetLost, lostCount, subscribeLost } from './lost-files';

/** How many files signing out has left unsent. Whoever stands before the page now reads no name of them. */
export function LostNote(): ReactElement | null {
  const count = useSyncExternalStore(subscribeLost, lostCount);
  if (count === 0) return null;
  return (
    <Note kind="warn" icon="warn" title={t('lost.title', { count })}>
      <p>{t('lost.what', { count })}</p>
      <p className="note-actions">
        <Button onPress={forgetLost}>{t('unsent.forget')}</Button>
      </p>
    </Note>
  );
}
