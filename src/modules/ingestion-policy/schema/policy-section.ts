/** An object with these fields and no others; if it is missing, it has all its defaults. */
export function section(description: string, properties: Readonly<Record<string, object>>): object {
  return { type: 'object', description, additionalProperties: false, default: {}, properties };
}
