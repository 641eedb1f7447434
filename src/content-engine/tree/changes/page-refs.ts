import { isSame } from '../../map/index.ts';
import { isSafeUrl, type ContentRef } from '../content-ref.ts';
import { findFile, findPage, findReusableContent } from '../lookup.ts';
import type { PageRecord } from '../records.ts';
import type { CoverRef, PageCover } from '../fields/page-values.ts';
import { isRefusal, refuse, resolve, type Batch } from './batch.ts';
import type { PageContent, PageFields, Refusal } from './change.ts';

type Refs = Pick<PageContent, 'target'> & Pick<PageFields, 'cover'>;

/** The target and the cover of a page, with refs of the batch replaced by ids. */
export function readRefs(batch: Batch, given: Refs, before: PageRecord | undefined): Refs | Refusal {
  const target = given.target && readTarget(batch, given.target, before);
  if (target && isRefusal(target)) return target;
  const cover = given.cover && readCover(batch, given.cover, before);
  if (cover && isRefusal(cover)) return cover;
  return { ...(target ? { target } : {}), ...(cover ? { cover } : {}) };
}

function readTarget(batch: Batch, target: ContentRef, before: PageRecord | undefined): ContentRef | Refusal {
  // An unchanged target is accepted even if it no longer exists, so that clients can send back what they read.
  if (before?.type === 'link' && isSame(before.target, target)) return target;
  if (target.kind === 'url' && (target.url === '' || !isSafeUrl(target.url))) {
    return refuse(
      'invalid_field',
      'A link target must be a URL with http, https, mailto or tel, or a path',
      'target.url',
    );
  }
  return readRef(batch, target, 'target');
}

function readCover(batch: Batch, cover: PageCover, before: PageRecord | undefined): PageCover | Refusal {
  const coverBefore = before?.type === 'document' ? before.cover : undefined;
  const read: { -readonly [K in keyof PageCover]: PageCover[K] } = { ...cover };
  for (const name of ['ref', 'refDark'] as const) {
    const ref = cover[name];
    if (ref === undefined || (coverBefore?.[name] && isSame(coverBefore[name], ref))) continue;
    if (ref.kind === 'url' && !isSafeUrl(ref.url, ['http', 'https'])) {
      const rule = 'A cover must be a file, a URL with http or https, or a path';
      return refuse('invalid_field', rule, `cover.${name}.url`);
    }
    const found = readRef(batch, ref, `cover.${name}`);
    if (isRefusal(found)) return found;
    read[name] = found as CoverRef;
  }
  return read;
}

/** References to other spaces are not checked. */
function readRef(batch: Batch, ref: ContentRef, field: string): ContentRef | Refusal {
  if ('space' in ref && ref.space !== undefined) return ref;
  const { tree } = batch;
  switch (ref.kind) {
    case 'page':
    case 'anchor': {
      if (ref.page === undefined) return ref;
      const page = resolve(batch, ref.page);
      if (findPage(tree, page)) return { ...ref, page };
      return refuse('unknown_page', `There is no page ${ref.page}`, `${field}.page`);
    }
    case 'file': {
      const file = resolve(batch, ref.file);
      if (findFile(tree, file)) return { ...ref, file };
      return refuse('unknown_file', `There is no file ${ref.file}`, `${field}.file`);
    }
    case 'reusable-content': {
      const reusableContent = resolve(batch, ref.reusableContent);
      if (findReusableContent(tree, reusableContent)) return { ...ref, reusableContent };
      const message = `There is no reusable content ${ref.reusableContent}`;
      return refuse('unknown_reusable_content', message, `${field}.reusableContent`);
    }
    default:
      return ref;
  }
}

/** The ids and refs that a target and a cover refer to. */
export function namesInRefs({ target, cover }: Refs): string[] {
  return [target, cover?.ref, cover?.refDark].flatMap((ref) => {
    if (ref?.kind === 'page' || ref?.kind === 'anchor') return ref.page ?? [];
    if (ref?.kind === 'file') return ref.file;
    return ref?.kind === 'reusable-content' ? ref.reusableContent : [];
  });
}
