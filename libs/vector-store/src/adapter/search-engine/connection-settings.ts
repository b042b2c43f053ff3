import { readFileSync } from 'node:fs';
import { list, text, type Setting } from '#libs/config';
import type { EngineSettings } from './engine-settings.js';

export const SECTION = 'Vector store';
/** What an index may be called, with room for what follows. */
const PREFIX = /^[a-z][a-z0-9_-]{0,30}$/;

/** Shared by all search engines. */
export const INDEX_PREFIX: Setting<string> = {
  ...text('VECTOR_STORE_INDEX_PREFIX', 'kb', {
    section: SECTION,
    description:
      'Prefix of the names of all indexes in Elasticsearch or OpenSearch, for installations that share a cluster.',
  }),
  parse: (value) => {
    if (!PREFIX.test(value)) {
      throw new Error('must begin with a lower-case letter and hold at most 31 lower-case letters, digits, - and _');
    }
    return value;
  },
};

/** A list of addresses of nodes, each http or https. */
export function nodeUrls(name: string, description: string): Setting<readonly string[]> {
  const setting = list(name, { section: SECTION, secret: true, description });
  return {
    ...setting,
    parse: (value) => {
      const urls = setting.parse(value);
      const isNode = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
      if (!urls.every(isNode)) throw new Error('must be URLs that begin with http:// or https://, separated by commas');
      return urls;
    },
  };
}

type Names = Readonly<Record<'urls' | 'username' | 'password' | 'apiKey' | 'caFile', { readonly name: string }>>;

/** Contradictions between address, credentials and certificates, whose file is only looked at for the store that is chosen. */
export function findConnectionProblems(names: Names, values: EngineSettings, isChosen: boolean): string[] {
  const problems: string[] = [];
  const login = [values.username, values.password];
  const { urls, username, password, apiKey, caFile } = names;
  if (login.filter((part) => part !== undefined).length === 1) {
    problems.push(`${username.name}: a login needs both ${username.name} and ${password.name}.`);
  }
  if (values.apiKey !== undefined && login.some((part) => part !== undefined)) {
    problems.push(`${apiKey.name}: cannot be used together with ${username.name} and ${password.name}.`);
  }
  const isPlain = values.urls.length > 0 && !values.urls.every((url) => url.startsWith('https:'));
  if (values.caFile !== undefined && isPlain) {
    problems.push(`${caFile.name}: has no meaning unless every address in ${urls.name} begins with https://.`);
  }
  const fault = values.caFile === undefined || !isChosen ? null : faultOfCertificates(values.caFile);
  if (fault !== null) problems.push(`${caFile.name}: ${fault}.`);
  return problems;
}

const CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/;

/** Why the file has no certificates for the start; null where it has. */
function faultOfCertificates(path: string): string | null {
  try {
    return CERTIFICATE.test(readFileSync(path, 'utf8')) ? null : 'the file holds no certificate in PEM';
  } catch (error) {
    return `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  }
}
