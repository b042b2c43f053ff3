import { useSyncExternalStore, type ReactElement } from 'react';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Details } from '../ui/details';
import { Note } from '../ui/states';
import { FileNames } from './file-names';
import { forgetLost, lostFiles, subscribeLost } from './lost-files';

/** What signing out has left unsent. The names are closed: whoever stands beside reads only how many. */
export function LostNote(): ReactElement | null {
  const names = useSyncExternalStore(subscribeLost, lostFiles);
  if (names.length === 0) return null;
  return (
    <Note kind="warn" icon="warn" title={t('lost.title', { count: names.length })}>
      <p>{t('lost.what', { count: names.length })}</p>
      <Details label={t('lost.which')}>
        <FileNames names={names} />
      </Details>
      <p className="note-acts">
        <Button onPress={forgetLost}>{t('left.forget')}</Button>
      </p>
    </Note>
  );
}
