import Type from 'typebox';
import { on, operation } from '../../platform/api/operation.ts';
import { idOf } from '../../platform/api/resource.ts';
import { Uri } from '../../platform/api/schema.ts';
import { requestContent } from '../change-requests/index.ts';
import { primaryContent } from '../content/index.ts';
import { spaces } from '../spaces/index.ts';
import { getPdfAddress } from './create-pdf.ts';

const query = Type.Object({
  page: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Id of the first page; default: all pages',
      examples: [undefined],
    }),
  ),
  only: Type.Optional(Type.Boolean({ description: 'Omit the pages below `page`' })),
});
const PdfAnswer = Type.Object({ url: Uri });
const common = {
  isHeavy: true,
  method: 'GET',
  scope: 'space:read',
  query,
  status: 200,
  response: PdfAnswer,
  description: 'The PDF is typeset on the first request. `url` needs no token and is valid for an hour.',
} as const;

export const getSpacePdf = operation({
  ...common,
  path: '/v1/spaces/{spaceId}/pdf',
  summary: 'Get the PDF of a space',
  params: Type.Object({ spaceId: idOf(primaryContent, 'view') }),
  access: on(primaryContent)('view'),
  handle: ({ ctx, target, query: asked, signal }) => getPdfAddress(ctx, target, asked, signal),
});

export const getChangeRequestPdf = operation({
  ...common,
  path: '/v1/spaces/{spaceId}/change-requests/{changeRequestId}/pdf',
  summary: 'Get the PDF of a change request',
  params: Type.Object({ spaceId: idOf(spaces, 'view'), changeRequestId: idOf(requestContent, 'view') }),
  access: on(requestContent)('view'),
  handle: ({ ctx, target, query: asked, signal }) => getPdfAddress(ctx, target, asked, signal),
});
