import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { ROOT } from '../api/root';
import { useDatasets } from '../frame/queries';
import { tellDone } from '../frame/deferred-actions';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { useInSight } from '../ui/in-sight';
import { ShownOnce } from '../ui/rows';
import { ErrorNote, Note } from '../ui/states';
import type { Conversation, Turn } from './conversation';
import styles from './ask.module.css';

/** A dataset of an answer that only I see: nobody else can open the answer then. */
function useHidden({ sources }: Turn): Schema<'Dataset'> | undefined {
  const datasets = useDatasets();
  return datasets.data?.items.find(
    ({ id, acl }) => acl === 'only_me' && sources.some(({ dataset_id: dataset }) => dataset === id),
  );
}

interface ShareProps {
  readonly turn: Turn;
  readonly conversation: Conversation;
  readonly onClose: () => void;
}

/** Makes a link to an answer, shows it, and revokes it. */
export function SharePanel({ turn, conversation, onClose }: ShareProps): ReactElement {
  const [error, fail] = useState<unknown>();
  const [isPending, wait] = useState(false);
  const run = (request: Promise<void>): void => {
    wait(true);
    fail(undefined);
    void request.catch(fail).finally(() => wait(false));
  };
  const { share } = turn;
  const panel = useInSight<HTMLElement>(share?.id);
  const hidden = useHidden(turn);
  return (
    <section ref={panel} className={styles['why']} aria-label={t('share.title')}>
      <p className="small">{t('share.who')}</p>
      {hidden !== undefined && (
        <Note kind="warn" icon="warn" title={t('share.onlyMe', { name: hidden.name })}>
          <p>
            {t('share.onlyMeWhy')}{' '}
            <Link className="link" href={`/d/${hidden.id}/settings`}>
              {t('tab.settings')}
            </Link>
          </p>
        </Note>
      )}
      {share !== undefined && <ShownOnce label={t('share.link')} value={new URL(`answers/${share.id}`, ROOT).href} />}
      {error !== undefined && <ErrorNote error={error} />}
      <p className="tools">
        {share === undefined ? (
          <Button look="first" autoFocus isDisabled={isPending} onPress={() => run(conversation.share(turn))}>
            {t('share.make')}
          </Button>
        ) : (
          <Button
            look="danger"
            isDisabled={isPending}
            onPress={() => run(conversation.revoke(turn).then(() => tellDone(t('share.revoked'))))}
          >
            {t('share.revoke')}
          </Button>
        )}
        <Button look="plain" onPress={onClose}>
          {t('share.close')}
        </Button>
      </p>
    </section>
  );
}
