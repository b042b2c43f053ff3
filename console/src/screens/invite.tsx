import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Form } from 'react-aria-components';
import { api, dataOf, type Schema } from '../api/client';
import { Problem } from '../api/problem';
import { ROOT } from '../api/root';
import type { Role } from '../frame/refused';
import { currentLanguage, t } from '../texts/i18n';
import { Button, Field, Sheet } from '../ui/controls';
import { ShownOnce } from '../ui/rows';
import { ErrorNote } from '../ui/states';
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
  const problem = inviting.error instanceof Problem ? inviting.error : undefined;
  const wrong =
    problem?.fields.find(({ pointer }) => pointer === '/email')?.detail ??
    (problem?.code === 'accounts.already_member' ? t('people.already') : undefined);
  return (
    <Sheet label={t('people.invite')} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          inviting.mutate();
        }}
      >
        <h1>{t('people.inviteTo', { tenant: tenant.name })}</h1>
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
        {inviting.error !== null && wrong === undefined && <ErrorNote error={inviting.error} />}
        <p className="tools">
          <Button look="first" type="submit" isDisabled={email.trim() === '' || inviting.isPending}>
            {t('people.makeLink')}
          </Button>
          <Button look="plain" onPress={onClose}>
            {t('cancel')}
          </Button>
        </p>
      </Form>
    </Sheet>
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
