import { checkExpression } from '../../content-engine/expressions/index.ts';
import { badRequest } from '../../platform/api/errors.ts';
import type { MergeRules } from './schema.ts';

type Rule = NonNullable<MergeRules['rules']>[number];

/** The rules that apply to a space: its own, or those of its organization. */
export function effectiveRules(ofSpace: MergeRules, ofOrganization: MergeRules): readonly Rule[] {
  const set = ofSpace.type === 'inherit' ? ofOrganization : ofSpace;
  return set.type === 'rules' ? (set.rules ?? []) : [];
}

/** The limit in bytes of JSON: every list of spaces contains the rules of each. */
const MAX_RULES_BYTES = 8 * 1024;

/** An invalid rule would refuse every merge, so it is refused when it is set. */
export function requireReadable(given: MergeRules | undefined): void {
  if (given && Buffer.byteLength(JSON.stringify(given)) > MAX_RULES_BYTES)
    throw badRequest(
      `The merge rules (body.mergeRules) exceed ${MAX_RULES_BYTES / 1024} kB. Name fewer users, each once, or use shorter expressions.`,
      [{ path: 'body.mergeRules', rule: `at most ${MAX_RULES_BYTES} bytes of JSON` }],
    );
  for (const [index, rule] of (given?.rules ?? []).entries()) {
    const error = rule.rule === 'custom' ? checkExpression(rule.expression) : undefined;
    if (!error) continue;
    const path = `body.mergeRules.rules.${index}.expression`;
    throw badRequest(`${path}: ${error.message}`, [{ path, rule: error.message }]);
  }
}
