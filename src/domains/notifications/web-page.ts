import { Html, html, plainPage } from '../../platform/http/pages/html.ts';
import { page, type PageAnswer, type Visit } from '../../platform/http/pages/page.ts';
import { readUnsubscription, type Unsubscription } from './mail/unsubscribe-link.ts';
import { EACH_KIND } from './policy.ts';
import { changeSettings, findSettings } from './store.ts';

const path = '/notifications/{code}';

/** Changes nothing: programs that scan mail follow its links. */
export const unsubscribePage = page({
  method: 'GET',
  path,
  handle: (visit) =>
    answering(visit, async (what) =>
      answer(
        200,
        'Stop these mails?',
        html`<p>You will receive no more mail about:</p>
          ${listOf(what)}
          <form method="post"><button>Stop these mails</button></form>`,
      ),
    ),
});

/** The button, and mail programs with one click: `List-Unsubscribe=One-Click` (RFC 8058). */
export const stopNotificationsPage = page({
  method: 'POST',
  path,
  handle: (visit) =>
    answering(visit, async (what) => {
      await changeSettings(visit.ctx.db, what.userId, { off: what.kinds });
      return answer(
        200,
        'You are unsubscribed',
        html`<p>You will receive no more mail about:</p>
          ${listOf(what)}
          <p>
            To turn it on again, update your settings:
            <code>PATCH ${visit.ctx.addresses.of('/v1/user/notification-settings')}</code>
          </p>`,
      );
    }),
});

async function answering(
  { ctx, params }: Visit,
  handle: (what: Unsubscription) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const what = readUnsubscription(ctx.keys, params['code'] ?? '');
  if (what && (await findSettings(ctx.db, what.userId))) return handle(what);
  return answer(
    404,
    'This link is not valid',
    html`<p>Open the link in the mail again. It must be complete.</p>`,
  );
}

const answer = (status: number, title: string, content: Html): PageAnswer => ({
  status,
  body: plainPage(
    title,
    html`<h1>${title}</h1>
      ${content}`,
  ),
});

const listOf = ({ kinds }: Unsubscription): Html => {
  const items = kinds.map((kind) => html`<li>${EACH_KIND[kind]}</li>`.text);
  return html`<ul>
    ${new Html(items.join(''))}
  </ul>`;
};
