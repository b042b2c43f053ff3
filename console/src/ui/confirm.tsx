import { useState, type ReactElement, type ReactNode } from 'react';
import { t } from '../texts/i18n';
import { Field } from './controls';
import { FormSheet } from './form-sheet';

interface ConfirmProps {
  /** The question. */
  readonly title: string;
  /** What follows from a yes, and what else has to be chosen. */
  readonly children: ReactNode;
  /** The yes, named by what it does. */
  readonly submitLabel: string;
  /** What has to be typed first, where much is lost. */
  readonly typed?: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function Confirm(props: ConfirmProps): ReactElement {
  const { title, children, submitLabel, typed, isPending, error, onSubmit, onClose } = props;
  const [text, type] = useState('');
  const isSure = typed === undefined || text.trim() === typed;
  return (
    <FormSheet
      title={title}
      submitLabel={submitLabel}
      look="danger"
      isReady={isSure}
      isCancelFirst={typed === undefined}
      isPending={isPending}
      error={error}
      onSubmit={onSubmit}
      onClose={onClose}
    >
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
    </FormSheet>
  );
}
