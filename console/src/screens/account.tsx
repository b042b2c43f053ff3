import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { signOut } from '../api/session';
import { usePageTitle } from '../frame/page-title';
import { useMe } from '../frame/queries';
import { organisationName, organisationTitle } from '../frame/organisation';
import { ownTenant } from '../frame/refused';
import { SignOut } from '../frame/sign-out';
import { currentLanguage, formatWhen, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Row, Rows } from '../ui/rows';
import { ErrorNote, Loading } from '../ui/states';
import styles from './choice.module.css';
import { OwnPassword } from './own-password';
import { OwnShares } from './own-shares';
import { useMethods } from './sign-in';

type Session = Schema<'OwnSession'>;

const MOST = 100;
/** The more particular first: Edge calls itself Chrome too, and Chrome calls itself Safari. */
const PROGRAMS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari', 'curl', 'python', 'node'] as const;
const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', python: 'Python', node: 'Node.js' };
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const;

/** Who I am, where I am signed in, what I have shared, and my password. */
export default function Account(): ReactElement {
  usePageTitle(t('account.title'));
  const me = useMe();
  const methods = useMethods();
  const tenant = me.data && ownTenant(me.data);
  return (
    <main className="body">
      <div className={styles['narrow']}>
        <h1>{t('account.title')}</h1>
        {me.error !== null && <ErrorNote error={me.error} onRetry={() => void me.refetch()} />}
        <p>{[me.data?.account.name ?? '', me.data?.account.email ?? ''].filter((part) => part !== '').join(', ')}</p>
        {tenant !== undefined && <p className="quiet small">{roleWords(tenant)}</p>}
        <Sessions />
        <OwnShares />
        <OwnInvitations />
        {me.data !== undefined && methods.data?.password === true && (
          <section>
            <div className="section-line">
              <h2>{t('password.title')}</h2>
            </div>
            <OwnPassword email={me.data.account.email} />
          </section>
        )}
      </div>
    </main>
  );
}

function roleWords({ name, role: code }: Schema<'OwnTenantDto'>): string {
  const tenant = organisationName(name);
  const role = t(`role.${code}`);
  return tenant === undefined ? t('account.roleOnly', { role }) : t('account.role', { role, tenant });
}

function Sessions(): ReactElement {
  const queries = useQueryClient();
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/auth/sessions', { params: { query: { limit: MOST } }, signal })),
  });
  const ending = useMutation({
    mutationFn: ({ id }: Session) => api.DELETE('/api/v1/auth/sessions/{id}', { params: { path: { id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
  const endingAll = useMutation({
    mutationFn: () => api.DELETE('/api/v1/auth/sessions'),
    onSuccess: () => void signOut('everywhere'),
  });
  const error = sessions.error ?? ending.error ?? endingAll.error;
  return (
    <section>
      <div className="section-line">
        <h2>{t('account.sessions')}</h2>
        <span className="push">
          <SignOut
            look="danger"
            label={t('account.endAll')}
            question={{ title: t('account.endAllAsk'), what: t('account.endAllWhat') }}
            isDisabled={endingAll.isPending}
            onSignOut={() => endingAll.mutate()}
          />
        </span>
      </div>
      <p className="quiet small">{t('account.sessionsWhy')}</p>
      {error !== null && <ErrorNote error={error} onRetry={() => void sessions.refetch()} />}
      {sessions.isPending && <Loading />}
      <Rows label={t('account.sessions')}>
        {sessions.data?.items.map((session) => {
          const program = programOf(session.user_agent) ?? t('account.unknown');
          return (
            <Row
              key={session.id}
              title={program}
              about={[
                session.network === null ? undefined : t('account.network', { network: session.network }),
                t('account.begun', { when: formatWhen(session.created_at) }),
                session.current ? t('account.usedNow') : t('account.used', { when: formatWhen(session.last_used_at) }),
              ]}
            >
              {session.current ? (
                <span className="small">{t('account.here')}</span>
              ) : (
                <Button
                  aria-label={t('account.endOf', { program })}
                  isDisabled={ending.isPending}
                  onPress={() => ending.mutate(session)}
                >
                  {t('account.end')}
                </Button>
              )}
            </Row>
          );
        })}
      </Rows>
    </section>
  );
}

/** Tenants that I am invited to. The link that each inviter hands over accepts: an address alone never joins. */
function OwnInvitations(): ReactElement | null {
  const queries = useQueryClient();
  const invitations = useQuery({
    queryKey: ['own-invitations'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/auth/invitations', { params: { query: { limit: MOST } }, signal })),
  });
  const declining = useMutation({
    mutationFn: (id: string) => api.POST('/api/v1/auth/invitations/{id}/decline', { params: { path: { id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own-invitations'] }),
  });
  const error = invitations.error ?? declining.error;
  if (error === null && (invitations.data?.items.length ?? 0) === 0) return null;
  return (
    <section>
      <div className="section-line">
        <h2>{t('account.invitations')}</h2>
      </div>
      <p className="quiet small">{t('account.invitationsWhy')}</p>
      {error !== null && <ErrorNote error={error} onRetry={() => void invitations.refetch()} />}
      <Rows label={t('account.invitations')}>
        {invitations.data?.items.map(({ invitation_id: id, tenant_name: tenant, role, expires_at: end }) => (
          <Row
            key={id}
            title={organisationTitle(tenant)}
            about={[
              t(`role.${role}`),
              t('people.until', { date: new Date(end).toLocaleDateString(currentLanguage(), { dateStyle: 'medium' }) }),
            ]}
          >
            <Button look="danger" isDisabled={declining.isPending} onPress={() => declining.mutate(id)}>
              {t('account.decline')}
            </Button>
          </Row>
        ))}
      </Rows>
    </section>
  );
}

/** "Firefox, Linux": what the owner of a session recognises of what a browser calls itself. */
function programOf(agent: string | null): string | undefined {
  if (agent === null) return undefined;
  const program = PROGRAMS.find((name) => agent.includes(name));
  const system = SYSTEMS.find((name) => agent.includes(name));
  const parts = [program === undefined ? undefined : (NAMES[program] ?? program), system];
  const known = parts.filter((part) => part !== undefined);
  return known.length > 0 ? known.join(', ') : agent.slice(0, 40);
}
