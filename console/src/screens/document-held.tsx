import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Schema } from '../api/client';
import { useMe } from '../frame/queries';
import { tellDone } from '../frame/deferred-actions';
import { t } from '../texts/i18n';
import { refusedWords } from '../texts/refused-words';
import { Button } from '../ui/controls';
import { Empty, ErrorNote, Note } from '../ui/states';
import { sendBatch } from './document-batches';
import { documentQuery } from './document-query';
import { useTimeline } from './document-timeline';
import styles from './document.module.css';

type Detail = Schema<'DocumentDetail'>;

/** Whether text and file may be read: of what is in quarantine not by everybody. Undefined until that is known. */
export function useIsOpen({ status }: Pick<Detail, 'status'>): boolean | undefined {
  const me = useMe();
  return status !== 'quarantined' ? true : me.data?.permissions.includes('governance:read');
}

/** What a quarantine means, why the document is in it, and its release, for who may. */
export function HeldNote({ detail }: { readonly detail: Detail }): ReactElement {
  const me = useMe();
  const queries = useQueryClient();
  const timeline = useTimeline(detail);
  const release = useMutation({
    mutationFn: () => sendBatch({ name: 'release' }, [detail.id]),
    onSuccess: ({ accepted }) => {
      if (accepted.length > 0) tellDone(t('done.release', { count: accepted.length }));
    },
    onSettled: () =>
      Promise.all(
        [documentQuery(detail.id).queryKey, ['documents'], ['facets'], ['datasets']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
  const reason = timeline.data?.items.findLast(({ event }) => event === 'quarantined')?.details['reason'];
  const refused = release.data?.rejected[0];
  const isAwaiting = (release.data?.awaiting?.length ?? 0) > 0;
  return (
    <div className={styles['held']}>
      {release.error !== null && <ErrorNote error={release.error} />}
      <Note kind="warn" icon="info">
        {typeof reason === 'string' && reason !== '' && (
          <p>
            <b>
              <bdi>{t('held.reason', { reason })}</bdi>
            </b>
          </p>
        )}
        <p>{t('held.what')}</p>
        {isAwaiting && <p>{t('pick.awaiting', { count: 1 })}</p>}
        {refused !== undefined && <p>{refusedWords(refused.code, refused.detail)}</p>}
        {me.data?.permissions.includes('governance:write') === true && !isAwaiting && (
          <p className="note-actions">
            <Button onPress={() => release.mutate()} isDisabled={release.isPending}>
              {t('pick.release')}
            </Button>
          </p>
        )}
      </Note>
    </div>
  );
}

/** In place of text and original, for who may not read what is in quarantine. */
export function HeldText(): ReactElement {
  return (
    <section className={styles['pane']} aria-label={t('document.text')}>
      <div className={styles['canon']}>
        <Empty title={t('held.closed')}>
          <p>{t('held.closedWhy')}</p>
        </Empty>
      </div>
    </section>
  );
}
