import { useSyncExternalStore, type ReactElement } from 'react';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Note } from '../ui/states';
import { FileNames } from './file-names';
import { forgetUnsent, unsentFiles, subscribeUnsent } from './unsent-files';

/** The files of a dataset that were chosen and never arrived, because the page was left. */
export function UnsentFilesNote({ datasetId }: { readonly datasetId: string }): ReactElement | null {
  const names = useSyncExternalStore(subscribeUnsent, unsentFiles)
    .filter((file) => file.datasetId === datasetId)
    .map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Note kind="warn" icon="warn" title={t('unsent.title', { count: names.length })}>
      <p>{t('unsent.what')}</p>
      <FileNames names={names} />
      <p className="note-actions">
        <Button onPress={() => forgetUnsent(datasetId)}>{t('unsent.forget')}</Button>
      </p>
    </Note>
  );
}
