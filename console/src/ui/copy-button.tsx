import { useState, type ReactElement } from 'react';
import { t } from '../texts/i18n';
import { Button } from './controls';
import { Icon } from './icon';

const SAID_MS = 2000;

/** Copies a text, and says so. Browsers allow it on safe origins only; elsewhere it says that the text has to be marked by hand. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }): ReactElement {
  const [said, say] = useState<'ask.copied' | 'copy.refused'>();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say('ask.copied');
    } catch {
      say('copy.refused');
    }
    setTimeout(() => say(undefined), SAID_MS);
  };
  return (
    <Button {...(label === undefined ? {} : { 'aria-label': label })} onPress={() => void copy()}>
      <Icon name="copy" />
      <span role="status">{t(said ?? 'copy')}</span>
    </Button>
  );
}
