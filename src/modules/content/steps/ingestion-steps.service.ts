import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import {
  CONTRIBUTED_STEP,
  type IngestionStep,
  type IngestionStepOptions,
  type StepPosition,
} from './ingestion-step.port.js';
import { StepRowsRepository } from './step-rows.repository.js';

/** A step with its options. */
export interface FoundStep<At extends StepPosition> extends IngestionStepOptions<At> {
  readonly step: IngestionStep<At>;
}

/** The steps that the modules of this process contribute, in the order of their names. */
@Injectable()
export class IngestionSteps implements OnApplicationBootstrap {
  private found: readonly FoundStep<StepPosition>[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly rows: StepRowsRepository,
  ) {}

  /** @throws Error when rows in a table of a step could remain after their document or be visible to other tenants. */
  async onApplicationBootstrap(): Promise<void> {
    const problems = await this.rows.findUnfit(this.tables);
    if (problems.length > 0) throw new Error(`Tables of ingestion steps are not valid:\n${problems.join('\n')}`);
  }

  /** The tables of all steps. */
  get tables(): readonly string[] {
    return this.all.flatMap(({ tables }) => tables);
  }

  at<At extends StepPosition>(position: At): readonly FoundStep<At>[] {
    return this.all.filter((step): step is FoundStep<At> => step.at === position);
  }

  private get all(): readonly FoundStep<StepPosition>[] {
    return (this.found ??= this.find());
  }

  private find(): readonly FoundStep<StepPosition>[] {
    const found = this.discovery
      .getProviders({ metadataKey: CONTRIBUTED_STEP.KEY })
      .flatMap((wrapper) => {
        const options = this.discovery.getMetadataByDecorator(CONTRIBUTED_STEP, wrapper);
        return options === undefined ? [] : [{ ...options, step: wrapper.instance as IngestionStep<StepPosition> }];
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, at, onFailure } of found) {
      refuseUnknown(`The ingestion step ${name}: at`, at, POSITIONS);
      refuseUnknown(`The ingestion step ${name}: onFailure`, onFailure, REACTIONS);
    }
    refuseDoubles(found.map(({ name }) => `step ${name}`));
    refuseDoubles(found.flatMap(({ tables }) => tables.map((table) => `table ${table}`)));
    return found;
  }
}

const POSITIONS: readonly StepPosition[] = ['after_parsing', 'after_chunking', 'before_switch'];
const REACTIONS: readonly IngestionStepOptions<StepPosition>['onFailure'][] = ['fail', 'warn'];

/**
 * Packages in JavaScript are not type-checked: without this check, a step with a misspelt position would never run, without any message.
 */
function refuseUnknown(what: string, given: string, known: readonly string[]): void {
  if (!known.includes(given))
    throw new Error(`${what} is ${JSON.stringify(given)}; it must be one of ${known.join(', ')}.`);
}

function refuseDoubles(names: readonly string[]): void {
  const double = names.find((name, at) => names.indexOf(name) !== at);
  if (double !== undefined) throw new Error(`Two ingestion steps declare the same ${double}; each step needs its own.`);
}
