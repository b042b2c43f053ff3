import type { FieldProblem } from '../api/problem';
import { Problem } from '../api/problem';
import { currentLanguage, t } from './i18n';

/** Why a new password is refused: the service's advice for who reads English, as a whole sentence; undefined where it is another refusal. */
export function weakPasswordWords(error: unknown): string | undefined {
  const fault = error instanceof Problem ? error.fields.find(isOfPassword) : undefined;
  if (fault === undefined) return undefined;
  return currentLanguage() === 'en' ? t('password.fault', { fault: withoutName(fault.detail) }) : t('password.weak');
}

/** Some faults begin with the name of the field, which the sentence has already. */
const withoutName = (detail: string): string => detail.replace(/^(?:new_)?password\s+/, '');

const isOfPassword = ({ pointer }: FieldProblem): boolean => pointer === '/password' || pointer === '/new_password';
