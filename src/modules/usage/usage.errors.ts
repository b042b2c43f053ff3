import { defineErrors } from '#libs/common';

const definitions = defineErrors('usage', {
  budget_exhausted: {
    status: 429,
    title: 'Budget exhausted',
    detail: (f: { budget: 'monthly_tokens' | 'monthly_cost'; period: string }) =>
      `The tenant's budget ${f.budget} does not suffice for this call in ${f.period} (UTC). A new budget begins with the next month; ` +
      'an administrator of the installation raises it with PATCH /tenants/{id}.',
  },
});

/** Code of the error that says that a tenant's budget is used up. */
export const BUDGET_EXHAUSTED = 'usage.budget_exhausted';

export const usageErrors = definitions;
