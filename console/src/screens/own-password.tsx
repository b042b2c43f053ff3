import { useMutation } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Form } from 'react-aria-components';
import { api } from '../api/client';
import { detailOf } from '../api/problem';
import { chosenTenant, signIn } from '../api/session';
import { t } from '../texts/i18n';
import { weakPasswordWords } from '../texts/password-words';
import { Button, Field } from '../ui/controls';
import { ErrorNote, Note } from '../ui/states';
import styles from './choice.module.css';

/** Another password for my account. It ends all sessions, so this page signs in anew. */
export function OwnPassword({ email }: { readonly email: string }): ReactElement {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const changing = useMutation({
    mutationFn: async () => {
      await api.POST('/api/v1/auth/password', { body: { current_password: current, new_password: next } });
      await signIn(email, next, chosenTenant());
    },
    gcTime: 0,
    onSuccess: () => {
      setCurrent('');
      setNext('');
    },
  });
  const isWrong = detailOf(changing.error, 'accounts.current_password_wrong') !== undefined;
  const weakness = weakPasswordWords(changing.error);
  return (
    <Form
      className={`stack ${styles['form']}`}
      onSubmit={(event) => {
        event.preventDefault();
        changing.mutate();
      }}
    >
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field
        label={t('password.current')}
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        error={isWrong ? t('password.wrong') : undefined}
        isRequired
      />
      <Field
        label={t('invitation.password')}
        type="password"
        autoComplete="new-password"
        value={next}
        onChange={setNext}
        error={weakness}
        isRequired
      />
      <p className="small quiet">{t('password.why')}</p>
      {changing.isSuccess && <Note icon="check" title={t('password.done')} />}
      {changing.error !== null && !isWrong && weakness === undefined && <ErrorNote error={changing.error} />}
      <p className="tools">
        <Button type="submit" isDisabled={current === '' || next === '' || changing.isPending}>
          {t('password.change')}
        </Button>
      </p>
    </Form>
  );
}
