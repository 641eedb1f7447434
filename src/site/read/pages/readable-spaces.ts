import { LRUCache } from 'lru-cache';
import { evaluateCondition, type Scope } from '../../../content-engine/expressions/index.ts';
import { visitorScope } from '../../../domains/visitors/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { requireSmall } from '../../../platform/api/too-large-here.ts';
import { inTurn } from '../../../platform/threads/in-turn.ts';
import type { PublishedSite } from '../published-site.ts';
import type { SiteSpaceColumns } from '../store.ts';
import type { Visitor } from '../visitor.ts';

type SiteSpaces = readonly SiteSpaceColumns[];

interface KnownSpaces {
  /** Characters of different conditions. */
  readonly length: number;
  readonly byClass: LRUCache<string, Promise<SiteSpaces>>;
}

/** Spaces of each site until it changes: cached pages need them, too. */
const known = new WeakMap<PublishedSite, KnownSpaces>();
/** The classes of one site: adaptive sites can have any number of them. */
const MAX_CLASSES = 20;

/** The site spaces whose conditions admit a visitor, and those of their sections. */
export async function readableSpaces(
  ctx: Pick<Context, 'isFront'>,
  site: PublishedSite,
  visitor: Visitor,
): Promise<SiteSpaces> {
  let spaces = known.get(site);
  if (!spaces) {
    const byClass = new LRUCache<string, Promise<SiteSpaces>>({ max: MAX_CLASSES });
    known.set(site, (spaces = { length: lengthOfConditions(site), byClass }));
  }
  if (spaces.length === 0) return site.site_spaces;
  let readable = spaces.byClass.get(visitor.class);
  if (!readable) {
    // A site may have a thousand conditions, and any visitor can begin a new class.
    requireSmall(ctx, 'text', spaces.length);
    readable = inTurn(() => listReadable(site, visitorScope(visitor.claims)));
    spaces.byClass.set(visitor.class, readable);
  }
  return readable;
}

function lengthOfConditions({ sections, site_spaces: siteSpaces }: PublishedSite): number {
  const conditions = [...sections, ...siteSpaces].map(({ condition }) => condition?.trim() ?? '');
  return [...new Set(conditions)].reduce((sum, { length }) => sum + length, 0);
}

function listReadable(site: PublishedSite, scope: Scope): SiteSpaces {
  /** Results by text: sections of one site often have the same condition, as do the site spaces of a section. */
  const evaluated = new Map<string, boolean>();
  const isAdmitted = (condition: string | null | undefined): boolean => {
    if (!condition?.trim()) return true;
    let isTrue = evaluated.get(condition);
    if (isTrue === undefined) evaluated.set(condition, (isTrue = evaluateCondition(condition, scope)));
    return isTrue;
  };
  return site.site_spaces.filter(
    (siteSpace) => isAdmitted(site.sectionOf(siteSpace)?.condition) && isAdmitted(siteSpace.condition),
  );
}
