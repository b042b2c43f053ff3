import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { usePageTitle } from '../frame/page-title';
import { formatWhen, t } from '../texts/i18n';
import { Confirm } from '../ui/confirm';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { ErrorPage, faultOf, Loading, Note } from '../ui/states';
import { Answer } from './answer';
import { answerOf } from './kept-turns';
import { Refused } from './refused';
import { Sources, SourcesBelow } from './sources';
import { CopyButton } from './turn';
import styles from './ask.module.css';

type Shared = Schema<'SharedAnswer'>;

/** An answer that somebody has shared, as far as its reader may see all that it was made of now. */
export default function SharedAnswer({ id }: { readonly id: string }): ReactElement {
  const [isRevoked, setRevoked] = useState(false);
  const shared = useQuery({
    queryKey: ['answers', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/shared-answers/{id}', { params: { path: { id } }, signal })),
    // What may not be seen any more is not shown from memory.
    gcTime: 0,
    enabled: !isRevoked,
  });
  usePageTitle(shared.data?.question ?? '', t('share.title'));
  if (isRevoked) return <Revoked />;
  const { data, error } = shared;
  if (faultOf(shared) !== null) return <ErrorPage error={error} onRetry={() => void shared.refetch()} />;
  if (data === undefined)
    return (
      <main className="body">
        <Loading lines={6} />
      </main>
    );
  return <Shown shared={data} onRevoked={() => setRevoked(true)} />;
}

function Revoked(): ReactElement {
  return (
    <main className="body">
      <Note icon="info" title={t('share.revoked')} isPage>
        <p className="note-actions">
          <Link className="button" href="/conversations">
            {t('conversations.title')}
          </Link>
        </p>
      </Note>
    </main>
  );
}

interface ShownProps {
  readonly shared: Shared;
  readonly onRevoked: () => void;
}

function Shown({ shared, onRevoked }: ShownProps): ReactElement {
  const [marker, look] = useState<string>();
  const turn = {
    question: shared.question,
    state: shared.state === 'complete' ? ('done' as const) : ('stopped' as const),
    ...answerOf(shared.answer),
  };
  return (
    <>
      <header className="head">
        <div className="head-line">
          <h1 className="cut">{t('share.title')}</h1>
          <p className="quiet small say">{t('share.when', { when: formatWhen(shared.answered_at) })}</p>
        </div>
        <div className="tabs" />
      </header>
      <main className={styles['talk']}>
        <div className={styles['turns']}>
          <article className="turn">
            <h2 className="asked">{turn.question}</h2>
            {turn.refusal === undefined ? (
              <>
                <Answer turn={turn} marker={marker} onCite={look} />
                <SourcesBelow turn={turn} marker={marker} />
              </>
            ) : (
              <Refused turn={turn} place="" />
            )}
            {turn.state === 'stopped' && <p className="aside">{t('ask.stopped')}</p>}
            <div className="actions">
              <CopyButton turn={turn} />
              <Link className="button plain" href={`/ask?${new URLSearchParams({ q: turn.question }).toString()}`}>
                <Icon name="ask" />
                {t('share.ask')}
              </Link>
              {shared.own !== null && <Own own={shared.own} onRevoked={onRevoked} />}
            </div>
          </article>
        </div>
        <Sources turn={turn} marker={marker} />
      </main>
    </>
  );
}

interface OwnProps {
  readonly own: NonNullable<Shared['own']>;
  readonly onRevoked: () => void;
}

/** What who shared it can do. */
function Own({ own, onRevoked }: OwnProps): ReactElement {
  const [isAsked, ask] = useState(false);
  const revoking = useMutation({
    mutationFn: () =>
      api.DELETE('/api/v1/conversations/{conversation_id}/turns/{turn_id}/share', { params: { path: own } }),
    onSuccess: onRevoked,
  });
  return (
    <>
      <Link className="button plain" href={`/ask?c=${own.conversation_id}`}>
        <Icon name="clock" />
        {t('share.conversation')}
      </Link>
      <Button look="plain" onPress={() => ask(true)}>
        <Icon name="trash" />
        {t('share.revoke')}
      </Button>
      {isAsked && (
        <Confirm
          title={t('share.sure')}
          submitLabel={t('share.revoke')}
          isPending={revoking.isPending}
          error={revoking.error}
          onSubmit={() => revoking.mutate()}
          onClose={() => ask(false)}
        >
          <p>{t('share.forAll')}</p>
        </Confirm>
      )}
    </>
  );
}
