import type { ReactElement } from 'react';
import { t } from '../texts/i18n';

const MOST_NAMES = 20;

/** Names of files in a line or a few, and how many more there are. */
export function FileNames({ names }: { readonly names: readonly string[] }): ReactElement {
  const more = names.length - MOST_NAMES;
  return (
    <p className="small">
      {names.slice(0, MOST_NAMES).join(', ')}
      {more > 0 && ` ${t('pick.andMore', { count: more })}`}
    </p>
  );
}
