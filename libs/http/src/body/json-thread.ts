import { isUtf8 } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';

/** What a text says, or why it is no JSON. */
export type ParsedJson = { readonly value: unknown; readonly reason?: undefined } | { readonly reason: string };

/** Names of members that would change what an object is instead of what it holds. */
function isForbidden(name: string, value: unknown): boolean {
  if (name === '__proto__') return true;
  return name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

function parse(bytes: Uint8Array): ParsedJson {
  if (!isUtf8(bytes)) return { reason: 'it is not in UTF-8' };
  let forbidden: string | undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes), (name, inner: unknown) => {
      if (isForbidden(name, inner)) forbidden = name;
      return inner;
    });
    return forbidden === undefined ? { value } : { reason: `the member name ${forbidden} is not allowed` };
  } catch (error) {
    if (error instanceof SyntaxError) return { reason: error.message.slice(0, 200) };
    throw error;
  }
}

parentPort?.postMessage(parse(workerData as Uint8Array));
