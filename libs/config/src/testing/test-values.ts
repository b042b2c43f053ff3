import { missingSettings, type AdapterDefinition, type AdapterValues } from '../adapters/adapter.js';

/**
 * The settings of an adapter for tests: each is read from the variable of its name prefixed with TEST_, so that tests never run
 * against the servers of an installation. Undefined when one that the adapter needs is missing: then it is not tested here.
 */
export function testValuesOf(definition: AdapterDefinition<unknown, never>): AdapterValues | undefined {
  const values: Record<string, unknown> = {};
  for (const { name, parse } of Object.values(definition.settings)) {
    const given = process.env[`TEST_${name}`]?.trim() ?? '';
    if (given !== '') values[name] = parse(given);
  }
  return missingSettings(definition, values).length === 0 ? values : undefined;
}
