/** One member of a TAR archive; no one looks whether its name is a good one. */
export interface TarMember {
  readonly name: string;
  readonly data?: Buffer;
  /** `0` a file, `2` a link, `5` a folder. */
  readonly type?: '0' | '2' | '5';
  readonly target?: string;
}

const BLOCK = 512;

/** An archive in the format of POSIX (ustar), for tests. */
export function makeTar(members: readonly TarMember[]): Buffer {
  const parts = members.flatMap(({ name, data = Buffer.alloc(0), type = '0', target = '' }) => {
    const header = Buffer.alloc(BLOCK);
    const octal = (value: number, at: number, digits: number): unknown =>
      header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
    header.write(name, 0, 100, 'utf8');
    octal(0o644, 100, 7);
    octal(0, 108, 7);
    octal(0, 116, 7);
    octal(data.length, 124, 11);
    octal(0, 136, 11);
    header.fill(' ', 148, 156);
    header.write(type, 156, 'latin1');
    header.write(target, 157, 100, 'utf8');
    header.write('ustar\x0000', 257, 'latin1');
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      148,
      6,
    );
    return [header, data, Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}
