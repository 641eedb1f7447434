import { evaluateCondition } from '../../content-engine/expressions/index.ts';
import { conflict } from '../../platform/errors.ts';
import type { MergeRules } from '../organizations/index.ts';
import type { ChangeRequestRow } from './policy.ts';
import type { LockedWithSpace, MergeFacts, ReviewFact } from './store.ts';

type Rule = NonNullable<MergeRules['rules']>[number];

interface Facts {
  readonly row: ChangeRequestRow;
  readonly actorId: string;
  readonly isUpToDate: boolean;
  /** Of what it proposes now: an approval of something older says nothing. */
  readonly current: readonly ReviewFact[];
  readonly all: readonly ReviewFact[];
}

/** The rules that hold: the space's own, or those of its organization. */
function rulesOf(found: Pick<MergeFacts, 'space_rules' | 'organization_rules'>): readonly Rule[] {
  const set = found.space_rules.type === 'inherit' ? found.organization_rules : found.space_rules;
  return set.type === 'rules' ? (set.rules ?? []) : [];
}

/** Whether somebody else has to look at it. */
export const asksForReviews = (found: MergeFacts): boolean =>
  rulesOf(found).some(({ rule }) => /review/.test(rule));

/** 409 that names every rule that is not satisfied. `shown`: the revision that it would be merged into. */
export function requireRules(
  locked: LockedWithSpace,
  shown: string,
  row: ChangeRequestRow,
  actorId: string,
): void {
  const rules = rulesOf(locked);
  if (rules.some((rule) => rule.rule === 'allow_bypass' && rule.users.includes(actorId))) return;
  const facts: Facts = {
    row,
    actorId,
    isUpToDate: locked.ancestor_revision_id === shown,
    current: locked.reviews.filter(({ revision_id: id }) => id === locked.revision_id),
    all: locked.reviews,
  };
  const unmet = rules.flatMap((rule) => problemOf(rule, facts) ?? []);
  if (unmet.length > 0) throw conflict(`The merge rules are not satisfied: ${unmet.join('; ')}.`);
}

/** What is missing; undefined where the rule is satisfied. */
function problemOf(rule: Rule, { row, actorId, isUpToDate, current, all }: Facts): string | undefined {
  const approvals = current.filter(({ status }) => status === 'approved').map((each) => each.reviewer_id);
  const unless = (isMet: boolean, problem: string) => (isMet ? undefined : problem);
  switch (rule.rule) {
    case 'require_specific_reviewers': {
      const missing = rule.users.filter((user) => !approvals.includes(user));
      return unless(missing.length === 0, `these people must approve it: ${missing.join(', ')}`);
    }
    case 'require_one_of_specific_reviewers':
      return unless(
        rule.users.some((user) => approvals.includes(user)),
        `one of these people must approve it: ${rule.users.join(', ')}`,
      );
    case 'require_at_least_one_review':
      return unless(current.length > 0, 'somebody must review it as it is now');
    case 'require_at_least_one_approved_review':
      return unless(approvals.length > 0, 'somebody must approve it as it is now');
    case 'require_all_reviews_approved':
      return unless(
        all.every(({ status }) => status === 'approved'),
        'somebody asked for changes, and has not approved it since',
      );
    case 'require_agent_review':
      return 'an agent must review it, and this installation has none';
    case 'require_up_to_date_change_request':
      return unless(isUpToDate, 'it must be up to date with the space (`update` it)');
    case 'require_change_request_subject':
      return unless(row.subject.trim() !== '', 'it needs a subject');
    case 'require_change_request_description':
      return unless(row.description !== null, 'it needs a description');
    case 'require_author_to_merge':
      return unless(row.author_id === actorId, 'whoever made it must merge it');
    case 'allow_bypass':
      return undefined;
    case 'custom':
      return unless(
        evaluateCondition(rule.expression, {
          space: { id: row.space_id },
          changeRequest: {
            number: row.number,
            subject: row.subject,
            status: row.status,
            outdated: !isUpToDate,
          },
          reviews: current.map(({ status, reviewer_id: reviewer }) => ({ status, reviewer })),
          actor: { id: actorId },
        }),
        `the rule \`${rule.expression}\` must hold`,
      );
  }
}
