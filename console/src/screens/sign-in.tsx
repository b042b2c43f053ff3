import { QueryClient, QueryClientProvider, useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactElement, type ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { useLocation } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { issuerAddress, signInFault } from '../api/issuer';
import { Problem } from '../api/problem';
import { ROOT } from '../api/root';
import { hasEndedAll, signIn } from '../api/session';
import { usePageTitle } from '../frame/page-title';
import { SignOut } from '../frame/sign-out';
import { chooseLanguage, currentLanguage, LANGUAGES, t } from '../texts/i18n';
import { Button, Field, Sheet } from '../ui/controls';
import { Wordmark } from '../ui/icon';
import { PasswordField } from '../ui/password-field';
import { ErrorNote, Note } from '../ui/states';
import { LostNote } from '../uploads/lost-note';
import styles from './sign-in.module.css';

const queries = new QueryClient();

interface DoorProps {
  readonly children: ReactNode;
  readonly onRedraw: () => void;
}

/** The page for who is not in yet: a form, and beside it what the product does. */
export function Door({ children, onRedraw }: DoorProps): ReactElement {
  return (
    <main className={styles['door']}>
      <section className={styles['door-form']}>
        <Wordmark />
        {children}
        <p className="choice-line">
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <Button
              key={tag}
              look="plain"
              aria-pressed={tag === currentLanguage()}
              onPress={() => void chooseLanguage(tag).then(onRedraw)}
            >
              {name}
            </Button>
          ))}
        </p>
      </section>
      <Shown />
    </main>
  );
}

/** The page for who is not signed in. */
export function SignIn({ onRedraw }: { readonly onRedraw: () => void }): ReactElement {
  usePageTitle(t('signIn.title'));
  return (
    <QueryClientProvider client={queries}>
      <Door onRedraw={onRedraw}>
        <LostNote />
        {hasEndedAll() && <Note icon="check" title={t('signIn.endedAll')} />}
        <SignInForm />
      </Door>
    </QueryClientProvider>
  );
}

/** Over the page of somebody whose session has ended, with his address where it is known. */
export function SignInAgain({ email }: { readonly email: string | undefined }): ReactElement {
  return (
    <QueryClientProvider client={queries}>
      <Sheet label={t('signIn.again')}>
        <SignInForm isAgain email={email} />
      </Sheet>
    </QueryClientProvider>
  );
}

interface FormProps {
  readonly isAgain?: boolean;
  /** Of the person who signs in again. */
  readonly email?: string | undefined;
  /** What has to be done before the page goes to the issuer. */
  readonly onLeave?: () => void;
}

/** How people sign in here. */
export function useMethods(): UseQueryResult<Schema<'SignInMethods'>, Error> {
  return useQuery({
    queryKey: ['methods'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/auth/methods', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** The ways to sign in that this service has. */
export function SignInForm({ isAgain = false, email, onLeave }: FormProps): ReactElement {
  const methods = useMethods();
  const fault = signInFault();
  // A service that does not answer says so where somebody tries.
  const { password, oidc } = methods.data ?? { password: true, oidc: false };
  if (methods.isPending) return <div className={styles['door-body']} />;
  return (
    <div className={styles['door-body']}>
      <div>
        <h1>{t(isAgain ? 'signIn.again' : 'signIn.title')}</h1>
        <p className="quiet">{isAgain ? t('signIn.stays') : ROOT.host}</p>
      </div>
      {fault !== undefined && !isAgain && <Note kind="warn" icon="warn" title={t(`signInFault.${fault}`)} />}
      {oidc && <AtIssuer isAgain={isAgain} onLeave={onLeave} />}
      {oidc && password && <p className={styles['or']}>{t('signIn.or')}</p>}
      {password && <PasswordForm isFirst={!oidc} known={email} />}
      {isAgain && <SignOut look="plain" label={t('signIn.leave')} />}
      {!isAgain && password && <p className="small quiet">{t('signIn.help')}</p>}
    </div>
  );
}

/** In the middle of work another tab goes there, and this page stays as it is. */
function AtIssuer({
  isAgain,
  onLeave,
}: {
  readonly isAgain: boolean;
  readonly onLeave: FormProps['onLeave'];
}): ReactElement {
  const [path] = useLocation();
  const leave = (): void => {
    onLeave?.();
    if (isAgain) open(issuerAddress('/'), '_blank', 'noopener');
    else location.assign(issuerAddress(`${path}${path === '/' ? '' : location.search}`));
  };
  return (
    <>
      <Button look="first" onPress={leave}>
        {t('signIn.atIssuer')}
      </Button>
      {isAgain && <p className="small quiet">{t('signIn.otherTab')}</p>}
    </>
  );
}

interface PasswordProps {
  readonly isFirst: boolean;
  /** The address that somebody had signed in with. */
  readonly known: string | undefined;
}

function PasswordForm({ isFirst, known }: PasswordProps): ReactElement {
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const entering = useMutation({ mutationFn: () => signIn(email.trim(), password) });
  const isWrong = entering.error instanceof Problem && entering.error.status === 401;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        entering.mutate();
      }}
    >
      <Field
        label={t('signIn.email')}
        type="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        isRequired
        autoFocus={known === undefined}
      />
      <PasswordField
        label={t('signIn.password')}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={isWrong ? t('signIn.wrong') : undefined}
        isRequired
        autoFocus={known !== undefined}
      />
      {entering.error !== null && !isWrong && <ErrorNote error={entering.error} />}
      <Button
        look={isFirst ? 'first' : 'usual'}
        type="submit"
        isDisabled={entering.isPending || email === '' || password === ''}
      >
        {t(entering.isPending ? 'signIn.entering' : 'signIn.enter')}
      </Button>
    </Form>
  );
}

/** What the product does, shown by what it does. */
function Shown(): ReactElement {
  return (
    <aside className={styles['door-show']} aria-label={t('shown.label')}>
      <div className={styles['shown']}>
        <p className="asked">{t('shown.question')}</p>
        <p className="answer">
          {t('shown.answer')}
          {'\u2060'}
          <span className="cite here">1</span>
        </p>
        <div className="leaf">
          <h2>{t('shown.heading')}</h2>
          <p>{t('shown.before')}</p>
          <p>
            <mark>{t('shown.cited')}</mark> {t('shown.after')}
          </p>
        </div>
        <p className="quiet small">{t('shown.promise')}</p>
      </div>
    </aside>
  );
}
