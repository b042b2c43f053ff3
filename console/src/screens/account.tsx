import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { signOut } from '../api/session';
import { useMe } from '../frame/queries';
import { formatWhen, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { ErrorNote, Loading } from '../ui/states';
import styles from './account.module.css';

type Session = Schema<'OwnSession'>;

const MOST = 100;
/** The more particular first: Edge calls itself Chrome too, and Chrome calls itself Safari. */
const PROGRAMS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari', 'curl', 'python', 'node'] as const;
const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', python: 'Python', node: 'Node.js' };
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const;

/** Who I am, and where I am signed in. */
export default function Account(): ReactElement {
  const me = useMe();
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
    onSuccess: () => void signOut(),
  });
  const error = sessions.error ?? ending.error ?? endingAll.error;
  return (
    <main className="body">
      <h1>{t('account.title')}</h1>
      <p className="quiet">{me.data?.account.email}</p>
      <div className="section-line">
        <h2>{t('account.sessions')}</h2>
        <span className="push">
          <Button look="danger" isDisabled={endingAll.isPending} onPress={() => endingAll.mutate()}>
            {t('account.endAll')}
          </Button>
        </span>
      </div>
      <p className="quiet small">{t('account.sessionsWhy')}</p>
      {error !== null && <ErrorNote error={error} onRetry={() => void sessions.refetch()} />}
      {sessions.isPending && <Loading />}
      <ul className={styles['sessions']}>
        {sessions.data?.items.map((session) => (
          <li key={session.id}>
            <b>{programOf(session.user_agent) ?? t('account.unknown')}</b>
            <span className="quiet small">
              {[
                session.network ?? '',
                t('account.begun', { when: formatWhen(session.created_at) }),
                t('account.used', { when: formatWhen(session.last_used_at) }),
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            </span>
            {session.current ? (
              <span className="small">{t('account.here')}</span>
            ) : (
              <Button isDisabled={ending.isPending} onPress={() => ending.mutate(session)}>
                {t('account.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </main>
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
