import { t } from '../texts/i18n';

/** The service calls the first organisation so, until its operator gives it a name. */
const UNNAMED = 'Default';

/** The name of an organisation, or that it has none. */
export const organisationTitle = (name: string): string => organisationName(name) ?? t('frame.unnamed');

/** The name of an organisation; undefined where nobody has given it one: the service's own would tell nothing. */
export const organisationName = (name: string): string | undefined => (name === UNNAMED ? undefined : name);
