import { t } from '../texts/i18n';
import { namedKind } from './kind-names';

/** What people call a media type. */
export const kindName = (type: string): string =>
  namedKind(type) ?? t(type === 'text/plain' ? 'kind.text' : 'kind.unknown');
