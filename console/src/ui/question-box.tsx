import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { t } from '../texts/i18n';
import { Button } from './controls';
import { Icon } from './icon';

interface QuestionBoxProps {
  readonly label: string;
  readonly onAsk: (question: string) => void;
  /** While an answer comes: the button stops it. */
  readonly onStop?: (() => void) | undefined;
  readonly isFirst?: boolean;
  /** Takes the focus as often as this is another one than before. */
  readonly focusFor?: object | undefined;
  readonly children?: ReactNode;
}

let kept = '';

/** The next box begins with this question, which could not be asked where it was put. */
export function keepQuestion(question: string): void {
  kept = question;
}

/** Enter asks, Shift and Enter begin a new line. */
export function QuestionBox(props: QuestionBoxProps): ReactElement {
  const { label, onAsk, onStop, isFirst = false, focusFor, children } = props;
  const [text, setText] = useState(kept);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focusFor !== undefined) box.current?.focus();
  }, [focusFor]);
  useEffect(() => keepQuestion(''), []);
  const isOnStop = useRef(false);
  const isStoppable = onStop !== undefined;
  // The button that stops goes with the end of the answer: who was on it goes on in the box.
  useEffect(() => {
    if (!isStoppable && isOnStop.current && document.activeElement === document.body) box.current?.focus();
    isOnStop.current = false;
  }, [isStoppable]);
  const ask = (): void => {
    const question = text.trim();
    if (question === '' || onStop !== undefined) return;
    setText('');
    onAsk(question);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask();
  };
  return (
    <div className="askbox">
      <textarea
        ref={box}
        rows={isFirst ? 2 : 1}
        aria-label={label}
        placeholder={label}
        maxLength={4096}
        value={text}
        autoFocus={isFirst}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <div className="tools">
        {children}
        <span className="push small third">
          <span className="kbd">Enter</span>
        </span>
        {onStop === undefined ? (
          <span className="last">
            <Button look="first" square aria-label={t('ask.ask')} isDisabled={text.trim() === ''} onPress={ask}>
              <Icon name="up" />
            </Button>
          </span>
        ) : (
          <span
            className="last"
            onFocus={() => {
              isOnStop.current = true;
            }}
            onBlur={({ relatedTarget }) => {
              if (relatedTarget !== null) isOnStop.current = false;
            }}
          >
            <Button onPress={onStop}>
              <Icon name="stop" />
              {t('ask.stop')}
            </Button>
          </span>
        )}
      </div>
    </div>
  );
}
