import { Injectable } from '@nestjs/common';
import type { ModelUsage } from '#libs/ai';
import { Settings, type ModelPrice, type ModelPrices, type SettingsValues } from '#libs/config';

const TOKENS_PER_PRICE = 1_000_000;

/**
 * The prices of an installation. Prices in MODELS_FILE take precedence over MODEL_PRICES, because they are for the model of one provider.
 */
export function installedPrices({
  modelPrices,
  furtherModels,
}: Pick<SettingsValues, 'modelPrices' | 'furtherModels'>): ModelPrices {
  const further = furtherModels.flatMap(({ provider, model, price }): [string, ModelPrice][] =>
    model === undefined || price === undefined ? [] : [[`${provider}/${model}`, price]],
  );
  return new Map([...modelPrices, ...further]);
}

/** Cost of the usage of a model; null if the model has no price. */
export function costOf(
  prices: ModelPrices,
  { provider, model }: { readonly provider: string; readonly model: string },
  { inputTokens, outputTokens, requests }: Pick<ModelUsage, 'inputTokens' | 'outputTokens' | 'requests'>,
): number | null {
  const price = prices.get(`${provider}/${model}`) ?? prices.get(model);
  if (price === undefined) return null;
  return (inputTokens * price.input + outputTokens * price.output) / TOKENS_PER_PRICE + requests * price.request;
}

/** Costs of the installation's models, for modules that report them before or after a use. */
@Injectable()
export class ModelCosts {
  private readonly prices: ModelPrices;

  constructor(settings: Settings) {
    this.prices = installedPrices(settings.values);
  }

  /** Null if the model has no price. */
  of(
    model: { readonly provider: string; readonly model: string },
    usage: Pick<ModelUsage, 'inputTokens' | 'outputTokens' | 'requests'>,
  ): number | null {
    return costOf(this.prices, model, usage);
  }
}
