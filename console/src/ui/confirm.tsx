import { useState, type ReactElement, type ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { t } from '../texts/i18n';
import { Button, Field, Sheet } from './controls';
import { ErrorNote } from './states';

interface ConfirmProps {
  /** The question. */
  readonly title: string;
  /** What follows from a yes, and what else has to be chosen. */
  readonly children: ReactNode;
  /** The yes, named by what it does. */
  readonly act: string;
  /** What has to be typed first, where much is lost. */
  readonly typed?: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onAct: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function Confirm(props: ConfirmProps): ReactElement {
  const { title, children, act, typed, isPending, error, onAct, onClose } = props;
  const [text, type] = useState('');
  const isSure = typed === undefined || text.trim() === typed;
  return (
    <Sheet label={title} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure && !isPending) onAct();
        }}
      >
        <h1>{title}</h1>
        {children}
        {typed !== undefined && (
          <Field
            label={t('confirm.type', { name: typed })}
            value={text}
            onChange={type}
            inputProps={{ autoComplete: 'off', spellCheck: 'false' }}
            autoFocus
          />
        )}
        {error !== null && <ErrorNote error={error} />}
        <p className="tools">
          <Button look="danger" type="submit" isDisabled={!isSure || isPending}>
            {act}
          </Button>
          <Button look="plain" onPress={onClose} autoFocus={typed === undefined}>
            {t('cancel')}
          </Button>
        </p>
      </Form>
    </Sheet>
  );
}
