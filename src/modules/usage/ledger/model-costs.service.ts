import { Injectable } from '@nestjs/common';
import type { ModelUsage } from '#libs/ai';
import { Settings, type ModelPrice, type ModelPrices, type SettingsValues } from '#libs/config';

const TOKENS_PER_PRICE = 1_000_000;

/** The prices of an installation. Those of MODELS_FILE outrank MODEL_PRICES: they are of one provider's model. */
export function installedPrices({
  modelPrices,
  furtherModels,
}: Pick<SettingsValues, 'modelPrices' | 'furtherModels'>): ModelPrices {
  const further = furtherModels.flatMap(({ provider, model, price }): [string, ModelPrice][] =>
    model === undefined || price === undefined ? [] : [[`${provider}/${model}`, price]],
  );
  return new Map([...modelPrices, ...further]);
}

/** What usage of a model costs; null where it has no price. */
export function costOf(
  prices: ModelPrices,
  { provider, model }: { readonly provider: string; readonly model: string },
  { inputTokens, outputTokens, requests }: Pick<ModelUsage, 'inputTokens' | 'outputTokens' | 'requests'>,
): number | null {
  const price = prices.get(`${provider}/${model}`) ?? prices.get(model);
  if (price === undefined) return null;
  return (inputTokens * price.input + outputTokens * price.output) / TOKENS_PER_PRICE + requests * price.request;
}

/** What models of the installation cost, for modules that tell it before or after they use one. */
@Injectable()
export class ModelCosts {
  private readonly prices: ModelPrices;

  constructor(settings: Settings) {
    this.prices = installedPrices(settings.values);
  }

  /** Null where the model has no price. */
  of(
    model: { readonly provider: string; readonly model: string },
    usage: Pick<ModelUsage, 'inputTokens' | 'outputTokens' | 'requests'>,
  ): number | null {
    return costOf(this.prices, model, usage);
  }
}
