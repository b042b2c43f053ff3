export const UUID_BYTES = 16;

export function writeUuid(target: Buffer, place: number, uuid: string): void {
  target.write(uuid.replaceAll('-', ''), place * UUID_BYTES, 'hex');
}

export function readUuid(source: Buffer, place: number): string {
  const hex = source.toString('hex', place * UUID_BYTES, (place + 1) * UUID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Views of the same memory; kept in the order of the bytes of this machine. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function numbersOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

export function shortNumbersOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint16Array {
  return new Uint16Array(buffer, byteOffset, byteLength / 2);
}

export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
