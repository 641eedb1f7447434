import { checkExpression } from '../../content-engine/expressions/index.ts';
import { badRequest } from '../../platform/api/errors.ts';
import type { MergeRules } from './schema.ts';

type Rule = NonNullable<MergeRules['rules']>[number];

/** The rules that apply to a space: its own, or those of its organization. */
export function effectiveRules(ofSpace: MergeRules, ofOrganization: MergeRules): readonly Rule[] {
  const set = ofSpace.type === 'inherit' ? ofOrganization : ofSpace;
  return set.type === 'rules' ? (set.rules ?? []) : [];
}

/** An invalid rule would refuse every merge, so it is refused when it is set. */
export function requireReadable(given: MergeRules | undefined): void {
  for (const [index, rule] of (given?.rules ?? []).entries()) {
    const error = rule.rule === 'custom' ? checkExpression(rule.expression) : undefined;
    if (!error) continue;
    const path = `body.mergeRules.rules.${index}.expression`;
    throw badRequest(`${path}: ${error.message}`, [{ path, rule: error.message }]);
  }
}
