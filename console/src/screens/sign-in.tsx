import { useMutation, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactElement, type ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { Problem } from '../api/problem';
import { ROOT } from '../api/root';
import { signIn, signOut } from '../api/session';
import { chooseLanguage, currentLanguage, LANGUAGES, t } from '../texts/i18n';
import { Button, Field, Sheet } from '../ui/controls';
import { Wordmark } from '../ui/icon';
import { ErrorNote } from '../ui/states';
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
  return (
    <QueryClientProvider client={queries}>
      <Door onRedraw={onRedraw}>
        <SignInForm />
      </Door>
    </QueryClientProvider>
  );
}

/** Over the page of somebody whose session has ended. */
export function SignInAgain(): ReactElement {
  return (
    <QueryClientProvider client={queries}>
      <Sheet label={t('signIn.again')}>
        <SignInForm isAgain />
      </Sheet>
    </QueryClientProvider>
  );
}

interface FormProps {
  readonly isAgain?: boolean;
}

export function SignInForm({ isAgain = false }: FormProps): ReactElement {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isShown, show] = useState(false);
  const entering = useMutation({ mutationFn: () => signIn(email.trim(), password) });
  const isWrong = entering.error instanceof Problem && entering.error.status === 401;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        entering.mutate();
      }}
    >
      <div>
        <h1>{t(isAgain ? 'signIn.again' : 'signIn.title')}</h1>
        <p className="quiet">{isAgain ? t('signIn.stays') : ROOT.host}</p>
      </div>
      <Field
        label={t('signIn.email')}
        type="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        isRequired
        autoFocus
      />
      <Field
        label={t('signIn.password')}
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={isWrong ? t('signIn.wrong') : undefined}
        isRequired
      />
      <label className="check-line">
        <input type="checkbox" checked={isShown} onChange={() => show(!isShown)} />
        {t('signIn.show')}
      </label>
      {entering.error !== null && !isWrong && <ErrorNote error={entering.error} />}
      <Button look="first" type="submit" isDisabled={entering.isPending || email === '' || password === ''}>
        {t('signIn.enter')}
      </Button>
      {isAgain ? (
        <Button look="plain" onPress={() => void signOut()}>
          {t('signIn.leave')}
        </Button>
      ) : (
        <p className="small quiet">{t('signIn.help')}</p>
      )}
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
