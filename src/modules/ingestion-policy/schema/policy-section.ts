/** Named fields and no others; a missing object is one with all its defaults. */
export function section(description: string, properties: Readonly<Record<string, object>>): object {
  return { type: 'object', description, additionalProperties: false, default: {}, properties };
}
