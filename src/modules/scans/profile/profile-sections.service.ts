import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { JsonObject } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { CONTRIBUTED_PROFILE_SECTION, type DatasetProfileSection, type VisibleDataset } from '../../datasets/index.js';

type Sections = Readonly<Record<string, JsonObject>>;

/** The sections that other modules contribute to profiles, by their names. */
@Injectable()
export class ProfileSections {
  private found: ReadonlyMap<string, DatasetProfileSection> | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  async describe(ctx: RequestContext, dataset: VisibleDataset, signal: AbortSignal): Promise<Sections> {
    const described: Record<string, JsonObject> = {};
    for (const [name, section] of this.all) described[name] = await section.describe(ctx, dataset, signal);
    return described;
  }

  /** The parts of stored sections that may be read now; sections of missing modules are left out. */
  async show(ctx: RequestContext, dataset: VisibleDataset, kept: Sections): Promise<Sections> {
    const shown: Record<string, JsonObject> = {};
    for (const [name, content] of Object.entries(kept)) {
      const section = this.all.get(name);
      if (section === undefined) continue;
      shown[name] = section.show === undefined ? content : await section.show(ctx, dataset, content);
    }
    return shown;
  }

  private get all(): ReadonlyMap<string, DatasetProfileSection> {
    return (this.found ??= this.find());
  }

  private find(): ReadonlyMap<string, DatasetProfileSection> {
    const found = new Map<string, DatasetProfileSection>();
    for (const wrapper of this.discovery.getProviders({ metadataKey: CONTRIBUTED_PROFILE_SECTION.KEY })) {
      const options = this.discovery.getMetadataByDecorator(CONTRIBUTED_PROFILE_SECTION, wrapper);
      if (options === undefined) continue;
      if (found.has(options.name)) throw new Error(`Two profile sections have the name ${options.name}.`);
      found.set(options.name, wrapper.instance as DatasetProfileSection);
    }
    return found;
  }
}
