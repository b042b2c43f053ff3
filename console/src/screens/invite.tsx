import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { detailOf, fieldDetail } from '../api/problem';
import { ROOT } from '../api/root';
import { organisationName } from '../frame/organisation';
import { useDatasets } from '../frame/queries';
import type { Role } from '../frame/refused';
import { currentLanguage, t } from '../texts/i18n';
import { Button, Field, Sheet } from '../ui/controls';
import { FormSheet } from '../ui/form-sheet';
import { ShownOnce } from '../ui/rows';
import { RoleChoice } from './role-choice';

interface InviteProps {
  readonly tenant: Schema<'OwnTenantDto'>;
  readonly isOwner: boolean;
  /** Of an invitation that gets a new link, which ends the one before. */
  readonly email?: string;
  readonly role?: Role;
  readonly onClose: () => void;
}

/** Asks whom to invite as what, and shows the link this once. */
export function Invite({ tenant, isOwner, onClose, ...before }: InviteProps): ReactElement {
  const [email, setEmail] = useState(before.email ?? '');
  const [role, setRole] = useState<Role>(before.role ?? 'viewer');
  const queries = useQueryClient();
  const inviting = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/tenants/{id}/members', {
          params: { path: { id: tenant.id } },
          body: { email: email.trim(), role },
        }),
      ),
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations', tenant.id] }),
  });
  if (inviting.data !== undefined) return <Link invitation={inviting.data} onClose={onClose} />;
  const organisation = organisationName(tenant.name);
  const wrong =
    fieldDetail(inviting.error, '/email') ??
    (detailOf(inviting.error, 'accounts.already_member') === undefined ? undefined : t('people.already'));
  return (
    <FormSheet
      title={organisation === undefined ? t('people.inviteHere') : t('people.inviteTo', { tenant: organisation })}
      label={t('people.invite')}
      submitLabel={t('people.makeLink')}
      isReady={email.trim() !== ''}
      isPending={inviting.isPending}
      error={wrong === undefined ? inviting.error : null}
      onSubmit={() => inviting.mutate()}
      onClose={onClose}
    >
      <p className="small quiet">{t('people.inviteWhy')}</p>
      <Field
        label={t('signIn.email')}
        type="email"
        autoComplete="off"
        value={email}
        onChange={setEmail}
        error={wrong}
        isRequired
        autoFocus
      />
      <RoleChoice value={role} onChange={setRole} isOwner={isOwner} />
      <WillSee />
    </FormSheet>
  );
}

/** So many datasets are named. */
const MOST_NAMED = 3;

/** What a new member sees at once: who invites into an empty room should know it. */
function WillSee(): ReactElement | null {
  const datasets = useDatasets();
  if (datasets.data === undefined) return null;
  const shared = datasets.data.items.filter(({ acl }) => acl === 'all_team_members').map(({ name }) => name);
  const names = shared.slice(0, MOST_NAMED).join(', ');
  const count = shared.length - MOST_NAMED;
  return (
    <p className="small quiet">
      {shared.length === 0
        ? t('people.inviteSeesNothing')
        : count > 0
          ? t('people.inviteSeesMore', { names, count })
          : t('people.inviteSees', { names })}
    </p>
  );
}

interface LinkProps {
  readonly invitation: Schema<'NewInvitationDto'>;
  readonly onClose: () => void;
}

/** Only its own button closes it: nobody sees the link again. */
function Link({ invitation, onClose }: LinkProps): ReactElement {
  const { email, role, secret = '', expires_at: end } = invitation;
  const date = new Date(end).toLocaleDateString(currentLanguage(), { dateStyle: 'long' });
  return (
    <Sheet label={t('people.link')}>
      <div className="stack">
        <h1>{t('people.linkFor', { email })}</h1>
        <ShownOnce label={t('people.link')} value={new URL(`invitation#${secret}`, ROOT).href} />
        <p className="small quiet">{t('people.linkWhy', { role: t(`role.${role}`), date })}</p>
        <p className="tools">
          <Button onPress={onClose}>{t('people.linkDone')}</Button>
        </p>
      </div>
    </Sheet>
  );
}
