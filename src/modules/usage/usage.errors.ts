import { defineErrors } from '#libs/common';

const definitions = defineErrors('usage', {
  budget_exhausted: {
    status: 429,
    title: 'Budget exhausted',
    detail: (f: { budget: 'monthly_tokens' | 'monthly_cost'; period: string }) =>
      `What is left of the tenant's budget ${f.budget} in ${f.period} (UTC) does not cover this call. The budget is reset with the next month; ` +
      'an administrator of the installation can raise it with PATCH /tenants/{id}.',
  },
});

/** Code of the error that says that a tenant's budget is used up. */
export const BUDGET_EXHAUSTED = 'usage.budget_exhausted';

export const usageErrors = definitions;
