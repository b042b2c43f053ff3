import type { FieldProblem } from '../api/problem';
import { Problem } from '../api/problem';
import { currentLanguage, t } from './i18n';

/** Why a new password is refused: the service's advice for who reads English, as a whole sentence; undefined where it is another refusal. */
export function weakPasswordWords(error: unknown): string | undefined {
  const fault = error instanceof Problem ? error.fields.find(isOfPassword) : undefined;
  if (fault === undefined) return undefined;
  return currentLanguage() === 'en' ? t('password.fault', { fault: fault.detail }) : t('password.weak');
}

const isOfPassword = ({ pointer }: FieldProblem): boolean => pointer === '/password' || pointer === '/new_password';
