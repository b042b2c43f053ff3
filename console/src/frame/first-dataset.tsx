import { useState, type ReactElement, type ReactNode } from 'react';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { Empty } from '../ui/states';
import { NewDataset } from './new-dataset';
import { useMe } from './queries';
import { SampleDataset } from './sample-dataset';

/** Where there is no dataset yet: what one is, and how to begin, for who may. `children` says what else belongs to the page. */
export function FirstDataset({ children }: { readonly children?: ReactNode }): ReactElement {
  const me = useMe();
  const [isMaking, make] = useState(false);
  const isWriter = me.data?.permissions.includes('datasets:write') === true;
  return (
    <Empty title={t('start.emptyTitle')}>
      {children}
      <p>{t(isWriter ? 'start.emptyWriter' : 'start.emptyReader')}</p>
      {isWriter && (
        <Button look="first" onPress={() => make(true)}>
          <Icon name="plus" />
          {t('dataset.new')}
        </Button>
      )}
      {isWriter && <SampleDataset />}
      {isMaking && <NewDataset onClose={() => make(false)} />}
    </Empty>
  );
}
