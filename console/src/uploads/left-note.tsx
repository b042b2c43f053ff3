import { useSyncExternalStore, type ReactElement } from 'react';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Note } from '../ui/states';
import { forgetLeft, leftFiles, subscribeLeft } from './left-behind';

const MOST_NAMES = 20;

/** The files of a dataset that were chosen and never arrived, because the page was left. */
export function LeftNote({ datasetId }: { readonly datasetId: string }): ReactElement | null {
  const names = useSyncExternalStore(subscribeLeft, leftFiles)
    .filter((file) => file.datasetId === datasetId)
    .map(({ name }) => name);
  if (names.length === 0) return null;
  const more = names.length - MOST_NAMES;
  return (
    <Note kind="warn" icon="warn" title={t('left.title', { count: names.length })}>
      <p>{t('left.what')}</p>
      <p className="small">
        {names.slice(0, MOST_NAMES).join(', ')}
        {more > 0 && ` ${t('pick.andMore', { count: more })}`}
      </p>
      <p className="note-acts">
        <Button onPress={() => forgetLeft(datasetId)}>{t('left.forget')}</Button>
      </p>
    </Note>
  );
}
