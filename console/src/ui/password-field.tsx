import { useState, type ComponentProps, type ReactElement } from 'react';
import { t } from '../texts/i18n';
import { Field } from './controls';

/** A field for a password, which shows it to who asks. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type'>): ReactElement {
  const [isShown, show] = useState(false);
  return (
    <>
      <Field {...props} type={isShown ? 'text' : 'password'} />
      <label className="check-line">
        <input type="checkbox" checked={isShown} onChange={() => show(!isShown)} />
        {t('signIn.show')}
      </label>
    </>
  );
}
