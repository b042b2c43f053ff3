import { DiscoveryService } from '@nestjs/core';
import type { JsonObject } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { VisibleDataset } from './dataset-access.repository.js';

/**
 * A part of the profile of a dataset that another module contributes: what it keeps of the documents, summed up. Kept with the run, so
 * it holds ids, numbers and what is no secret of a single document; never names of documents.
 */
export interface DatasetProfileSection {
  /** Sums up, for anyone who asked for the scan, the documents that are neither deleted nor quarantined. */
  describe(ctx: RequestContext, dataset: VisibleDataset, signal: AbortSignal): Promise<JsonObject>;
  /** What of a kept section someone may read now; left out: all of it. */
  show?(ctx: RequestContext, dataset: VisibleDataset, kept: JsonObject): Promise<JsonObject>;
}

export interface DatasetProfileSectionOptions {
  /** Under which the section is in the profile: lower case with underscores. */
  readonly name: string;
}

export const CONTRIBUTED_PROFILE_SECTION = DiscoveryService.createDecorator<DatasetProfileSectionOptions>();

type SectionClass = new (...parameters: never[]) => DatasetProfileSection;

/** Marks a provider as a section of the profile of datasets; it is found when the process starts, wherever its module is. */
export function DatasetProfileSection(options: DatasetProfileSectionOptions): (target: SectionClass) => void {
  return (target) => CONTRIBUTED_PROFILE_SECTION(options)(target);
}
