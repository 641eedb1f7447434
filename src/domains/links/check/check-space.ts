import { findPage, findReusableContent, pathOf, type Tree } from '../../../content-engine/tree/index.ts';
import {
  claimCheckOf,
  findCheck,
  listUrlProblems,
  releaseCheck,
  type UrlProblem,
} from '../../link-index/index.ts';
import { readTree, type StorageContext } from '../../content-store/index.ts';
import { findPrimary } from '../../revisions/index.ts';
import { checkLinks, type CheckContext, type CheckOptions } from './check-links.ts';
import { platformOf } from '../list/read-outside.ts';

/** A URL with a problem, and the pages and reusable contents that have it. */
export interface ReportedUrl {
  readonly url: string;
  readonly status: 'ok' | 'broken';
  readonly problem: string;
  readonly pageCount: number;
  /** The first of them. */
  readonly pages: readonly { readonly id: string; readonly title: string; readonly path?: string }[];
}

export interface LinkReport {
  readonly isComplete: boolean;
  /** Different external URLs, and those that were checked now: others were found within the last hour. */
  readonly total: number;
  readonly checked: number;
  readonly broken: number;
  readonly problems: readonly ReportedUrl[];
}

export interface CheckSpaceOptions extends Omit<CheckOptions, 'onChecked'> {
  readonly onProgress: (progress: { done: number; total: number; current: string }) => void;
}

const MAX_PAGES = 20;

/** Checks the external links of a space in this process, and reports problems. */
export async function checkSpace(
  ctx: CheckContext & StorageContext,
  spaceId: string,
  { onProgress, ...options }: CheckSpaceOptions,
): Promise<LinkReport | 'running'> {
  const { db } = ctx;
  const isClaimed = await claimCheckOf(db, spaceId);
  const before = await findCheck(db, spaceId, platformOf(ctx));
  if (!before) return { isComplete: true, total: 0, checked: 0, broken: 0, problems: [] };
  if (!isClaimed) return 'running';
  let checked = 0;
  const onChecked = ({ url }: { url: string }) =>
    onProgress({ done: ++checked, total: Math.max(before.remaining, checked), current: url });
  const isComplete = await checkLinks(ctx, spaceId, { ...options, onChecked });
  await releaseCheck(db, spaceId, true);
  const problems = await listUrlProblems(db, spaceId);
  const primary = await findPrimary(db, spaceId);
  const tree = await readTree(ctx, primary);
  return {
    isComplete,
    total: before.total,
    checked,
    broken: problems.filter((each) => each.broken).length,
    problems: problems.map((each) => reported(tree, each)),
  };
}

function reported(tree: Tree, { url, broken, problem, sources }: UrlProblem): ReportedUrl {
  const pages = sources.slice(0, MAX_PAGES).map((id) => {
    const page = findPage(tree, id);
    if (!page) return { id, title: findReusableContent(tree, id)?.title ?? id };
    const path = pathOf(tree, id);
    return { id, title: page.title, ...(path === undefined ? {} : { path }) };
  });
  return { url, status: broken ? 'broken' : 'ok', problem, pageCount: sources.length, pages };
}
