import { Html, html } from '../../../platform/http/pages/html.ts';
import type { Reason } from '../find-recipients.ts';
import type { Item } from './items.ts';

export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The conversation that all of it belongs to. */
  readonly threadId: string | undefined;
}

interface Links {
  /** The page that turns off the kinds of this mail. */
  readonly stop: string;
  /** Where settings are changed. */
  readonly settings: string;
}

/** A longer mail is cut by mail programs. */
const MAX_SHOWN = 30;

const WHY: Readonly<Record<Reason, string>> = {
  requested: 'your review is requested',
  author: 'you created the change request',
  requester: 'you requested the review',
  mentioned: 'a comment mentions you',
  thread: 'you take part in the thread',
  reviewer: 'you are a reviewer of the change request',
  synchronizes: 'you connected the repository or started the operation',
  admin: 'you are an admin, and the user who connected the repository can no longer be told',
  started: 'you started the import',
};

/** `more`: notifications that exceeded the limit, besides these. */
export function renderMail(items: readonly [Item, ...Item[]], more: number, links: Links): Rendered {
  const shown = items.slice(0, MAX_SHOWN);
  const left = items.length - shown.length + more;
  const isOneThread = left === 0 && items.every(({ thread }) => thread.id === items[0].thread.id);
  const { thread, spaceTitle } = items[0];
  const subject = isOneThread
    ? `[${spaceTitle}] ${thread.title}`
    : `${items.length + more} notifications from Octavo`;
  const why = `You receive this mail because ${sentenceOf(shown.map(({ reason }) => WHY[reason]))}.`;
  const rest = left === 0 ? '' : `… and ${left} more.`;
  return {
    subject,
    threadId: isOneThread ? thread.id : undefined,
    text: [...shown.map(textOf), ...(rest ? [rest] : []), `-- \n${why}\n${footerOf(links)}\n`].join('\n\n'),
    html: page(subject, shown, rest, why, links),
  };
}

const sentenceOf = (reasons: readonly string[]): string => {
  const different = [...new Set(reasons)];
  return different.length < 2
    ? different.join('')
    : `${different.slice(0, -1).join(', ')}, and ${different.at(-1)}`;
};

const footerOf = ({ stop, settings }: Links): string =>
  `Stop mails of this kind: ${stop}\nAll settings, such as a daily digest: PATCH ${settings}`;

/** Every line is quoted, so that none looks like the text around it. */
const textOf = ({ sentence, excerpt, url, spaceTitle }: Item): string =>
  [`${sentence} (${spaceTitle})`, ...(excerpt ? [excerpt.replaceAll(/^/gm, '> ')] : []), url].join('\n\n');

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const MUTED = 'color:#6b7280';

const rowOf = ({ sentence, excerpt, url, spaceTitle }: Item): Html =>
  html`<tr>
    <td style="padding:0 0 24px">
      <p style="margin:0 0 8px"><strong>${sentence}</strong> <span style="${MUTED}">${spaceTitle}</span></p>
      ${excerpt ? quote(excerpt) : ''}
      <p style="margin:0"><a href="${url}">Open</a></p>
    </td>
  </tr>`;

const QUOTE = 'margin:0 0 8px;padding:0 0 0 12px;border-left:3px solid #9ca3af';

function quote(text: string): Html {
  const lines = text.split('\n').map((line) => html`${line}`.text);
  return html`<p style="${QUOTE}">${new Html(lines.join('<br />'))}</p>`;
}

function page(subject: string, items: readonly Item[], rest: string, why: string, links: Links): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:0">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
          <tr>
            <td align="center" style="padding:24px 16px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="max-width:600px;${FONT};font-size:16px;line-height:1.5;text-align:left"
              >
                ${new Html(items.map((item) => rowOf(item).text).join(''))}
                ${
                  rest
                    ? html`<tr>
                        <td style="padding:0 0 24px">${rest}</td>
                      </tr>`
                    : ''
                }
                <tr>
                  <td style="border-top:1px solid #9ca3af;padding:16px 0 0;font-size:13px;${MUTED}">
                    ${why}<br />
                    <a href="${links.stop}" style="${MUTED}">Stop mails of this kind</a> · All settings:
                    <code>PATCH ${links.settings}</code>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `.text;
}
