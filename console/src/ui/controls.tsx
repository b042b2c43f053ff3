import type { ComponentProps, ReactElement, ReactNode } from 'react';
import {
  Button as AriaButton,
  Dialog,
  FieldError,
  Input,
  Label,
  Modal,
  ModalOverlay,
  Text,
  TextArea,
  TextField,
  type ButtonProps,
} from 'react-aria-components';

type Look = 'usual' | 'first' | 'plain' | 'danger';

interface LookProps extends Omit<ButtonProps, 'className' | 'style'> {
  readonly look?: Look;
  /** Only a sign: `aria-label` says the word. */
  readonly square?: boolean;
}

export function Button({ look = 'usual', square = false, ...props }: LookProps): ReactElement {
  const names = ['button', look === 'usual' ? '' : look, square ? 'square' : ''].filter((name) => name !== '');
  return <AriaButton {...props} className={names.join(' ')} />;
}

interface FieldProps extends ComponentProps<typeof TextField> {
  readonly label: string;
  readonly error?: string | undefined;
  readonly inputProps?: ComponentProps<typeof Input>;
}

/** A field with its label above and what is wrong with it below. */
export function Field({ label, error, inputProps, ...props }: FieldProps): ReactElement {
  return (
    <TextField {...props} className="field" isInvalid={error !== undefined} validationBehavior="aria">
      <Label>{label}</Label>
      <Input {...inputProps} className={error === undefined ? 'input' : 'input wrong'} />
      <FieldError className="field-error">{error}</FieldError>
    </TextField>
  );
}

interface LongFieldProps extends ComponentProps<typeof TextField> {
  readonly label: string;
  readonly rows: number;
  /** What is to be known before one types. */
  readonly hint?: string;
}

/** A field for more than a line. */
export function LongField({ label, rows, hint, ...props }: LongFieldProps): ReactElement {
  return (
    <TextField {...props} className="field">
      <Label>{label}</Label>
      <TextArea className="input" rows={rows} />
      {hint !== undefined && (
        <Text slot="description" className="quiet small">
          {hint}
        </Text>
      )}
    </TextField>
  );
}

interface SheetProps {
  readonly label: string;
  /** For what does not fit into a column, such as code. */
  readonly isWide?: boolean;
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** A dialog over the page. Without `onClose` it stays until its work is done. */
export function Sheet({ label, isWide = false, onClose, children }: SheetProps): ReactElement {
  const isDismissable = onClose !== undefined;
  return (
    <ModalOverlay
      className="veil"
      isOpen
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      onOpenChange={onClose}
    >
      <Modal className={isWide ? 'sheet wide' : 'sheet'}>
        <Dialog aria-label={label}>{children}</Dialog>
      </Modal>
    </ModalOverlay>
  );
}
