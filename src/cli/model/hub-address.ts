import { ModelError } from './model.errors.js';
import { harmlessPath, type SourceFile } from './model-source.js';

export const DEFAULT_HUB = 'https://huggingface.co';
const PART = /^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$/;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A model on a hub, or on a mirror of one. */
export interface HubModel {
  /** Address of the hub without `/` at its end. */
  readonly base: string;
  readonly organisation: string;
  readonly name: string;
  /** Branch, tag or commit. */
  readonly revision: string;
}

export interface HubChoice {
  /** The hub for models that are named without one. */
  readonly base?: string | undefined;
  readonly revision?: string | undefined;
}

/**
 * Reads `org/name`, or `https://host/org/name` as a browser shows it (`/tree/REVISION` may follow). Undefined for what is no such
 * address. @throws ModelError for an address that cannot be asked
 */
export function readHubAddress(text: string, { base = DEFAULT_HUB, revision }: HubChoice): HubModel | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const [organisation = '', name = '', ...more] = text.split('/');
    if (!PART.test(organisation) || !PART.test(name) || more.length > 0) return undefined;
    return { base: checkedBase(base), organisation, name, revision: revision ?? 'main' };
  }
  const [path = '', tree] = checkedBase(text).split('/tree/', 2);
  const url = new URL(path);
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const [organisation = '', name = ''] = parts.slice(-2);
  if (!PART.test(organisation) || !PART.test(name)) {
    throw new ModelError(`${text} names no model: an address is https://host/organisation/name.`);
  }
  const before = parts.slice(0, -2).map((part) => `/${part}`);
  return {
    base: url.origin + before.join(''),
    organisation,
    name,
    revision: revision ?? (tree === undefined ? 'main' : decodeURIComponent(tree)),
  };
}

/** Whether what is read from there can be changed on its way. */
export function isUnprotected({ base }: HubModel): boolean {
  const { protocol, hostname } = new URL(base);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

export function addressOfModel({ base, organisation, name }: HubModel): string {
  return `${base}/${organisation}/${name}`;
}

/** Where the hub lists the files of a model. */
export function addressOfList({ base, organisation, name, revision }: HubModel): string {
  return `${base}/api/models/${organisation}/${name}/tree/${encodeURIComponent(revision)}?recursive=true`;
}

/** Where the hub gives one of them. */
export function addressOfFile(model: HubModel, path: string): string {
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  return `${addressOfModel(model)}/resolve/${encodeURIComponent(model.revision)}/${escaped}`;
}

function checkedBase(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ModelError(`${text} is no address that can be asked: it must begin with https:// (or http://).`);
  }
  // The address itself is not repeated: it holds a secret.
  if (url.username !== '' || url.password !== '') {
    throw new ModelError('An address with a user and a password is not taken.');
  }
  if (url.search !== '' || url.hash !== '') throw new ModelError(`Take away what follows "?" or "#" in ${text}.`);
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** What one entry of a hub's list says, for a file; undefined for a folder. */
export function readListEntry(entry: unknown): SourceFile | undefined {
  const { type, path, size, oid, lfs } = (entry ?? {}) as Record<string, unknown>;
  if (type !== 'file' || typeof path !== 'string') return undefined;
  const large = (lfs ?? undefined) as Record<string, unknown> | undefined;
  const sha256 = hexOf(large?.['oid'] ?? large?.['sha256'], 64);
  const bytes = large?.['size'] ?? size;
  if (harmlessPath(path) !== path) {
    throw new ModelError(
      `The hub lists ${JSON.stringify(path)}, which would be written outside of the model's folder.`,
    );
  }
  // What git holds of a large file is a reference to it.
  const gitBlob = large === undefined ? hexOf(oid, 40) : undefined;
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) {
    throw new ModelError(`The hub lists ${path} without its size.`);
  }
  return {
    path,
    size: bytes,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(gitBlob === undefined ? {} : { gitBlob }),
  };
}

function hexOf(value: unknown, digits: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const hex = value.replace(/^sha256:/, '').toLowerCase();
  return hex.length === digits && /^[0-9a-f]+$/.test(hex) ? hex : undefined;
}
