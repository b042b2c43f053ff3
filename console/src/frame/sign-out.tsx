import { useState, useSyncExternalStore, type ReactElement } from 'react';
import { signOut } from '../api/session';
import { t } from '../texts/i18n';
import { Confirm } from '../ui/confirm';
import { Button } from '../ui/controls';
import { FileNames } from '../uploads/file-names';
import { sendingElsewhere } from '../uploads/unsent-files';
import { currentUploads, subscribe, unsentUploads } from '../uploads/queue';

interface Question {
  readonly title: string;
  readonly what: string;
}

interface SignOutProps {
  readonly look?: 'usual' | 'plain' | 'danger';
  readonly label?: string;
  readonly isDisabled?: boolean;
  /** What is asked in any case, as more ends than this session. */
  readonly question?: Question;
  /** What is done; by itself the session of this browser ends. */
  readonly onSignOut?: () => void;
}

/** Ends the session. Files that are on their way end with it, so it asks first where there are any. */
export function SignOut({
  look = 'usual',
  label = t('frame.signOut'),
  isDisabled = false,
  question,
  onSignOut = () => void signOut(),
}: SignOutProps): ReactElement {
  const [isAsking, ask] = useState(false);
  const press = (): void => {
    if (question !== undefined || unsentUploads().length + sendingElsewhere() > 0) ask(true);
    else onSignOut();
  };
  return (
    <>
      <Button look={look} isDisabled={isDisabled} onPress={press}>
        {label}
      </Button>
      {isAsking && (
        <LosingFiles submitLabel={label} question={question} onSubmit={onSignOut} onClose={() => ask(false)} />
      )}
    </>
  );
}

interface LosingProps {
  /** The yes, where no file is lost by it. */
  readonly submitLabel: string;
  readonly question: Question | undefined;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** How many files would not be uploaded, at present: they go on arriving behind the question. */
function LosingFiles({ submitLabel, question, onSubmit, onClose }: LosingProps): ReactElement {
  useSyncExternalStore(subscribe, currentUploads);
  const [elsewhere] = useState(sendingElsewhere);
  const names = unsentUploads().map(({ name }) => name);
  const count = names.length + elsewhere;
  return (
    <Confirm
      title={question?.title ?? t('signingOut.title', { count })}
      submitLabel={count === 0 || question !== undefined ? submitLabel : t('signingOut.signOut')}
      isPending={false}
      error={null}
      onSubmit={() => {
        onClose();
        onSubmit();
      }}
      onClose={onClose}
    >
      {question !== undefined && <p>{question.what}</p>}
      {(question === undefined || count > 0) && <p>{t('signingOut.what', { count })}</p>}
      {names.length > 0 && <FileNames names={names} />}
      {elsewhere > 0 && <p className="small">{t('signingOut.elsewhere', { count: elsewhere })}</p>}
    </Confirm>
  );
}
