import { LRUCache } from 'lru-cache';
import { evaluateCondition, type Scope } from '../../content-engine/expressions/index.ts';
import { mayReadTokenClaims, visitorScope } from '../../domains/visitors/index.ts';
import { inSlices } from '../../platform/threads/slices.ts';
import type { PublishedSite } from './published-site.ts';
import type { SiteSpaceColumns } from './store.ts';
import type { Visitor } from './visitor.ts';

type SiteSpaces = readonly SiteSpaceColumns[];

interface KnownSpaces {
  readonly hasConditions: boolean;
  /** Whether a class of visitors has the same site spaces. */
  readonly isByClass: boolean;
  readonly byClass: LRUCache<string, Promise<SiteSpaces>>;
}

/** For each site until it changes: cached pages need them, too. */
const known = new WeakMap<PublishedSite, KnownSpaces>();
/** Of one site: adaptive sites can have any number of classes. */
const MAX_CLASSES = 20;

/**
 * The site spaces whose conditions admit a visitor, and those of their sections. In slices: a site may have a thousand
 * conditions, and any visitor can begin a new class.
 */
export function readableSpaces(site: PublishedSite, visitor: Visitor): SiteSpaces | Promise<SiteSpaces> {
  let spaces = known.get(site);
  if (!spaces) {
    const byClass = new LRUCache<string, Promise<SiteSpaces>>({ max: MAX_CLASSES });
    const conditions = conditionsOf(site);
    const isByClass = !conditions.some(mayReadTokenClaims);
    known.set(site, (spaces = { hasConditions: conditions.length > 0, isByClass, byClass }));
  }
  if (!spaces.hasConditions) return site.site_spaces;
  const list = () => inSlices(listReadable(site, visitorScope(visitor.claims)));
  if (!spaces.isByClass) return list();
  let readable = spaces.byClass.get(visitor.class);
  if (!readable) spaces.byClass.set(visitor.class, (readable = list()));
  return readable;
}

const conditionsOf = ({ sections, site_spaces: siteSpaces }: PublishedSite): string[] =>
  [...sections, ...siteSpaces].flatMap(({ condition }) => (condition?.trim() ? [condition] : []));

function* listReadable(site: PublishedSite, scope: Scope): Generator<void, SiteSpaces, void> {
  /** By text: sections of one site often have the same condition, as do the site spaces of a section. */
  const evaluated = new Map<string, boolean>();
  const isAdmitted = (condition: string | null | undefined): boolean => {
    if (!condition?.trim()) return true;
    let isTrue = evaluated.get(condition);
    if (isTrue === undefined) evaluated.set(condition, (isTrue = evaluateCondition(condition, scope)));
    return isTrue;
  };
  const readable: SiteSpaceColumns[] = [];
  for (const siteSpace of site.site_spaces) {
    if (isAdmitted(site.sectionOf(siteSpace)?.condition) && isAdmitted(siteSpace.condition))
      readable.push(siteSpace);
    yield;
  }
  return readable;
}
