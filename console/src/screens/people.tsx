import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { organisationName } from '../frame/organisation';
import { Only, ownTenant, type Role } from '../frame/refused';
import { usePageTitle } from '../frame/page-title';
import { currentLanguage, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { More, Row, Rows } from '../ui/rows';
import { ErrorNote, Loading } from '../ui/states';
import { Invite } from './invite';
import { ChangeRole, RemoveMember } from './member-sheets';
import { LOOK_MS, nextSkip, useMembers } from './members';

type Member = Schema<'Member'>;
type Invitation = Schema<'TenantInvitation'>;
type Tenant = Schema<'OwnTenantDto'>;

const PAGE = 50;

/** Who belongs to the tenant, as what, and who is invited. */
export default function People(): ReactElement {
  usePageTitle(t('people.title'));
  return (
    <Only permission="members:manage" who={t('people.who')}>
      {(me) => (
        <PeopleOf tenant={ownTenant(me)!} mine={me.account.id} isOwner={me.permissions.includes('tenant:manage')} />
      )}
    </Only>
  );
}

interface PeopleProps {
  readonly tenant: Tenant;
  /** The account of who looks. */
  readonly mine: string;
  /** Nobody but an owner makes or changes one. */
  readonly isOwner: boolean;
}

type Opened =
  | { readonly kind: 'role' | 'remove'; readonly member: Member }
  | { readonly kind: 'invite'; readonly email?: string; readonly role?: Role };

function PeopleOf({ tenant, mine, isOwner }: PeopleProps): ReactElement {
  const [opened, open] = useState<Opened>();
  const close = (): void => open(undefined);
  return (
    <main className="body">
      <div className="head-line">
        <h1>{t('people.title')}</h1>
        <span className="quiet cut">{organisationName(tenant.name)}</span>
        <span className="push">
          <Button look="first" onPress={() => open({ kind: 'invite' })}>
            <Icon name="plus" />
            {t('people.invite')}
          </Button>
        </span>
      </div>
      <Members tenant={tenant} mine={mine} isOwner={isOwner} onOpen={open} />
      <Invitations tenant={tenant} isOwner={isOwner} onOpen={open} />
      {opened?.kind === 'invite' && (
        <Invite
          tenant={tenant}
          isOwner={isOwner}
          onClose={close}
          {...(opened.email === undefined ? {} : { email: opened.email })}
          {...(opened.role === undefined ? {} : { role: opened.role })}
        />
      )}
      {opened?.kind === 'role' && (
        <ChangeRole tenant={tenant} member={opened.member} isOwner={isOwner} onClose={close} />
      )}
      {opened?.kind === 'remove' && <RemoveMember tenant={tenant} member={opened.member} onClose={close} />}
    </main>
  );
}

interface ListProps {
  readonly tenant: Tenant;
  readonly isOwner: boolean;
  readonly onOpen: (opened: Opened) => void;
}

function Members({ tenant, mine, isOwner, onOpen }: ListProps & { readonly mine: string }): ReactElement {
  const members = useMembers(tenant.id);
  const items = members.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section>
      <div className="section-line">
        <h2>{t('people.members')}</h2>
        {members.data !== undefined && <span className="quiet small">{members.data.pages[0]?.total}</span>}
      </div>
      {members.error !== null && <ErrorNote error={members.error} onRetry={() => void members.refetch()} />}
      {members.isPending && <Loading />}
      <Rows label={t('people.members')}>
        {items.map((member) => {
          const isMine = member.account_id === mine;
          const isBeyond = member.role === 'owner' && !isOwner;
          const name = member.name || member.email;
          return (
            <Row
              key={member.account_id}
              title={name}
              about={[
                member.name === '' ? undefined : member.email,
                t('people.since', { date: dateOf(member.created_at) }),
              ]}
            >
              <span>{t(`role.${member.role}`)}</span>
              {isMine && <span className="quiet small">{t('people.you')}</span>}
              {!isMine && !isBeyond && (
                <>
                  <Button aria-label={t('people.changeOf', { name })} onPress={() => onOpen({ kind: 'role', member })}>
                    {t('people.change')}
                  </Button>
                  <Button
                    look="danger"
                    aria-label={t('people.removeOf', { name })}
                    onPress={() => onOpen({ kind: 'remove', member })}
                  >
                    {t('people.remove')}
                  </Button>
                </>
              )}
            </Row>
          );
        })}
      </Rows>
      <More list={members} />
    </section>
  );
}

function Invitations({ tenant, isOwner, onOpen }: ListProps): ReactElement | null {
  const queries = useQueryClient();
  const invitations = useInfiniteQuery({
    queryKey: ['invitations', tenant.id],
    initialPageParam: 0,
    queryFn: ({ pageParam: skip, signal }) =>
      dataOf(
        api.GET('/api/v1/tenants/{id}/invitations', {
          params: { path: { id: tenant.id }, query: { limit: PAGE, skip, order_by: 'name' } },
          signal,
        }),
      ),
    getNextPageParam: nextSkip,
    refetchInterval: LOOK_MS,
  });
  const withdrawing = useMutation({
    mutationFn: ({ invitation_id: invitation }: Invitation) =>
      api.DELETE('/api/v1/tenants/{id}/invitations/{invitation_id}', {
        params: { path: { id: tenant.id, invitation_id: invitation } },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['invitations', tenant.id] }),
  });
  const items = invitations.data?.pages.flatMap((page) => page.items) ?? [];
  const error = invitations.error ?? withdrawing.error;
  return (
    <section>
      <div className="section-line">
        <h2>{t('people.invitations')}</h2>
      </div>
      {error !== null && <ErrorNote error={error} onRetry={() => void invitations.refetch()} />}
      {invitations.isPending && <Loading lines={2} />}
      {invitations.data !== undefined && items.length === 0 && <p className="quiet">{t('people.noInvitations')}</p>}
      {items.length > 0 && (
        <Rows label={t('people.invitations')}>
          {items.map((invitation) => {
            const { email, role, status } = invitation;
            const date = dateOf(invitation.expires_at);
            return (
              <Row
                key={invitation.invitation_id}
                title={email}
                about={[t(`role.${role}`), t(status === 'expired' ? 'people.expired' : 'people.until', { date })]}
              >
                {(role !== 'owner' || isOwner) && (
                  <Button
                    aria-label={t('people.anewOf', { email })}
                    onPress={() => onOpen({ kind: 'invite', email, role })}
                  >
                    {t('people.anew')}
                  </Button>
                )}
                <Button
                  look="danger"
                  aria-label={t('people.withdrawOf', { email })}
                  isDisabled={withdrawing.isPending}
                  onPress={() => withdrawing.mutate(invitation)}
                >
                  {t('people.withdraw')}
                </Button>
              </Row>
            );
          })}
        </Rows>
      )}
      <More list={invitations} />
    </section>
  );
}

const dateOf = (instant: string): string =>
  new Date(instant).toLocaleDateString(currentLanguage(), { dateStyle: 'medium' });
