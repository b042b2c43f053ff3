/** The service calls the first organisation so, until its operator gives it a name. */
const UNNAMED = 'Default';

/** The name of an organisation; undefined where nobody has given it one: the service's own would tell nothing. */
export const organisationName = (name: string): string | undefined => (name === UNNAMED ? undefined : name);
