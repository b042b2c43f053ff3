import { afterAll } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { ServiceProcess } from '../support/service-process.js';
import { makeCallers } from './callers.js';
import { describeRoutes } from './describe-routes.js';
import { operationsOf, readDescription } from './operations.js';
import { AREAS, type Area } from './requests.js';
import { makeWorld, WORLD_SETTINGS } from './world.js';

/** Starts a service with a world, because tests are made of its description, and asks the routes of one area. */
export async function describeArea(area: Area): Promise<void> {
  const service = await ServiceProcess.start({ settings: WORLD_SETTINGS });
  afterAll(() => service.dispose());
  const operations = operationsOf(await readDescription(new ApiClient(service.url)));
  const world = await makeWorld(service);
  describeRoutes(operations, AREAS[area], world, await makeCallers(world));
}
