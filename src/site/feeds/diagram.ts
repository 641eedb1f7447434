import { policyText } from '../../platform/api/content-security-policy.ts';
import { etagOf } from '../../platform/api/etag.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import { diagramPolicy, renderDiagramFrame } from '../index.ts';
import { framedView } from '../serve/answer-page.ts';
import { ORIGIN } from '../serve/origin.ts';
import { answerWith, type SiteRequest } from '../serve/request.ts';

/** The frame in which diagrams are drawn. */
export async function serveDiagram(request: SiteRequest): Promise<PageAnswer> {
  const { view } = await framedView(request, undefined);
  const body = Buffer.from(renderDiagramFrame(view));
  return answerWith(request, {
    body,
    etag: `W/${etagOf(request.site.version, body)}`,
    type: 'text/html; charset=utf-8',
    policy: policyText(diagramPolicy(view, ORIGIN)),
    revisions: new Map(),
    files: new Set(),
    page: undefined,
  });
}
