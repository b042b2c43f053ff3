import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore, type ReactElement } from 'react';
import { Form } from 'react-aria-components';
import { useLocation } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { keepInvitation, takeInvitation } from '../api/issuer';
import { Problem } from '../api/problem';
import { chooseTenant, sessionState, signIn, subscribe } from '../api/session';
import { organisationName } from '../frame/organisation';
import { usePageTitle } from '../frame/page-title';
import { useMe } from '../frame/queries';
import { SignOut } from '../frame/sign-out';
import { currentLanguage, t } from '../texts/i18n';
import { weakPasswordWords } from '../texts/password-words';
import { Button } from '../ui/controls';
import { PasswordField } from '../ui/password-field';
import { ErrorNote, Loading, Note } from '../ui/states';
import { Door, SignInForm, useMethods } from './sign-in';
import styles from './sign-in.module.css';

type Preview = Schema<'InvitationPreview'>;

interface InvitedProps {
  readonly secret: string;
  readonly preview: Preview;
}

const queries = new QueryClient();

/** What an invitation leads to. Opening its link accepts nothing; the secret behind `#` goes to the service alone, in a body. */
export default function Invitation({ onRedraw }: { readonly onRedraw: () => void }): ReactElement {
  const [secret] = useState(secretOfPage);
  return (
    <QueryClientProvider client={queries}>
      <Door onRedraw={onRedraw}>
        <Shown secret={secret} />
      </Door>
    </QueryClientProvider>
  );
}

/** Of the link, else the one that waited while this tab was at the issuer, which a reload finds in the address again. */
function secretOfPage(): string {
  const kept = takeInvitation();
  if (location.hash === '' && kept !== undefined) history.replaceState(history.state, '', `#${kept}`);
  return location.hash.slice(1);
}

function Shown({ secret }: { readonly secret: string }): ReactElement {
  const state = useSyncExternalStore(subscribe, sessionState);
  const [hasAccount, choose] = useState(false);
  const found = useQuery({
    queryKey: ['invitation', secret],
    queryFn: ({ signal }) => dataOf(api.POST('/api/v1/auth/invitations/preview', { body: { secret }, signal })),
    retry: (count, error) => count < 2 && error instanceof Problem && error.isPassing,
  });
  const methods = useMethods();
  if (found.isPending || methods.isPending || state === 'starting') {
    return (
      <Body>
        <Loading />
      </Body>
    );
  }
  if (found.error !== null) {
    const isGone = found.error instanceof Problem && [404, 422].includes(found.error.status);
    return (
      <Body>
        {isGone ? (
          <Note kind="warn" icon="warn" title={t('invitation.gone')}>
            <p>{t('invitation.goneWhy')}</p>
          </Note>
        ) : (
          <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
        )}
      </Body>
    );
  }
  const invited = { secret, preview: found.data };
  if (state !== 'signed-out') return <JoinAsMe {...invited} />;
  const takesPasswords = methods.data?.password !== false;
  if (!hasAccount && takesPasswords) return <JoinAnew {...invited} onChoose={() => choose(true)} />;
  return (
    <>
      {!takesPasswords && (
        <Body>
          <Words preview={found.data} />
        </Body>
      )}
      <SignInForm onLeave={() => keepInvitation(secret)} />
      {takesPasswords && (
        <p className="choice-line">
          <Button look="plain" onPress={() => choose(false)}>
            {t('invitation.new')}
          </Button>
        </p>
      )}
    </>
  );
}

function Body({ children }: { readonly children: ReactElement }): ReactElement {
  return <div className={styles['door-body']}>{children}</div>;
}

function joinWords({ tenant_name: name }: Preview): string {
  const tenant = organisationName(name);
  return tenant === undefined ? t('invitation.joinHere') : t('invitation.join', { tenant });
}

function Words({ preview }: { readonly preview: Preview }): ReactElement {
  usePageTitle(joinWords(preview));
  const date = new Date(preview.expires_at).toLocaleDateString(currentLanguage(), { dateStyle: 'long' });
  return (
    <div className={styles['invited']}>
      <h1>{joinWords(preview)}</h1>
      <p className="quiet">
        {t('invitation.by', {
          inviter: preview.inviter_name ?? t('invitation.someone'),
          email: preview.email,
          role: t(`role.${preview.role}`),
          date,
        })}
      </p>
      <p className="small quiet">
        {t('invitation.may', { role: t(`role.${preview.role}`), may: t(`roleMay.${preview.role}`) })}
      </p>
    </div>
  );
}

/** Without a session: the password of a new account of that tenant alone. */
function JoinAnew({ secret, preview, onChoose }: InvitedProps & { readonly onChoose: () => void }): ReactElement {
  const [password, setPassword] = useState('');
  const [, go] = useLocation();
  const joining = useMutation({
    mutationFn: async () => {
      const joined = await dataOf(api.POST('/api/v1/auth/invitations/accept', { body: { secret, password } }));
      await signIn(preview.email, password, joined.tenant_id);
    },
    onSuccess: () => go('/', { replace: true }),
  });
  const weakness = weakPasswordWords(joining.error);
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        joining.mutate();
      }}
    >
      <Words preview={preview} />
      <input type="hidden" name="username" autoComplete="username" value={preview.email} readOnly />
      <PasswordField
        label={t('invitation.password')}
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={weakness}
        isRequired
        autoFocus
      />
      <p className="small quiet">
        {t('invitation.newWhy')} {t('invitation.passwordHint')}.
      </p>
      {joining.error !== null && weakness === undefined && <ErrorNote error={joining.error} />}
      <Button look="first" type="submit" isDisabled={joining.isPending || password === ''}>
        {joining.isPending ? t('invitation.joining') : joinWords(preview)}
      </Button>
      <Button look="plain" onPress={onChoose}>
        {t('invitation.have')}
      </Button>
    </Form>
  );
}

/** With a session: its account joins, if the invitation is for its address. */
function JoinAsMe({ secret, preview }: InvitedProps): ReactElement {
  const me = useMe();
  const [, go] = useLocation();
  const joining = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/auth/invitations/accept', { body: { secret } })),
    onSuccess: ({ tenant_id: tenant }) => {
      chooseTenant(tenant);
      go('/', { replace: true });
    },
  });
  const mine = me.data?.account.email ?? '';
  const isMine = mine.toLowerCase() === preview.email.toLowerCase();
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        joining.mutate();
      }}
    >
      <Words preview={preview} />
      {me.error !== null && <ErrorNote error={me.error} onRetry={() => void me.refetch()} />}
      {me.data !== undefined && isMine && <p>{t('invitation.signedIn', { mine })}</p>}
      {me.data !== undefined && !isMine && (
        <Note kind="warn" icon="warn">
          <p>{t('invitation.other', { email: preview.email, mine })}</p>
        </Note>
      )}
      {joining.error !== null && <ErrorNote error={joining.error} />}
      <Button look="first" type="submit" isDisabled={joining.isPending || me.data === undefined}>
        {joining.isPending ? t('invitation.joining') : joinWords(preview)}
      </Button>
      <SignOut look="plain" />
    </Form>
  );
}
