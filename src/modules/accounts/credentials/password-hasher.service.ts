import { randomBytes, scrypt, timingSafeEqual, type BinaryLike, type ScryptOptions } from 'node:crypto';
import { HashingTurns, type HashingCaller } from './hashing-turns.js';

/** Cost parameters of a hash (RFC 7914). */
export interface ScryptParameters {
  /** Binary logarithm of the cost N. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB for each computation; the parameters for that memory in the OWASP Password Storage Cheat Sheet. */
const PARAMETERS: ScryptParameters = { logN: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/**
 * Maximum number of computations of one check. Accounts of one e-mail address share a salt, unless they were created at the same moment.
 */
const MOST_SALTS = 3;

/**
 * Uses half of the four threads that scrypt shares with file access and name resolution, and at most 64 MiB. A longer queue would answer
 * later than clients wait. The share of a prefix is enough for impatient people behind one address.
 */
const BOUNDS = { atOnce: 2, mostWaiting: 64, mostOfPrefix: 8 };
/** A caller whose logins are not counted: a member who invites another, an administrator at the shell. */
const TRUSTED_CALLER: HashingCaller = { prefix: null, isKnown: true };

const FORMAT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Hashes and checks passwords with scrypt, at most two at once; the rest waits for a turn (`HashingTurns`). */
export class PasswordHasher {
  private readonly turns = new HashingTurns(BOUNDS);
  private readonly nobody: string;

  /** `parameters` apply to new hashes; a stored hash is checked with its own parameters. */
  constructor(private readonly parameters: ScryptParameters = PARAMETERS) {
    this.nobody = render(parameters, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  }

  /**
   * `$scrypt$ln=…,r=…,p=…$salt$hash`, with a new salt, or that of the stored hash `like`, so that one computation checks both.
   * @throws `accounts.busy`
   */
  async hash(password: string, like: string | null = null): Promise<string> {
    const salt = this.saltOf(like) ?? randomBytes(SALT_BYTES);
    return render(
      this.parameters,
      salt,
      await this.inTurn(TRUSTED_CALLER, password, { parameters: this.parameters, salt, bytes: HASH_BYTES }),
    );
  }

  /**
   * Whether the password belongs to the hash. Without a hash, returns false after the same time, so that the duration does not reveal
   * whether an account exists. @throws `accounts.busy`; an Error for text that is no hash.
   */
  async verify(stored: string | null, password: string, caller = TRUSTED_CALLER): Promise<boolean> {
    return (await this.findMatching(stored === null ? [] : [stored], password, caller)).length > 0;
  }

  /**
   * The hashes to which the password belongs. Hashes with the same salt need one computation, however many there are; without hashes, one
   * computation is made all the same. Only the first `MOST_SALTS` salts are checked. @throws as `verify`
   */
  async findMatching(stored: readonly string[], password: string, caller = TRUSTED_CALLER): Promise<readonly string[]> {
    const bySalt = new Map<string, string[]>();
    for (const hash of stored) {
      const salt = hash.slice(0, hash.lastIndexOf('$'));
      bySalt.set(salt, [...(bySalt.get(salt) ?? []), hash]);
    }
    const groups = bySalt.size === 0 ? [[this.nobody]] : [...bySalt.values()].slice(0, MOST_SALTS);
    const matching: string[] = [];
    for (const group of groups) {
      const parsed = group.map((hash) => ({ hash, ...parse(hash) }));
      const { parameters, salt } = parsed[0]!;
      const bytes = Math.max(...parsed.map(({ derived }) => derived.length));
      const right = await this.inTurn(caller, password, { parameters, salt, bytes });
      for (const { hash, derived } of parsed) {
        if (timingSafeEqual(right.subarray(0, derived.length), derived)) matching.push(hash);
      }
    }
    return stored.length === 0 ? [] : matching;
  }

  /** The salt of a hash with the present parameters. */
  private saltOf(stored: string | null): Buffer | null {
    if (stored === null) return null;
    const { parameters, salt } = parse(stored);
    const isPresent =
      parameters.logN === this.parameters.logN &&
      parameters.r === this.parameters.r &&
      parameters.p === this.parameters.p;
    return isPresent ? salt : null;
  }

  private inTurn(
    caller: HashingCaller,
    password: string,
    {
      salt,
      parameters,
      bytes,
    }: { readonly salt: Buffer; readonly parameters: ScryptParameters; readonly bytes: number },
  ): Promise<Buffer> {
    return this.turns.run(caller, () => derive(password, salt, parameters, bytes));
  }
}

function derive(password: string, salt: BinaryLike, parameters: ScryptParameters, bytes: number): Promise<Buffer> {
  const options: ScryptOptions = {
    N: 2 ** parameters.logN,
    r: parameters.r,
    p: parameters.p,
    maxmem: 2 * 128 * 2 ** parameters.logN * parameters.r,
  };
  return new Promise((resolve, reject) => {
    // The same password typed on another system must give the same bytes (RFC 8265, section 4.2: NFC).
    scrypt(password.normalize('NFC'), salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function render(parameters: ScryptParameters, salt: Buffer, hash: Buffer): string {
  const { logN, r, p } = parameters;
  return `$scrypt$ln=${logN},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function parse(stored: string): { parameters: ScryptParameters; salt: Buffer; derived: Buffer } {
  const match = FORMAT.exec(stored);
  if (match === null) throw new Error('A stored password hash is not in the scrypt format.');
  const [, logN, r, p, salt, hash] = match as unknown as [string, string, string, string, string, string];
  return {
    parameters: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    derived: Buffer.from(hash, 'base64'),
  };
}
