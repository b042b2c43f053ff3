import type { ReactElement } from 'react';
import type { Role } from '../frame/refused';
import { t } from '../texts/i18n';
import styles from './choice.module.css';

const ROLES = ['viewer', 'editor', 'auditor', 'admin', 'owner'] as const satisfies readonly Role[];

interface RoleChoiceProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  /** Whether the chooser may make owners. */
  readonly isOwner: boolean;
}

/** A role, each with what it may do in words. */
export function RoleChoice({ value, onChange, isOwner }: RoleChoiceProps): ReactElement {
  return (
    <fieldset className={`choices ${styles['explained']}`}>
      <legend>{t('people.role')}</legend>
      {ROLES.filter((role) => role !== 'owner' || isOwner).map((role) => (
        <label key={role}>
          <input type="radio" name="role" checked={role === value} onChange={() => onChange(role)} />
          <span>
            {t(`role.${role}`)}
            <small>{t(`roleMay.${role}`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
