import { html, plainPage, type Html } from '../../platform/http/pages/html.ts';
import { page, type PageAnswer, type Visit } from '../../platform/http/pages/page.ts';
import { joinAsNewUser, joinWithToken } from './accept.ts';
import { findOpenInvite, type OpenInvite } from './store.ts';

/** The page of an invitation: a form for new people, who get an account and its token, and one for an account. */
export const invitePage = page({
  method: 'GET',
  path: '/invite/{code}',
  handle: async ({ ctx, params }) => {
    const invite = await findOpenInvite(ctx.db, params['code'] ?? '');
    return invite ? answer(200, `Join ${invite.organization_title}`, form(invite, '')) : gone();
  },
});

export const acceptInvitePage = page({
  method: 'POST',
  path: '/invite/{code}',
  handle: async ({ ctx, params, headers, form: readForm }: Visit) => {
    const fields = readForm();
    const invite = await findOpenInvite(ctx.db, params['code'] ?? '');
    if (!invite) return gone();
    const title = `Join ${invite.organization_title}`;
    const given = (name: string) => (fields.get(name) ?? '').trim();
    const token = bearerToken(headers['authorization']) ?? given('token');
    const outcome = token
      ? await joinWithToken(ctx, invite, token)
      : await joinAsNewUser(ctx, invite, { displayName: given('name'), email: given('email') });
    switch (outcome.kind) {
      case 'refused':
        return answer(400, title, form(invite, outcome.reason));
      case 'used':
        return gone();
      case 'mailed':
        return answer(
          200,
          title,
          html`<h1>Check your e-mail</h1>
            <p>We sent a link to ${outcome.email}. Open it to join.</p>`,
        );
      case 'joined':
        return answer(
          200,
          title,
          html`<h1>Welcome to ${invite.organization_title}</h1>
            <p>You joined as <strong>${outcome.name}</strong>. Your token works as before.</p>`,
        );
      case 'created':
        return answer(200, title, welcome(invite, outcome.token, ctx.addresses.of('')));
    }
  },
});

/** Other schemes are left to a proxy in front of the server. */
const bearerToken = (header = ''): string | undefined => /^Bearer +([^ ]*)$/i.exec(header)?.[1];

const answer = (status: number, title: string, content: Html): PageAnswer => ({
  status,
  body: plainPage(title, content),
});

const gone = (): PageAnswer =>
  answer(
    404,
    'Invitation not found',
    html`<h1>This invitation is no longer valid</h1>
      <p>It was used, deleted or has expired. Ask the person who invited you for a new one.</p>`,
  );

function form(invite: OpenInvite, problem: string): Html {
  const address = invite.email
    ? html`<p>You are invited as <strong>${invite.email}</strong>.</p>`
    : html`<label for="email">Your e-mail address</label>
        <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required />`;
  return html`<h1>Join ${invite.organization_title}</h1>
    ${problem ? html`<p role="alert"><strong>${problem}</strong></p>` : ''}
    <form method="post">
      ${address}
      <label for="name">Your name</label>
      <input id="name" name="name" autocomplete="name" maxlength="64" required />
      <button>Join with a new account</button>
    </form>
    <form method="post">
      <label for="token">Already have an account? Enter your token</label>
      <input id="token" name="token" type="password" autocomplete="off" maxlength="512" required />
      <button>Join with this account</button>
    </form>`;
}

const welcome = (invite: OpenInvite, token: string, url: string): Html =>
  html`<h1>Welcome to ${invite.organization_title}</h1>
    <p>This is your token. It is shown only once. Store it safely and send it with every request.</p>
    <pre><code>${token}</code></pre>
    <p>Try it:</p>
    <pre><code>curl -H "Authorization: Bearer ${token}" ${url}/v1/user</code></pre>
    <p>The <a href="${url}/reference">API reference</a> lists all operations.</p>`;
