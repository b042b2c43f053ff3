import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { Problem } from '../api/problem';
import { t, type TextKey } from '../texts/i18n';
import { Button } from './controls';
import { Icon, type IconName } from './icon';

const QUIET_MS = 200;

interface NoteProps {
  readonly kind?: 'plain' | 'warn' | 'bad';
  readonly icon: IconName;
  readonly title?: string;
  readonly children?: ReactNode;
}

export function Note({ kind = 'plain', icon, title, children }: NoteProps): ReactElement {
  return (
    <div className={kind === 'plain' ? 'note' : `note ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={icon} />
      <div>
        {title !== undefined && <b>{title}</b>}
        {children}
      </div>
    </div>
  );
}

const BY_STATUS: Readonly<Record<number, TextKey>> = {
  0: 'error.away',
  403: 'error.forbidden',
  404: 'error.notFound',
  503: 'error.away',
};

/** What went wrong, where it happened: what the service says, the field that it points to, and what to quote to somebody who can look. */
export function ErrorNote({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}): ReactElement {
  if (!(error instanceof Problem)) {
    return (
      <Note kind="bad" icon="warn" title={t('error.page')}>
        <p className="mono">{String(error)}</p>
      </Note>
    );
  }
  const title = t(BY_STATUS[error.status] ?? 'error.refused');
  return (
    <Note kind={error.status === 404 || error.isPassing ? 'warn' : 'bad'} icon="warn" title={title}>
      <p>{error.message}</p>
      {error.fields.map((field) => (
        <p key={field.pointer + field.code}>
          <span className="mono">{field.pointer}</span> {field.detail}
        </p>
      ))}
      {error.code !== '' && (
        <p className="mono quiet">
          {error.code}
          {error.requestId === undefined ? '' : ` · ${error.requestId}`}
        </p>
      )}
      {onRetry !== undefined && (
        <p className="note-acts">
          <Button onPress={onRetry}>{t('error.again')}</Button>
        </p>
      )}
    </Note>
  );
}

/** The shape of what comes, after a moment in which most things have come. */
export function Loading({ lines = 4 }: { readonly lines?: number }): ReactElement {
  const [isShown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return <div className="skeleton" aria-hidden="true" />;
  const widths = Array.from({ length: lines }, (_, line) => `${82 - ((line * 37) % 45)}%`);
  return (
    <div className="skeleton" role="status" aria-label={t('state.loading')}>
      {widths.map((width, line) => (
        <i key={line} style={{ width }} />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
}

export function Empty({ title, children }: EmptyProps): ReactElement {
  return (
    <div className="empty">
      <h3>{title}</h3>
      {children}
    </div>
  );
}
