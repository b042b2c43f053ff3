import { useState, type ReactElement } from 'react';
import { ROOT } from '../api/root';
import { tellDone } from '../frame/soon';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { useInSight } from '../ui/in-sight';
import { ShownOnce } from '../ui/rows';
import { ErrorNote } from '../ui/states';
import type { Conversation, Turn } from './conversation';
import styles from './ask.module.css';

interface ShareProps {
  readonly turn: Turn;
  readonly conversation: Conversation;
  readonly onClose: () => void;
}

/** Makes a link to an answer, shows it, and revokes it. */
export function SharePanel({ turn, conversation, onClose }: ShareProps): ReactElement {
  const [error, fail] = useState<unknown>();
  const [isPending, wait] = useState(false);
  const run = (deed: Promise<void>): void => {
    wait(true);
    fail(undefined);
    void deed.catch(fail).finally(() => wait(false));
  };
  const { share } = turn;
  const panel = useInSight<HTMLElement>(share?.id);
  return (
    <section ref={panel} className={styles['why']} aria-label={t('share.title')}>
      <p className="small">{t('share.who')}</p>
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
