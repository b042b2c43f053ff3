import type { ReactElement } from 'react';
import { t } from '../texts/i18n';
import { usePageTitle } from './page-title';
import { SignOut } from './sign-out';
import { Empty } from '../ui/states';

/** For somebody who is signed in and belongs to no tenant: everything else would be empty without a reason. */
export function NoOrganisation({ mine }: { readonly mine: string }): ReactElement {
  usePageTitle(t('nowhere.title'));
  return (
    <main className="body">
      <Empty title={t('nowhere.title')} isPage>
        <p>{t('nowhere.why', { mine })}</p>
        <p>
          <SignOut />
        </p>
      </Empty>
    </main>
  );
}
