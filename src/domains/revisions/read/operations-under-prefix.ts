import Type, { type TObject, type TProperties } from 'typebox';
import { operation, type Access } from '../../../platform/api/operation.ts';
import { listOf } from '../../../platform/api/schema.ts';
import type { ContentRow } from '../policy.ts';
import * as read from './read.ts';
import * as schema from '../schema.ts';

/** Where content is read: the primary content of a space, a revision of it, a change request. */
interface Prefix<P extends TObject> {
  readonly prefix: string;
  readonly params: P;
  readonly access: Access<ContentRow>;
  /** Completes "… of" in summaries. */
  readonly of: string;
}

/** The operations that read content, the same under each prefix. */
export function contentOperations<P extends TObject>({ prefix, params, access, of }: Prefix<P>) {
  const pathWith = <More extends TProperties>(more: More) =>
    Type.Object({ ...(params.properties as P['properties']), ...more }) as unknown as TObject<More>;
  const common = { method: 'GET', scope: 'space:read', status: 200, access } as const;
  return {
    revision: operation({
      ...common,
      path: prefix,
      summary: `Get the content of ${of}`,
      description:
        'Returns the page tree without bodies, the files, the reusable contents and the variables.',
      params,
      query: schema.ContentQuery,
      response: schema.Revision,
      version: (row: ContentRow) => row.revision_id,
      isCacheableByTarget: true,
      etag: read.treeEtag,
      handle: ({ ctx, target, query }) => read.readRevision(ctx, target, query),
    }),
    pages: operation({
      ...common,
      path: `${prefix}/pages`,
      summary: `List the pages of ${of}`,
      params,
      query: schema.ContentQuery,
      response: schema.Pages,
      version: (row: ContentRow) => row.revision_id,
      isCacheableByTarget: true,
      etag: read.treeEtag,
      handle: ({ ctx, target, query }) => read.readPages(ctx, target, query),
    }),
    files: operation({
      ...common,
      path: `${prefix}/files`,
      summary: `List the files of ${of}`,
      description: 'Ordered by id. A cursor continues with the revision that the list began with.',
      params,
      query: schema.FilesQuery,
      response: listOf(schema.File),
      handle: ({ ctx, target, page }) => read.listFiles(ctx, target, page),
    }),
    file: operation({
      ...common,
      isCacheableByTarget: true,
      path: `${prefix}/files/{fileId}`,
      summary: `Get a file of ${of}`,
      params: pathWith({ fileId: schema.fileId }),
      query: schema.ContentQuery,
      response: schema.File,
      handle: ({ ctx, target, params }) => read.readFile(ctx, target, params.fileId),
    }),
    page: operation({
      ...common,
      isCacheableByTarget: true,
      path: `${prefix}/page/{pageId}`,
      summary: `Get a page of ${of}`,
      params: pathWith({ pageId: schema.pageId }),
      query: schema.PageQuery,
      response: schema.Page,
      handle: ({ ctx, target, params, query }) =>
        read.readPage(ctx, target, params.pageId, read.pageById(params.pageId), query),
    }),
    pageByPath: operation({
      ...common,
      isCacheableByTarget: true,
      path: `${prefix}/path/{pagePath}`,
      takesRest: true,
      summary: `Get a page of ${of} by its path`,
      params: pathWith({ pagePath: schema.pagePath }),
      query: schema.PageQuery,
      response: schema.Page,
      handle: ({ ctx, target, params, query }) =>
        read.readPage(ctx, target, `/${params.pagePath}`, read.pageByPath(params.pagePath), query),
    }),
    pageDocument: operation({
      ...common,
      isCacheableByTarget: true,
      path: `${prefix}/page/{pageId}/document`,
      summary: `Get the document of a page of ${of}`,
      params: pathWith({ pageId: schema.pageId }),
      query: schema.DocumentQuery,
      response: schema.JsonDocument,
      handle: ({ ctx, target, params, query }) =>
        read.readDocumentOf(ctx, target, params.pageId, read.pageById(params.pageId), query),
    }),
    metaLinks: operation({
      ...common,
      isCacheableByTarget: true,
      path: `${prefix}/page/{pageId}/meta-links`,
      summary: `Get the meta links of a page of ${of}`,
      description: 'Always empty: no page has an address beside its own. For clients that ask for them.',
      params: pathWith({ pageId: schema.pageId }),
      response: schema.MetaLinks,
      handle: ({ ctx, target, params }) => read.readMetaLinks(ctx, target, params.pageId),
    }),
    reusableContent: operation({
      ...common,
      isCacheableByTarget: true,
      path: `${prefix}/reusable-contents/{reusableContentId}`,
      summary: `Get a reusable content of ${of}`,
      params: pathWith({ reusableContentId: schema.reusableContentId }),
      query: schema.ContentQuery,
      response: schema.ReusableContent,
      handle: ({ ctx, target, params }) => read.readReusableContent(ctx, target, params.reusableContentId),
    }),
    reusableContentDocument: operation({
      ...common,
      isCacheableByTarget: true,
      path: `${prefix}/reusable-contents/{reusableContentId}/document`,
      summary: `Get the document of a reusable content of ${of}`,
      params: pathWith({ reusableContentId: schema.reusableContentId }),
      query: schema.DocumentQuery,
      response: schema.JsonDocument,
      handle: ({ ctx, target, params, query }) =>
        read.readDocumentOf(
          ctx,
          target,
          params.reusableContentId,
          read.reusableContentById(params.reusableContentId),
          query,
        ),
    }),
  };
}
