import { HOSTS, networkNames } from './network-names.js';
import { integer, url, type Setting } from './setting.js';

const MODELS = 'Models';

/** Settings of answers that are not those of a model. */
export const CHAT_SETTINGS = {
  chatFirstTokenSeconds: integer(
    'CHAT_FIRST_TOKEN_SECONDS',
    60,
    { min: 1, max: 600 },
    {
      section: MODELS,
      description:
        'Seconds that a chat waits for the first word of the model; then it is answered 503, a streamed chat as well.',
    },
  ),
  chatLinkHosts: networkNames('CHAT_LINK_HOSTS', HOSTS, {
    section: MODELS,
    description:
      'Comma-separated hosts, exact, with :port where it is not 443, that links of an answer may lead to by https; all other links, and images, are shown as text.',
  }),
  publicUrl: {
    ...url('PUBLIC_URL', ['http:', 'https:'], {
      section: 'Service',
      description:
        'Address at which people reach the service, with its path where it has one; answers may then link its documents, its own pages may use the Model Context Protocol, and sessions of the console belong there. It is never taken from a request.',
    }),
    parse: readPublicUrl,
  },
} as const satisfies Record<string, Setting<unknown>>;

function readPublicUrl(text: string): string | undefined {
  if (text === '') return undefined;
  const { protocol, username, password, search, hash } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  const isAddress = /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
  if (!isAddress) throw new Error('must be an http or https address without user, query and fragment');
  return text;
}
