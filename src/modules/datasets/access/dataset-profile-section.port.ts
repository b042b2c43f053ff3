import { DiscoveryService } from '@nestjs/core';
import type { JsonObject } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { VisibleDataset } from './dataset-access.repository.js';

/**
 * A section of the profile of a dataset that another module contributes: a summary of its data about the documents. It is stored with the
 * run, so it may contain ids, numbers and nothing secret of a single document, and never names of documents.
 */
export interface DatasetProfileSection {
  /** Summarises the documents that are neither deleted nor quarantined, for the scan's requester. */
  describe(ctx: RequestContext, dataset: VisibleDataset, signal: AbortSignal): Promise<JsonObject>;
  /** The part of a stored section that a caller may read now; left out: all of it. */
  show?(ctx: RequestContext, dataset: VisibleDataset, kept: JsonObject): Promise<JsonObject>;
}

export interface DatasetProfileSectionOptions {
  /** Name of the section in the profile: lower case with underscores. */
  readonly name: string;
}

export const CONTRIBUTED_PROFILE_SECTION = DiscoveryService.createDecorator<DatasetProfileSectionOptions>();

type SectionClass = new (...parameters: never[]) => DatasetProfileSection;

/** Marks a provider of any module as a section of the profile of datasets; it is discovered when the process starts. */
export function DatasetProfileSection(options: DatasetProfileSectionOptions): (target: SectionClass) => void {
  return (target) => CONTRIBUTED_PROFILE_SECTION(options)(target);
}
