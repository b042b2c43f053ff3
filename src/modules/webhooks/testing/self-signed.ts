import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A self-signed certificate with its key; PEM. */
export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
}

const ECDSA_WITH_SHA256 = '300a06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const SUBJECT_ALTERNATIVE_NAMES = '0603551d11';
const DAY_MS = 24 * 3600 * 1000;

/** A certificate for these host names and addresses, valid from yesterday until tomorrow unless `until` is set. */
export function selfSigned(hosts: readonly string[], until = new Date(Date.now() + DAY_MS)): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = Buffer.from(ECDSA_WITH_SHA256, 'hex');
  const name = der(0x30, der(0x31, der(0x30, Buffer.from(COMMON_NAME, 'hex'), der(0x0c, Buffer.from(hosts[0]!)))));
  const validity = der(0x30, time(new Date(until.getTime() - 2 * DAY_MS)), time(until));
  const names = der(0x30, ...hosts.map(alternativeName));
  const extension = der(0x30, Buffer.from(SUBJECT_ALTERNATIVE_NAMES, 'hex'), der(0x04, names));
  const signed = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', signed, privateKey)]));
  const lines = der(0x30, signed, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g)!;
  const cert = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** A value of ASN.1 in DER: its tag, its length and its parts. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  for (let rest = body.length; rest > 0; rest >>= 8) length.unshift(rest & 0xff);
  const head = body.length < 0x80 ? [tag, body.length] : [tag, 0x80 | length.length, ...length];
  return Buffer.concat([Buffer.from(head), body]);
}

function time(at: Date): Buffer {
  const text = at.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(text));
}

function alternativeName(host: string): Buffer {
  if (isIP(host) !== 4) return der(0x82, Buffer.from(host));
  return der(0x87, Buffer.from(host.split('.').map(Number)));
}
