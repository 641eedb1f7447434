import Type from 'typebox';
import { job } from '../../platform/jobs/job.ts';
import { quotedTitle } from './quoted-title.ts';
import { deleteOldCounts } from './mail-count-store.ts';

/** The link is a secret: it is encrypted in the queue. */
export const SEAL = 'invite mail';

export const sendInvite = job({
  name: 'invites.send',
  input: Type.Object({
    email: Type.String(),
    organization: Type.String(),
    sealedLink: Type.String(),
    joinUrl: Type.String(),
    expiresAt: Type.String(),
  }),
  async run(ctx, { email, organization, sealedLink, joinUrl, expiresAt }) {
    const link = ctx.keys.open(SEAL, Buffer.from(sealedLink, 'base64'));
    await ctx.mail({
      to: email,
      // None of it is written by the inviter.
      subject: 'Invitation to join an organization on Octavo',
      text:
        `You are invited to join the organization ${quotedTitle(organization)} on Octavo.\n\n` +
        `Open this link to accept. It works once and expires on ${new Date(expiresAt).toUTCString()}:\n\n` +
        `${link}\n\n` +
        `If you have an account, you can also join with your token: POST ${joinUrl}\n\n` +
        'The link is personal: do not forward it. If you did not expect this invitation, ignore this message.\n',
    });
  },
});

export const forgetMailCounts = job({
  name: 'invites.forget-mail-counts',
  input: Type.Object({}),
  cron: '50 3 * * *',
  run: (ctx) => deleteOldCounts(ctx.db),
});
