import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { t } from '../texts/i18n';
import { Icon } from '../ui/icon';
import { ErrorNote, Loading, Note } from '../ui/states';
import { organisationName } from './organisation';
import { useMe } from './queries';

type Me = Schema<'MeResponse'>;
export type Permission = Me['permissions'][number];
export type Role = Me['tenants'][number]['role'];

/** The tenant that the person acts in, as a member of it. */
export function ownTenant(me: Me): Me['tenants'][number] | undefined {
  return me.tenants.find(({ id }) => id === me.tenant_id);
}

interface OnlyProps {
  /** What the page needs. */
  readonly permission: Permission;
  /** Who may do what the page is for. */
  readonly who: string;
  readonly children: (me: Me) => ReactElement;
}

/** A page for who has a permission; who has not, and came by its address, reads who has. */
export function Only({ permission, who, children }: OnlyProps): ReactElement {
  const me = useMe();
  if (me.data === undefined) {
    return (
      <main className="body">
        {me.error === null ? <Loading /> : <ErrorNote error={me.error} onRetry={() => void me.refetch()} />}
      </main>
    );
  }
  if (me.data.permissions.includes(permission)) return children(me.data);
  return (
    <main className="body">
      <Refused who={who} isPage />
    </main>
  );
}

interface RefusedProps {
  readonly who: string;
  /** All that the page says. */
  readonly isPage?: boolean;
}

/** Says that this is not for the person's role, and whose it is. */
export function Refused({ who, isPage = false }: RefusedProps): ReactElement {
  const me = useMe();
  const tenant = me.data && ownTenant(me.data);
  return (
    <Note kind="warn" icon="info" title={t('refusedPage.title')} isPage={isPage}>
      <p>{who}</p>
      {tenant !== undefined && <p>{ownRole(tenant)}</p>}
      <p className="note-actions">
        <Link className="button" href="/">
          <Icon name="ask" />
          {t('frame.start')}
        </Link>
      </p>
    </Note>
  );
}

function ownRole({ name, role: code }: Schema<'OwnTenantDto'>): string {
  const tenant = organisationName(name);
  const role = t(`role.${code}`);
  return tenant === undefined ? t('refusedPage.roleOnly', { role }) : t('refusedPage.role', { role, tenant });
}
