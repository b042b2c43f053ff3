import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { t } from '../texts/i18n';
import { Button, Sheet } from '../ui/controls';
import { ErrorNote, Note } from '../ui/states';
import type { Outcome } from './quality-actions';

/** What is asked for again after an action. */
const CHANGED = ['quality', 'datasets', 'documents', 'reembeddings'] as const;

interface ActionButtonProps {
  readonly label: string;
  /** What it will do, said before it is done. */
  readonly what: string;
  readonly run: () => Outcome;
}

/** Says what it will do, does it when that is wanted, and says what came of it. */
export function ActionButton({ label, what, run }: ActionButtonProps): ReactElement {
  const [isOpen, open] = useState(false);
  const queries = useQueryClient();
  const action = useMutation({ mutationFn: run });
  // The page is drawn anew only now: what is done may be advised no longer, and this button with it.
  const close = (): void => {
    open(false);
    if (action.data === undefined) return;
    action.reset();
    for (const name of CHANGED) void queries.invalidateQueries({ queryKey: [name] });
  };
  return (
    <>
      <Button onPress={() => open(true)}>{label}</Button>
      {isOpen && (
        <Sheet label={label} onClose={close}>
          <div className="stack">
            <h1>{label}</h1>
            {action.data === undefined ? <p>{what}</p> : <Note icon="check" title={action.data} />}
            {action.error !== null && <ErrorNote error={action.error} />}
            <p className="tools">
              {action.data === undefined && (
                <Button look="first" autoFocus onPress={() => action.mutate()} isDisabled={action.isPending}>
                  {label}
                </Button>
              )}
              {action.data === undefined ? (
                <Button look="plain" onPress={close}>
                  {t('cancel')}
                </Button>
              ) : (
                <Button onPress={close}>{t('close')}</Button>
              )}
            </p>
          </div>
        </Sheet>
      )}
    </>
  );
}
