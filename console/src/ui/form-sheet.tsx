import type { ReactElement, ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { t } from '../texts/i18n';
import { Button, Sheet } from './controls';
import { ErrorNote } from './states';

interface FormSheetProps {
  readonly title: string;
  /** What the dialog is called, where that is not its title. */
  readonly label?: string;
  /** What is asked for. */
  readonly children: ReactNode;
  /** The button that sends it, named by what it does. */
  readonly submitLabel: string;
  readonly look?: 'first' | 'danger';
  /** All that is needed is there. */
  readonly isReady: boolean;
  /** The focus begins at the button that gives it up. */
  readonly isCancelFirst?: boolean;
  readonly isPending?: boolean;
  /** What became of the last attempt; null where it is said at a field. */
  readonly error?: Error | null;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** A dialog that asks for something and sends it, or gives it up. */
export function FormSheet(props: FormSheetProps): ReactElement {
  const { title, label = title, children, submitLabel, look = 'first', isReady, onSubmit, onClose } = props;
  const { isCancelFirst = false, isPending = false, error = null } = props;
  const isOpen = isReady && !isPending;
  return (
    <Sheet label={label} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          if (isOpen) onSubmit();
        }}
      >
        <h1>{title}</h1>
        {children}
        {error !== null && <ErrorNote error={error} />}
        <p className="tools">
          <Button look={look} type="submit" isDisabled={!isOpen}>
            {submitLabel}
          </Button>
          <Button look="plain" onPress={onClose} autoFocus={isCancelFirst}>
            {t('cancel')}
          </Button>
        </p>
      </Form>
    </Sheet>
  );
}
