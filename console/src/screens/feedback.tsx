import { useState, type ReactElement } from 'react';
import { Form, Label, TextArea, TextField } from 'react-aria-components';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { useInSight } from '../ui/in-sight';
import { ErrorNote } from '../ui/states';
import type { Feedback, Turn } from './conversation';
import styles from './ask.module.css';

interface ThumbsProps {
  readonly turn: Turn;
  readonly onRate: (body: Feedback) => Promise<void>;
}

/** Thumb up, which counts at once, or down, which opens the form for why and what was expected: it counts when that is sent, empty too. */
export function Thumbs({ turn, onRate }: ThumbsProps): ReactElement {
  const [isOpen, open] = useState(false);
  const [error, fail] = useState<unknown>();
  const rating = turn.feedback?.rating;
  const send = async (body: Feedback): Promise<boolean> => {
    fail(undefined);
    return onRate(body).then(
      () => true,
      (thrown: unknown) => {
        fail(thrown);
        return false;
      },
    );
  };
  return (
    <>
      <span className="push" />
      <span className={styles['thumbs']}>
        <Button
          look="plain"
          square
          aria-label={t('feedback.good')}
          aria-pressed={rating === 'up'}
          onPress={() => {
            open(false);
            void send({ rating: 'up' });
          }}
        >
          <Icon name="good" />
        </Button>
        <Button
          look="plain"
          square
          aria-label={t('feedback.poor')}
          aria-pressed={rating === 'down'}
          aria-expanded={isOpen}
          onPress={() => {
            open(!isOpen);
          }}
        >
          <Icon name="poor" />
        </Button>
      </span>
      {isOpen && <Why turn={turn} onSend={send} onClose={() => open(false)} />}
      {!isOpen && rating !== undefined && (
        <span className={styles['rated']} role="status">
          {t(rating === 'up' ? 'feedback.thanksGood' : 'feedback.thanksPoor')}
        </span>
      )}
      {error !== undefined && (
        <div className={styles['wide']}>
          <ErrorNote error={error} />
        </div>
      )}
    </>
  );
}

interface WhyProps {
  readonly turn: Turn;
  readonly onSend: (body: Feedback) => Promise<boolean>;
  readonly onClose: () => void;
}

function Why({ turn, onSend, onClose }: WhyProps): ReactElement {
  const [reason, setReason] = useState(turn.feedback?.reason ?? '');
  const [expected, setExpected] = useState(turn.feedback?.expected ?? '');
  const form = useInSight<HTMLFormElement>();
  const worded = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  return (
    <Form
      ref={form}
      className={styles['why']}
      onSubmit={(event) => {
        event.preventDefault();
        void onSend({ rating: 'down', reason: worded(reason), expected: worded(expected) }).then((isSent) => {
          if (isSent) onClose();
        });
      }}
    >
      <TextField className="field" value={reason} onChange={setReason} maxLength={2000} autoFocus>
        <Label>{t('feedback.reason')}</Label>
        <TextArea rows={2} className={styles['area']} />
      </TextField>
      <TextField className="field" value={expected} onChange={setExpected} maxLength={16_384}>
        <Label>{t('feedback.expected')}</Label>
        <TextArea rows={2} className={styles['area']} />
      </TextField>
      <p className="quiet small">{t('feedback.whoReads')}</p>
      <p className="tools">
        <Button look="first" type="submit">
          {t('feedback.send')}
        </Button>
        <Button look="plain" onPress={onClose}>
          {t('feedback.close')}
        </Button>
      </p>
    </Form>
  );
}
