import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { Injectable } from '@nestjs/common';
import { InstalledModels, type ChatModel } from '#libs/ai';
import { ModelCosts } from '../../usage/index.js';
import { GRAPH_PROMPT_VERSION } from './graph-prompt.js';

/** The chat model that reads passages, with its name and prices. */
export interface GraphReader {
  readonly model: ChatModel;
  /** Provider and model. */
  readonly name: string;
  /** Identifies the way in which rows were made; a document whose rows were made in another way is extracted again. */
  readonly extractor: string;
}

/** Finds the chat model that extracts: the installation's own, else the first that writes text of its own. */
@Injectable()
export class GraphModel {
  constructor(
    private readonly installed: InstalledModels,
    private readonly costs: ModelCosts,
  ) {}

  /** Undefined where every chat model only quotes. */
  find(): GraphReader | undefined {
    const found = this.installed.chatModels.all.find(({ model }) => model.descriptor.kind === 'generative');
    if (found === undefined) return undefined;
    const name = `${found.model.descriptor.provider}/${found.model.descriptor.model}`;
    return { model: found.model, name, extractor: `llm-${GRAPH_PROMPT_VERSION}/${name}` };
  }

  /** Null where the model has no price. */
  costOf({ model }: GraphReader, usage: Parameters<ModelCosts['of']>[1]): number | null {
    return this.costs.of(model.descriptor, usage);
  }
}

/** Everything beside the passage that decides the answer. */
export function answerKeyOf({ extractor }: GraphReader, types: readonly GraphEntityType[]): string {
  return `${extractor}/${types.join(',')}`;
}
