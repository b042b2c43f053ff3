import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, type Schema } from '../api/client';
import { Problem } from '../api/problem';
import { organisationName } from '../frame/organisation';
import type { Role } from '../frame/refused';
import { t } from '../texts/i18n';
import { Confirm } from '../ui/confirm';
import { FormSheet } from '../ui/form-sheet';
import { useMembers } from './members';
import { RoleChoice } from './role-choice';

interface MemberProps {
  readonly tenant: Schema<'OwnTenantDto'>;
  readonly member: Schema<'Member'>;
  readonly onClose: () => void;
}

/** Another role for a member. */
export function ChangeRole({
  tenant,
  member,
  isOwner,
  onClose,
}: MemberProps & { readonly isOwner: boolean }): ReactElement {
  const [role, setRole] = useState<Role>(member.role);
  const queries = useQueryClient();
  const changing = useMutation({
    mutationFn: () =>
      api.PATCH('/api/v1/tenants/{id}/members/{account_id}', {
        params: { path: { id: tenant.id, account_id: member.account_id } },
        body: { role },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['members', tenant.id] });
      onClose();
    },
  });
  const name = member.name || member.email;
  return (
    <FormSheet
      title={t('people.changeOf', { name })}
      submitLabel={t('save')}
      isReady={role !== member.role}
      isPending={changing.isPending}
      error={changing.error}
      onSubmit={() => changing.mutate()}
      onClose={onClose}
    >
      <RoleChoice value={role} onChange={setRole} isOwner={isOwner} />
    </FormSheet>
  );
}

/** Ends a membership. Datasets of the member need somebody else: asked for when there are some. */
export function RemoveMember({ tenant, member, onClose }: MemberProps): ReactElement {
  const [heir, setHeir] = useState<string>();
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: () =>
      api.DELETE('/api/v1/tenants/{id}/members/{account_id}', {
        params: {
          path: { id: tenant.id, account_id: member.account_id },
          query: heir === undefined ? {} : { transfer_to: heir },
        },
      }),
    onSuccess: async () => {
      await Promise.all(
        ['members', 'invitations', 'datasets'].map((name) => queries.invalidateQueries({ queryKey: [name] })),
      );
      onClose();
    },
  });
  const ownsDatasets = removing.error instanceof Problem && removing.error.code === 'accounts.member_owns_datasets';
  const isAsked = ownsDatasets || heir !== undefined;
  const name = member.name || member.email;
  const organisation = organisationName(tenant.name);
  return (
    <Confirm
      title={
        organisation === undefined
          ? t('people.removeHere', { name })
          : t('people.removeQuestion', { name, tenant: organisation })
      }
      submitLabel={t('people.remove')}
      isPending={removing.isPending || (ownsDatasets && heir === undefined)}
      error={ownsDatasets ? null : removing.error}
      onSubmit={() => removing.mutate()}
      onClose={onClose}
    >
      <p>{t('people.removeWhy')}</p>
      {isAsked && <Heir tenant={tenant} member={member} value={heir} onChange={setHeir} />}
    </Confirm>
  );
}

interface HeirProps extends Omit<MemberProps, 'onClose'> {
  readonly value: string | undefined;
  readonly onChange: (accountId: string) => void;
}

function Heir({ tenant, member, value, onChange }: HeirProps): ReactElement {
  const members = useMembers(tenant.id);
  const others = (members.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ account_id: id }) => id !== member.account_id);
  return (
    <label className="field">
      {t('people.heir')}
      <select className="input" value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
        <option value="" disabled>
          {t('people.heirChoose')}
        </option>
        {others.map((other) => (
          <option key={other.account_id} value={other.account_id}>
            {other.name === '' ? other.email : `${other.name}, ${other.email}`}
          </option>
        ))}
      </select>
    </label>
  );
}
