import { DEFAULT_MIN_SCORE, ENTITY_TYPES, type EntityType } from '#libs/detectors';
import { DETECTOR_ACTIONS, type DetectorAction, type GovernancePolicy } from '../schema/ingestion-policy.entity.js';

/** The rule of a policy for one kind of content. */
export interface GovernanceRule {
  readonly action: DetectorAction;
  /** Minimum certainty; findings below it are ignored. */
  readonly minScore: number;
}

/** The rules of a policy by kind of content, including the short form `on_prompt_injection`. Empty: no detectors run. */
export type GovernanceRules = ReadonlyMap<EntityType, GovernanceRule>;

export function isStricter(one: DetectorAction, other: DetectorAction): boolean {
  return DETECTOR_ACTIONS.indexOf(one) > DETECTOR_ACTIONS.indexOf(other);
}

export function governanceRulesOf(policy: GovernancePolicy): GovernanceRules {
  const rules = new Map<EntityType, GovernanceRule>();
  for (const { entity_type: type, action, min_score: minScore } of policy.detectors) {
    const known = ENTITY_TYPES.find((one) => one === type);
    if (known !== undefined) rules.set(known, { action, minScore });
  }
  const { on_prompt_injection: action } = policy;
  if (action === 'allow') return rules;
  const own = rules.get('prompt_injection');
  if (own === undefined) return rules.set('prompt_injection', { action, minScore: DEFAULT_MIN_SCORE });
  const stricter = isStricter(action, own.action) ? action : own.action;
  return rules.set('prompt_injection', { action: stricter, minScore: Math.min(own.minScore, DEFAULT_MIN_SCORE) });
}

/** Whether anything that `before` detects, refuses or masks would be treated more mildly after the change. */
export function isWeaker(after: GovernancePolicy, before: GovernancePolicy): boolean {
  const now = governanceRulesOf(after);
  for (const [type, { action, minScore }] of governanceRulesOf(before)) {
    const rule = now.get(type);
    if (rule === undefined || rule.minScore > minScore || isStricter(action, rule.action)) return true;
  }
  return (
    widens(after.allowed_types, before.allowed_types) || (before.max_bytes ?? Infinity) < (after.max_bytes ?? Infinity)
  );
}

function widens(after: readonly string[] | null, before: readonly string[] | null): boolean {
  return before !== null && (after === null || after.some((type) => !before.includes(type)));
}
