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
        'Seconds that a chat, streamed or not, waits for the first word of the model; then it is answered 503.',
    },
  ),
  chatLinkHosts: networkNames('CHAT_LINK_HOSTS', HOSTS, {
    section: MODELS,
    description:
      'Comma-separated hosts, matched exactly and with :port unless it is 443, to which https links in answers may lead. All other links, and images, are shown as text.',
  }),
  publicUrl: {
    ...url('PUBLIC_URL', ['http:', 'https:'], {
      section: 'Service',
      description:
        'Public address of the service, with its path if it has one. Answers may then link its documents, pages from this address may use the Model Context Protocol, and sessions of the console belong to it. It is never taken from a request.',
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
