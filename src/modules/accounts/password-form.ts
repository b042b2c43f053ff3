import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from './request-fields.js';

/** The schema of OAuth2's password form (RFC 6749, 4.3.2), for the description. */
export const PASSWORD_FORM = {
  type: 'object',
  required: ['grant_type', 'username', 'password'],
  description: "OAuth2's password form. `scope`, `client_id` and `client_secret` are taken and have no effect.",
  properties: {
    grant_type: { type: 'string', enum: ['password'] },
    username: { type: 'string', maxLength: MAX_EMAIL_LENGTH, description: 'E-mail address of the account.' },
    password: { type: 'string', format: 'password', maxLength: MAX_PASSWORD_LENGTH, description: 'Its password.' },
    scope: { type: 'string' },
    client_id: { type: 'string' },
    client_secret: { type: 'string' },
  },
};
