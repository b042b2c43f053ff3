import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import { DependencyGate } from './dependency-gate.js';

/** What ingestion depends on outside the process and the database. */
@Injectable()
export class DependencyGates {
  readonly embedder: DependencyGate;
  readonly store = new DependencyGate('store_unavailable');
  readonly files = new DependencyGate('store_unavailable');

  constructor(settings: Settings) {
    this.embedder = new DependencyGate('provider_backoff', settings.values.embeddingConcurrency);
  }
}
