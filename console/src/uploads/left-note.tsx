import { useSyncExternalStore, type ReactElement } from 'react';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Note } from '../ui/states';
import { FileNames } from './file-names';
import { forgetLeft, leftFiles, subscribeLeft } from './left-behind';

/** The files of a dataset that were chosen and never arrived, because the page was left. */
export function LeftNote({ datasetId }: { readonly datasetId: string }): ReactElement | null {
  const names = useSyncExternalStore(subscribeLeft, leftFiles)
    .filter((file) => file.datasetId === datasetId)
    .map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Note kind="warn" icon="warn" title={t('left.title', { count: names.length })}>
      <p>{t('left.what')}</p>
      <FileNames names={names} />
      <p className="note-actions">
        <Button onPress={() => forgetLeft(datasetId)}>{t('left.forget')}</Button>
      </p>
    </Note>
  );
}
