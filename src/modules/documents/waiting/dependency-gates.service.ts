import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import { DependencyGate } from './dependency-gate.js';

/** Gates for what ingestion depends on outside of the process and the database. */
@Injectable()
export class DependencyGates {
  readonly store = new DependencyGate('store_unavailable');
  readonly files = new DependencyGate('store_unavailable');
  private readonly embedders = new Map<string, DependencyGate>();

  constructor(private readonly settings: Settings) {}

  /** One gate for each embedding model, by its space, so that a model that is unavailable does not block documents of another one. */
  ofEmbedder(space: string): DependencyGate {
    const known = this.embedders.get(space);
    if (known !== undefined) return known;
    const gate = new DependencyGate('provider_backoff', this.settings.values.embeddingConcurrency);
    this.embedders.set(space, gate);
    return gate;
  }
}
