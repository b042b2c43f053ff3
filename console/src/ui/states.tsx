import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Problem } from '../api/problem';
import { t, type TextKey } from '../texts/i18n';
import { Button } from './controls';
import { Details } from './details';
import { Icon, type IconName } from './icon';
import { MissingCode } from './missing-code';

const QUIET_MS = 200;

interface NoteProps {
  readonly kind?: 'plain' | 'warn' | 'bad';
  readonly icon: IconName;
  readonly title?: string;
  /** All that the page says: its title is the page's heading. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}

export function Note({ kind = 'plain', icon, title, isPage = false, children }: NoteProps): ReactElement {
  const Title = isPage ? 'h1' : 'b';
  return (
    <div className={kind === 'plain' ? 'note' : `note ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={icon} />
      <div>
        {title !== undefined && <Title>{title}</Title>}
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

interface ErrorProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Nothing else is on the page. */
  readonly isPage?: boolean;
}

interface Fetched {
  readonly data: unknown;
  readonly error: Error | null;
}

/** What takes the place of something that is fetched again and again: nothing while there is something to show and another attempt may go well. */
export function faultOf({ data, error }: Fetched): Error | null {
  return data !== undefined && error instanceof Problem && error.isPassing ? null : error;
}

/** What went wrong, where it happened: what the service says, the field that it points to, and what to quote to somebody who can look. */
export function ErrorNote({ error, onRetry, isPage = false }: ErrorProps): ReactElement {
  if (error instanceof MissingCode) {
    return (
      <Note kind="warn" icon="warn" title={t('error.renewed')} isPage={isPage}>
        <p>{t('error.renewedWhy')}</p>
        <p className="note-actions">
          <Button onPress={() => location.reload()}>{t('error.reload')}</Button>
        </p>
      </Note>
    );
  }
  if (!(error instanceof Problem)) {
    return (
      <Note kind="bad" icon="warn" title={t('error.page')} isPage={isPage}>
        <p className="mono">{String(error)}</p>
      </Note>
    );
  }
  const title = t(BY_STATUS[error.status] ?? 'error.refused');
  // The service's sentence names ids, and is English: what is missing or not shared is said in the words of the page.
  if (isPage && error.status === 404) return <Missing error={error} title={title} />;
  return (
    <Note kind={error.status === 404 || error.isPassing ? 'warn' : 'bad'} icon="warn" title={title} isPage={isPage}>
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
      {onRetry !== undefined && error.status !== 404 && (
        <p className="note-actions">
          <Button onPress={onRetry}>{t('error.again')}</Button>
        </p>
      )}
    </Note>
  );
}

function Missing({ error, title }: { readonly error: Problem; readonly title: string }): ReactElement {
  return (
    <Note kind="warn" icon="warn" title={title} isPage>
      <p>{t('error.notFoundWhy')}</p>
      <p className="note-actions">
        <Link className="button" href="/">
          {t('frame.start')}
        </Link>
      </p>
      <Details>
        <p>{error.message}</p>
        <p className="mono">{error.code}</p>
        <p className="mono">{error.requestId}</p>
      </Details>
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
  /** All that the page says. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}

export function Empty({ title, isPage = false, children }: EmptyProps): ReactElement {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className="empty">
      <Title>{title}</Title>
      {children}
    </div>
  );
}

/** In place of a page that could not be fetched. */
export function ErrorPage({ error, onRetry }: Omit<ErrorProps, 'isPage'>): ReactElement {
  return (
    <main className="body">
      <ErrorNote error={error} isPage {...(onRetry === undefined ? {} : { onRetry })} />
    </main>
  );
}
