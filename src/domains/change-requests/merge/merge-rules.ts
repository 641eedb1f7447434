import { evaluateCondition, type Scope } from '../../../content-engine/expressions/index.ts';
import type { JSONDocument } from '../../../content-engine/document/index.ts';
import { toMarkdown } from '../../../content-engine/markdown/index.ts';
import type { Caller, Context } from '../../../platform/api/context.ts';
import { conflict } from '../../../platform/api/errors.ts';
import { effectiveRules, type MergeRules } from '../../organizations/index.ts';
import { asUser } from '../../users/index.ts';
import type { ChangeRequestRow } from '../policy.ts';
import { presentChangeRequest } from '../present.ts';
import type { LockedWithSpace, MergeFacts, ReviewFact } from '../store.ts';

type Rule = NonNullable<MergeRules['rules']>[number];

interface Facts {
  readonly row: ChangeRequestRow;
  readonly actor: Caller;
  readonly isUpToDate: boolean;
  /** The proposed revision. */
  readonly revisionId: string;
  /** The last review of every reviewer except the author of the request. */
  readonly reviews: readonly ReviewFact[];
  /** Reviews of the proposed revision by people who did not edit the request. Only these satisfy a rule. */
  readonly independent: readonly ReviewFact[];
  /** The variables of expressions. */
  readonly scope: Scope;
}

const rulesOf = (found: Pick<MergeFacts, 'space_rules' | 'organization_rules'>): readonly Rule[] =>
  effectiveRules(found.space_rules, found.organization_rules);

/** Whether the rules require reviews. */
export const requiresReviews = (found: MergeFacts): boolean =>
  rulesOf(found).some(({ rule }) => /review/.test(rule));

/** Throws a 409 that names every unsatisfied rule. `shown`: the revision to merge into. */
export function requireRules(
  { addresses, caller: actor }: Pick<Context, 'addresses' | 'caller'>,
  locked: LockedWithSpace,
  shown: string,
  row: ChangeRequestRow,
): void {
  const rules = rulesOf(locked);
  if (rules.some((rule) => rule.rule === 'allow_bypass' && rule.users.includes(actor.id))) return;
  const isUpToDate = locked.ancestor_revision_id === shown;
  const reviews = locked.reviews.filter(({ reviewer_id: id }) => id !== row.author_id);
  const current = reviews.filter(({ revision_id: id }) => id === locked.revision_id);
  const independent = current.filter(({ has_edited: hasEdited }) => !hasEdited);
  const scope = {
    space: { id: row.space_id, title: locked.space_title, organization: row.organization_id },
    changeRequest: { ...presentChangeRequest(row, addresses), outdated: !isUpToDate },
    reviews: independent.map(({ status, reviewer_id: id }) => ({ status, reviewer: { id } })),
    actor: { id: actor.id, displayName: actor.displayName, email: asUser(actor).email },
  };
  const { revision_id: revisionId } = locked;
  const facts: Facts = { row, actor, isUpToDate, revisionId, reviews, independent, scope };
  const unmet = rules.flatMap((rule) => problemOf(rule, facts) ?? []);
  if (unmet.length === 0) return;
  const editors = current.filter(({ has_edited: hasEdited }) => hasEdited).map((each) => each.reviewer_id);
  const hint =
    editors.length === 0 ? '' : ` Reviews by users who edited it do not count: ${editors.join(', ')}.`;
  throw conflict(`The merge rules are not satisfied: ${unmet.join('; ')}.${hint}`);
}

/** The unmet requirement, or undefined if the rule is satisfied. */
function problemOf(rule: Rule, facts: Facts): string | undefined {
  const { row, actor, isUpToDate, revisionId, reviews, independent, scope } = facts;
  const approvals = independent.filter(({ status }) => status === 'approved').map((each) => each.reviewer_id);
  const unless = (isMet: boolean, problem: string) => (isMet ? undefined : problem);
  switch (rule.rule) {
    case 'require_specific_reviewers': {
      const missing = rule.users.filter((user) => !approvals.includes(user));
      return unless(missing.length === 0, `these users must approve it: ${missing.join(', ')}`);
    }
    case 'require_one_of_specific_reviewers':
      return unless(
        rule.users.some((user) => approvals.includes(user)),
        `one of these users must approve it: ${rule.users.join(', ')}`,
      );
    case 'require_at_least_one_review':
      return unless(independent.length > 0, 'it needs a review of its current content');
    case 'require_at_least_one_approved_review':
      return unless(approvals.length > 0, 'it needs an approval of its current content');
    case 'require_all_reviews_approved':
      return unless(
        // A rejection by a contributor counts until they approve the proposed revision.
        reviews.every((each) => each.status === 'approved' && each.revision_id === revisionId),
        'every reviewer must approve its current content',
      );
    case 'require_agent_review':
      return 'an agent must review it, but this installation has no agents';
    case 'require_up_to_date_change_request':
      return unless(isUpToDate, 'it must be up to date with the space (`update` it)');
    case 'require_change_request_subject':
      return unless(row.subject.trim() !== '', 'it needs a subject');
    case 'require_change_request_description':
      return unless(hasText(row.description), 'it needs a description');
    case 'require_author_to_merge':
      return unless(row.author_id === actor.id, 'only its author may merge it');
    case 'allow_bypass':
      return undefined;
    case 'custom':
      return unless(
        evaluateCondition(rule.expression, scope),
        `the rule \`${rule.expression}\` must be true`,
      );
  }
}

/** A description without words counts as none. */
const hasText = (description: object | null): boolean =>
  description !== null && toMarkdown(description as JSONDocument).trim() !== '';
