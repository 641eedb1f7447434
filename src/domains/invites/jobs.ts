import Type from 'typebox';
import { job } from '../../platform/jobs/job.ts';

/** The link is a secret: it waits in the queue sealed. */
export const SEAL = 'invite mail';

export const sendInvite = job({
  name: 'invites.send',
  input: Type.Object({
    email: Type.String(),
    organization: Type.String(),
    sealedLink: Type.String(),
    // Absent in jobs of an older version.
    joinUrl: Type.Optional(Type.String()),
  }),
  async run(ctx, { email, organization, sealedLink, joinUrl }) {
    const link = ctx.keys.open(SEAL, Buffer.from(sealedLink, 'base64'));
    await ctx.mail({
      to: email,
      subject: `You are invited to ${organization}`,
      text:
        `You are invited to join ${organization} on Octavo.\n\nOpen this link to accept; it works once, for 14 days:\n\n` +
        `${link}\n\n` +
        (joinUrl
          ? `If you have an account, you can also send this with your token: POST ${joinUrl}\n\n`
          : '') +
        'The link is yours: do not pass it on. If you did not expect this, ignore it: nothing happens unless it is opened.\n',
    });
  },
});
