/** Where links of an answer may lead. */
export interface LinkPolicy {
  /** Hosts of https addresses, exact, with a port where it is not 443. */
  readonly hosts: readonly string[];
  /** The address of the service for its users, from its settings: its documents may be linked. Undefined: they may not. */
  readonly publicUrl?: string;
}

const DOCUMENT_PAGE = /^api\/v1\/documents\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/[a-z-]+)?(?:[?#].*)?$/i;
/** Not in an address that is written between brackets; `&` is left, see `destinationOf`. */
const UNSAFE = /[^A-Za-z0-9\-._~:/?#@!$&+,;=%]/g;
/** Would be read as the character that it represents. */
const ENTITY = /&(?=#?[a-z0-9]+;)/gi;

/** Judges addresses by the settings of the installation. */
export class AllowedLinks {
  private readonly hosts: ReadonlySet<string>;
  private readonly home: URL | undefined;

  constructor({ hosts, publicUrl }: LinkPolicy) {
    this.hosts = new Set(hosts.flatMap((host) => hostOf(host) ?? []));
    this.home = publicUrl === undefined ? undefined : new URL(publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`);
  }

  /** Whether no address at all may be linked. */
  get isEmpty(): boolean {
    return this.hosts.size === 0 && this.home === undefined;
  }

  /** Whether an absolute address may be linked. */
  allows(address: string): boolean {
    return this.destinationOf(address) !== undefined;
  }

  /** The address as the destination of a link, without what Markdown would read in it; undefined when it may not be linked. */
  destinationOf(address: string): string | undefined {
    // What browsers leave out of an address, or read as a slash, is none that a person reads as written.
    if (this.isEmpty || !/^https?:\/\/[^\s\\]+$/i.test(address) || !URL.canParse(address)) return undefined;
    const url = new URL(address);
    if (url.username !== '' || url.password !== '') return undefined;
    const isListed = url.protocol === 'https:' && this.hosts.has(url.host);
    if (!isListed && !this.isOwnDocument(url)) return undefined;
    return url.href
      .replace(UNSAFE, encodeURIComponent)
      .replace(/[!'()*]/g, percent)
      .replace(ENTITY, '&amp;');
  }

  private isOwnDocument(url: URL): boolean {
    const { home } = this;
    if (home === undefined || url.origin !== home.origin || !url.pathname.startsWith(home.pathname)) return false;
    return DOCUMENT_PAGE.test(url.href.slice(home.origin.length + home.pathname.length));
  }
}

/** A host as addresses name it; undefined for what is none. */
export function hostOf(text: string): string | undefined {
  if (!/^[^\s/\\?#@]+$/.test(text) || !URL.canParse(`https://${text}`)) return undefined;
  return new URL(`https://${text}`).host;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
